import type { Readiness } from './diagnosis.ts';
import type { Run } from './run.ts';

/** A run that can afford fewer requests looks first at what the interface states. */
const FEW = 150;

/** About as many as a usual run sends. */
const WHOLE = 400;

/** Whether a run can afford all that it has to find out, in whatever order. */
export const isAmple = (run: Run, first: Readiness): boolean => affordable(run, first) >= WHOLE;

/** Whether a run can afford too few requests for all that it has to find out. */
export const isScarce = (run: Run, first: Readiness): boolean => affordable(run, first) < FEW;

/** About how many requests a run can afford: by its budget, and by its time at the pace of the first answer. */
export function affordable({ settings, target: { left } }: Run, { customer }: Readiness): number {
  const { maxRequests, concurrency, rate } = settings;
  const duration = 'exchange' in customer ? customer.exchange.duration : 0;
  const byRate = rate > 0 ? (rate * left) / 1000 : Infinity;
  return Math.min(maxRequests, byRate, (concurrency * left) / Math.max(1, duration));
}

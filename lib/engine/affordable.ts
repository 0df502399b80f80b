import type { Readiness } from './diagnosis.ts';
import type { Run } from './run.ts';

/** Requests below which a run first looks at what the interface states. */
const FEW = 150;

/** About as many as a usual run sends. */
const WHOLE = 400;

/** Whether a run can afford all that it has to find out, in whatever order. */
export const isAmple = (run: Run, first: Readiness): boolean => affordable(run, durationOf(first)) >= WHOLE;

/** Whether a run can afford too few requests for all that it has to find out. */
export const isScarce = (run: Run, first: Readiness): boolean => affordable(run, durationOf(first)) < FEW;

/**
 * About how many requests a run can afford: by its budget, and by its time at a pace.
 * @param duration milliseconds of one exchange
 */
export function affordable({ settings, target: { left } }: Run, duration: number): number {
  const { maxRequests, concurrency, rate } = settings;
  const byRate = rate > 0 ? (rate * left) / 1000 : Infinity;
  return Math.min(maxRequests, byRate, (concurrency * left) / Math.max(1, duration));
}

const durationOf = ({ customer }: Readiness): number =>
  'exchange' in customer ? customer.exchange.duration : 0;

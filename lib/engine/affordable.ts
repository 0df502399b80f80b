import type { Readiness } from './diagnosis.ts';
import type { Run } from './run.ts';

/** Requests below which a run tests the `must` requirements first. */
const FEW = 150;

/** Approximate number of requests of a usual run. */
const WHOLE = 400;

/** Whether a run can afford all its requests, in any order. */
export const isAmple = (run: Run, first: Readiness): boolean => affordable(run, durationOf(first)) >= WHOLE;

/** Whether a run can afford few requests only. */
export const isScarce = (run: Run, first: Readiness): boolean => affordable(run, durationOf(first)) < FEW;

/**
 * Approximate number of requests that a run can afford, by its budget, its time and its pace.
 * @param duration milliseconds of one exchange
 */
export function affordable({ settings, target: { left } }: Run, duration: number): number {
  const { maxRequests, concurrency, rate } = settings;
  const byRate = rate > 0 ? (rate * left) / 1000 : Infinity;
  return Math.min(maxRequests, byRate, (concurrency * left) / Math.max(1, duration));
}

const durationOf = ({ customer }: Readiness): number =>
  'exchange' in customer ? customer.exchange.duration : 0;

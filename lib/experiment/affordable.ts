import type { Readiness } from './diagnosis.ts';
import type { Run } from './run.ts';

/** About how many requests a run can afford: by its budget, and by its time at the pace of the first answer. */
export function affordable({ settings, target: { left } }: Run, { customer }: Readiness): number {
  const { maxRequests, concurrency, rate } = settings;
  const duration = 'exchange' in customer ? customer.exchange.duration : 0;
  const byRate = rate > 0 ? (rate * left) / 1000 : Infinity;
  return Math.min(maxRequests, byRate, (concurrency * left) / Math.max(1, duration));
}

import type { Latency } from '../../schemas/report.ts';
import type { Exchange } from '../exchange.ts';
import { isSuccess } from '../reply.ts';

/** By operation, such as `POST /v1/customers`; only operations with a successful request. */
export type Latencies = Readonly<Record<string, Latency>>;

/** Collects the durations of requests. */
export interface Stopwatch {
  readonly note: (exchange: Exchange) => void;
  readonly latencies: () => Latencies;
}

/**
 * Only responses with a 2xx count: rejections are faster, and a run has a varying number of them.
 * @param operationOf the operation of a request; undefined: it is not measured
 */
export function createStopwatch(operationOf: (exchange: Exchange) => string | undefined): Stopwatch {
  const durations = new Map<string, number[]>();
  return {
    note(exchange) {
      const operation = isSuccess(exchange.reply) ? operationOf(exchange) : undefined;
      if (operation === undefined) return;
      const own = durations.get(operation);
      if (own) own.push(exchange.duration);
      else durations.set(operation, [exchange.duration]);
    },
    latencies: () =>
      Object.fromEntries([...durations].map(([operation, own]) => [operation, percentilesOf(own)])),
  };
}

function percentilesOf(durations: readonly number[]): Latency {
  const sorted = durations.toSorted((one, other) => one - other);
  // Nearest rank: the smallest value that at least the given share of values does not exceed.
  const percentile = (percent: number): number => {
    const value = sorted[Math.ceil((percent / 100) * sorted.length) - 1]!;
    return Math.round(value * 10) / 10;
  };
  return { count: sorted.length, p50: percentile(50), p90: percentile(90), p99: percentile(99) };
}

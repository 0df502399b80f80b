import type { Exchange } from './exchange.ts';

/** How long the accepted requests of one operation took, in milliseconds, from sending to the whole response. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** By operation, such as `POST /v1/customers`; absent where nothing was accepted. */
export type Latencies = Readonly<Record<string, Latency>>;

/** Measures requests as they are answered. */
export interface Stopwatch {
  readonly note: (exchange: Exchange) => void;
  readonly latencies: () => Latencies;
}

/**
 * Only what was answered with a 2xx counts: a refusal is quicker, and how many there are is chance.
 * @param operationOf the operation of a request, undefined where it is none of those that are timed
 */
export function createStopwatch(operationOf: (exchange: Exchange) => string | undefined): Stopwatch {
  const durations = new Map<string, number[]>();
  return {
    note(exchange) {
      const { status } = exchange.reply;
      const operation = status >= 200 && status < 300 ? operationOf(exchange) : undefined;
      if (operation === undefined) return;
      const own = durations.get(operation);
      if (own) own.push(exchange.duration);
      else durations.set(operation, [exchange.duration]);
    },
    latencies: () => Object.fromEntries([...durations].map(([operation, own]) => [operation, of(own)])),
  };
}

function of(durations: readonly number[]): Latency {
  const sorted = durations.toSorted((one, other) => one - other);
  // The smallest value that the given share of all does not exceed (nearest rank).
  const percentile = (percent: number): number => {
    const value = sorted[Math.ceil((percent / 100) * sorted.length) - 1]!;
    return Math.round(value * 10) / 10;
  };
  return { count: sorted.length, p50: percentile(50), p90: percentile(90), p99: percentile(99) };
}

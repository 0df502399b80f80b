import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { createStopwatch } from './latency.ts';

const exchange = (path: string, status: number, duration: number): Exchange =>
  ({ request: { method: 'POST', path }, reply: { status }, duration }) as Exchange;

describe('stopwatch', () => {
  it('computes the percentiles of each operation, by nearest rank', () => {
    const stopwatch = createStopwatch(({ request: { path } }) => path);
    // In no particular order, as responses arrive.
    for (let at = 0; at < 100; at++) stopwatch.note(exchange('/a', 201, ((at * 37) % 100) + 1));
    stopwatch.note(exchange('/b', 200, 7.26));
    expect(stopwatch.latencies()).toEqual({
      '/a': { count: 100, p50: 50, p90: 90, p99: 99 },
      '/b': { count: 1, p50: 7.3, p90: 7.3, p99: 7.3 },
    });
  });

  it('measures only successful requests of known operations', () => {
    const stopwatch = createStopwatch(({ request: { path } }) => (path === '/a' ? 'A' : undefined));
    stopwatch.note(exchange('/a', 401, 1));
    stopwatch.note(exchange('/b', 201, 1));
    expect(stopwatch.latencies()).toEqual({});
  });
});

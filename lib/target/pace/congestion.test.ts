import { afterEach, expect, it, vi } from 'vitest';
import { Congestion } from './congestion.ts';

afterEach(() => void vi.useRealTimers());

/** Notes some good responses. */
function grow(congestion: Congestion, times: number): void {
  for (let answer = 0; answer < times; answer++) congestion.grow();
}

it('halves once for requests that were sent together, and grows with good responses', () => {
  const congestion = new Congestion(16, 1000);
  const sentAt = performance.now();
  congestion.overload(sentAt + 1, 16);
  for (let answer = 0; answer < 4; answer++) congestion.overload(sentAt - 1, 16);
  expect(congestion.limit).toBe(8);
  grow(congestion, 8);
  expect(congestion.limit).toBe(9);
});

it('remembers how many requests were too many, and rarely tries that many again', () => {
  const congestion = new Congestion(16, 1000);
  congestion.halve(performance.now() + 1, 3);
  grow(congestion, 49);
  expect(congestion.limit).toBe(2);
  grow(congestion, 10);
  expect(congestion.limit).toBe(3);
});

it('tries more again after a while where responses are slow, not while nothing is sent', () => {
  vi.useFakeTimers();
  const congestion = new Congestion(16, 1000);
  congestion.halve(performance.now() + 1, 3);
  vi.advanceTimersByTime(2000);
  grow(congestion, 2);
  expect(congestion.limit).toBe(3);
  congestion.overload(performance.now() + 1, 3, performance.now() + 2000);
  vi.advanceTimersByTime(2001);
  grow(congestion, 4);
  expect(congestion.limit).toBe(2);
});

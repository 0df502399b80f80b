import { expect, it } from 'vitest';
import { detectQueueing } from './queueing.ts';

it('takes a request for queued if its response is late, and the path has been answered much faster', () => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued('/v2/tokens', 700)).toBe(false);
  expect(isQueued('/v2/tokens', 4900)).toBe(false);
  expect(isQueued('/v2/tokens', 5600)).toBe(true);
});

it('takes no request to a slow operation for queued, however fast another one is', () => {
  const isQueued = detectQueueing(10_000);
  expect(isQueued('/v1/customers', 5)).toBe(false);
  expect(isQueued('/v2/tokens', 6000)).toBe(false);
  expect(isQueued('/v2/tokens', 9000)).toBe(false);
});

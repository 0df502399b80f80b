import { describe, expect, it } from 'vitest';
import { readReply } from '../reply.ts';
import { AloneRetries, budgetToWait, waitBeforeRetry } from './retry-policy.ts';

/** How often a request is repeated that a gateway fails each time. */
function retriesIn(retries: AloneRetries): number {
  let failures = 1;
  while (retries.afterGateway(failures) !== undefined) failures++;
  return failures - 1;
}

describe('retries of a request alone', () => {
  it('come last, after longer and longer quiet', () => {
    const retries = new AloneRetries();
    expect([1, 2, 3, 4, 5, 6].map((failures) => retries.afterGateway(failures))).toEqual([
      { pause: 100 },
      { pause: 200 },
      { pause: 400 },
      { quiet: 250 },
      { quiet: 1000 },
      undefined,
    ]);
  });

  it('are fewer once they have often not helped, until one is answered', () => {
    const retries = new AloneRetries();
    expect(Array.from({ length: 6 }, () => retriesIn(retries))).toEqual([5, 5, 5, 5, 1, 1]);
    expect(retries.hasNoEffect).toBe(true);
    expect(retries.afterConnections()).toBeUndefined();
    retries.helped();
    expect(retries.hasNoEffect).toBe(false);
    expect(retriesIn(retries)).toBe(6);
    expect(retries.afterConnections()).toEqual({ quiet: 250 });
  });
});

it.each([
  [4, 60_000, true],
  [10, 60_000, false],
  [10, 250_000, true],
  [60, 250_000, false],
])(
  'a limit of %i s is waited for by a request that may be rejected, if %i ms are left: %s',
  (seconds, left, isRetried) => {
    const reply = readReply(429, { 'retry-after': String(seconds) }, Buffer.from('{}'), 1000);
    expect(waitBeforeRetry(reply, 0, left, 'final')).toBe(isRetried ? seconds * 1000 : undefined);
  },
);

it.each([10, 60])('the recommended time budget lets such requests wait %i s', (seconds) => {
  const reply = readReply(429, { 'retry-after': String(seconds) }, Buffer.from('{}'), 1000);
  const budget = budgetToWait(seconds * 1000)!;
  expect(waitBeforeRetry(reply, 0, (budget / 2) * 1000, 'final')).toBe(seconds * 1000);
});

it('no time budget is recommended if requests wait anyway, or for too long', () => {
  expect([5_000, 120_000].map(budgetToWait)).toEqual([undefined, undefined]);
});

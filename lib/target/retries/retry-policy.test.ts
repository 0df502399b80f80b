import { describe, expect, it } from 'vitest';
import { readReply } from '../reply.ts';
import { post, queue } from '../target.testing.ts';
import { budgetToWait, nextAttempt, pendingRequest, waitBeforeRetry } from './retry-policy.ts';
import type { NextAttempt } from './retry-policy.ts';

describe('a request that a gateway fails each time', () => {
  /** Its next attempts, until there is none. */
  const attempts = (isShort: boolean, met = 0): NextAttempt[] => {
    const all: NextAttempt[] = [];
    const pending = pendingRequest(post(), queue);
    for (let times = met + 1; ; times++) {
      const next = nextAttempt('throttled', times, pending, isShort);
      if (next === undefined) return all;
      all.push(next);
      if ('quiet' in next) pending.failuresAlone++;
      pending.next = next;
    }
  };

  it('is sent alone at last, after longer and longer quiet', () => {
    expect(attempts(false)).toEqual([
      { pause: 100 },
      { pause: 200 },
      { pause: 400 },
      { quiet: 250 },
      { quiet: 1000 },
    ]);
  });

  it('is sent alone once, if that has often been of no help, whatever it met before', () => {
    expect([attempts(true), attempts(true, 2)]).toEqual([[{ quiet: 100 }], [{ quiet: 100 }]]);
  });
});

it.each([
  ['misread', [0, 0, 0]],
  ['protocol', [0]],
  ['timeout', [0]],
] as const)(
  'a request that was sent alone after an outage is retried as any other after %s',
  (kind, pauses) => {
    const alone = { failuresAlone: 1, outages: 1 };
    const all = [1, 2, 3, 4].map((times) => nextAttempt(kind, times, alone, false));
    expect(all.filter((next) => next !== undefined)).toEqual(pauses.map((pause) => ({ pause })));
  },
);

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

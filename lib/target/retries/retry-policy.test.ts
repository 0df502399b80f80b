import { parseJson } from '../../schemas/json.ts';
import { describe, expect, it } from 'vitest';
import { readReply } from '../reply.ts';
import type { Reply } from '../reply.ts';
import { AloneRetries, budgetToWait, retryOf } from './retry-policy.ts';
import { isRateLimited, isThrottling } from './throttling.ts';

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

  it('are fewer once they have often been in vain, until one is answered', () => {
    const retries = new AloneRetries();
    expect(Array.from({ length: 6 }, () => retriesIn(retries))).toEqual([5, 5, 5, 5, 4, 4]);
    expect(retries.isInVain).toBe(true);
    expect(retries.afterConnections()).toBeUndefined();
    retries.helped();
    expect(retries.isInVain).toBe(false);
    expect(retriesIn(retries)).toBe(6);
    expect(retries.afterConnections()).toEqual({ quiet: 250 });
  });
});

it.each([
  [4, 60_000, true],
  [10, 60_000, false],
  [10, 250_000, true],
  [60, 250_000, false],
])('waits %i s for the answer to what may be rejected, if %i ms are left: %s', (seconds, left, isRetried) => {
  const reply = readReply(429, { 'retry-after': String(seconds) }, Buffer.from('{}'), 1000);
  const expected = isRetried ? { wait: seconds * 1000, stopsOthers: false } : undefined;
  expect(retryOf(reply, 0, left, 'answer')).toEqual(expected);
});

it.each([10, 60])('is advised of a time budget with which such requests wait %i s', (seconds) => {
  const reply = readReply(429, { 'retry-after': String(seconds) }, Buffer.from('{}'), 1000);
  const budget = budgetToWait(seconds * 1000)!;
  expect(retryOf(reply, 0, (budget / 2) * 1000, 'answer')).toMatchObject({ wait: seconds * 1000 });
});

it('advises of none where requests wait anyway, or for too long', () => {
  expect([5_000, 120_000].map(budgetToWait)).toEqual([undefined, undefined]);
});

describe('isRateLimited', () => {
  it.each([
    [true, 429, 'no'],
    [true, 420, 'Enhance your calm'],
    [true, 509, ''],
    [true, 508, 'Resource Limit Is Reached'],
    [true, 529, 'overloaded'],
    [true, 200, '{"error":{"message":"Too many requests"}}'],
    [false, 201, '{"id":"cus_1","name":"Too many requests"}'],
    [false, 201, '{"id":"cus_1","errors":["the rate limit was exceeded last month"]}'],
    [false, 200, '{"data":{"access_token":"q8Zr5xT1mVb7"},"errors":["rate limit was exceeded once"]}'],
    [true, 200, '{"error":"rate limit exceeded","request":"r_81"}'],
    [true, 403, '{"error":{"errors":[{"reason":"userRateLimitExceeded"}]}}'],
    [true, 403, '<h1>Developer Over Qps</h1>'],
    [true, 403, '[{"errorCode":"REQUEST_LIMIT_EXCEEDED"}]'],
    [true, 403, 'You are going too fast, please wait a moment'],
    [true, 400, 'Calls per second exceeded'],
    [true, 423, '{"error":"another request of this key is in progress"}'],
    [false, 413, 'The request exceeded 16 KiB'],
    [true, 403, '{"message":"API rate limit exceeded"}'],
    [true, 403, 'You have exceeded a secondary rate limit. Please wait a few minutes.'],
    [true, 403, 'too_many_requests'],
    [true, 500, '{"error":"slow down"}'],
    [true, 400, 'rate_limit_exceeded'],
    [true, 500, '{"fault":{"detail":{"errorcode":"policies.ratelimit.SpikeArrestViolation"}}}'],
    [true, 400, '{"__type":"ProvisionedThroughputExceededException"}'],
    [true, 200, '{"status":"0","info":"CUQPS_HAS_EXCEEDED_THE_LIMIT"}'],
    [false, 200, '{"result":"q8Zr5xT1mVb7","rate_limited":false}'],
    [false, 403, '{"error":"unknown key","meta":{"rate_limited":false}}'],
    [true, 403, '{"error":"denied","rate_limited":true}'],
    [false, 403, '<p>Your key is not valid, or you have sent too many requests.</p>'],
    [false, 400, 'After 100 failures your address is throttled.'],
    [true, 403, '<p>Sorry! You have sent too many requests.</p>'],
    [true, 409, 'because another API request or process is currently accessing it'],
    [true, 409, '{"error":{"code":"lock_timeout"}}'],
    [true, 422, '{"error":"velocity_check"}'],
    [true, 403, 'User requests out of rate limit!'],
    [true, 403, '请求过于频繁'],
    [false, 409, '{"error":"conflict"}'],
    [false, 422, '{"error":"velocity is no member of a customer"}'],
    [true, 400, 'Throttling: Rate exceeded'],
    [false, 403, '{"message":"unknown key"}'],
    [false, 401, 'rate limit exceeded'],
    [false, 503, 'busy'],
    [false, 422, '{"error":"no name","help":"see our rate limits"}'],
  ])('is %s for %i %s', (expected, status, text) => {
    expect(isRateLimited({ status, text, json: parseJson(text) })).toBe(expected);
  });
});

describe('isThrottling', () => {
  const reply = (status: number, text: string, wait?: string): Reply =>
    readReply(status, wait === undefined ? {} : { 'retry-after': wait }, Buffer.from(text), 1000);

  it.each([
    [true, 409, 'Too much contention on these documents. Please try again.', undefined],
    [true, 409, 'could not serialize access due to concurrent update', undefined],
    [false, 409, 'this email exists; try another one', undefined],
    [true, 423, 'locked', '1'],
    [false, 409, 'this account is pending', '3600'],
    [true, 403, 'busy', '3600'],
    [false, 422, 'deadlock is no scope', undefined],
  ] as const)('is %s for %i %s, Retry-After %s', (expected, status, text, wait) => {
    expect(isThrottling(reply(status, text, wait))).toBe(expected);
  });
});

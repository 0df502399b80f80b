import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../schemas/json.ts';
import { readReply } from '../reply.ts';
import type { Reply } from '../reply.ts';
import { waitBeforeRetry } from './retry-policy.ts';
import { isRateLimited, isThrottling, retryAfter } from './throttling.ts';

const LIMIT = 1000;
const replyWith = (fields: Record<string, string>): Reply => readReply(429, fields, Buffer.alloc(0), LIMIT);

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
    [false, 422, '{"documentation_url":"https://docs.example/errors#rate-limited-or-invalid"}'],
    [false, 403, '{"error":"no","links":[{"href":"/errors/too-many-requests"}]}'],
    [false, 403, '<p>Forbidden</p><a href="/help/throttling">help</a>'],
    [true, 403, '{"type":"https://docs.example/errors","title":"Too many requests/minute"}'],
    [true, 403, '{"type":"https://docs.example/problems/rate-limit-exceeded","title":"Forbidden"}'],
    [true, 403, 'Contact support or see https://docs.example/limits. Rate limit exceeded.'],
    [true, 403, 'path=https://docs.example/v1/customers;too many requests'],
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
    [true, 503, 'busy', '1'],
    [false, 503, 'unavailable', '0'],
    [true, 403, 'busy', '0'],
  ] as const)('is %s for %i %s, Retry-After %s', (expected, status, text, wait) => {
    expect(isThrottling(reply(status, text, wait))).toBe(expected);
  });
});

describe('retryAfter', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  it.each([
    ['3', 3000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:05 GMT', 5000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999999999999', undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(retryAfter(replyWith({ 'retry-after': value }), now)).toBe(expected);
  });

  it('reads a date by the clock of the target, if the response shows it', () => {
    const fields = { 'retry-after': 'Sat, 21 Nov 2026 12:05:02 GMT', date: 'Sat, 21 Nov 2026 12:05:00 GMT' };
    expect(retryAfter(replyWith(fields), now)).toBe(2000);
    expect(retryAfter(replyWith({ ...fields, date: 'today' }), now)).toBe(302_000);
  });
});

describe('a request to retry later', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.bigInt().map(String),
    fc.double().map(String),
    fc.date({ noInvalidDate: false }).map((date) => date.toString()),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.constantFrom('-0', '1e9', '0x10', ' 5 ', '00000000005', '+5', 'Thu, 99 Foo 2026 99:99:99 GMT', '1, 2'),
  );
  const now = Date.parse('2026-11-21T12:00:00Z');

  it('is a finite number of milliseconds, or nothing', () => {
    fc.assert(
      fc.property(value, fc.nat(12), fc.constantFrom(200, 429, 502, 503, 504), (text, tries, status) => {
        const reply = readReply(status, { 'retry-after': text }, Buffer.alloc(0), LIMIT);
        const asked = retryAfter(reply, now);
        expect(asked ?? 0).toBeGreaterThanOrEqual(0);
        expect(asked ?? 0).toBeLessThan(Infinity);
        const wait = waitBeforeRetry(reply, tries, Infinity);
        expect(wait ?? 1).toBeGreaterThan(0);
        expect(wait ?? 1).toBeLessThan(Infinity);
        expect(status === 429 && wait === undefined).toBe(false);
        expect(status === 200 && wait !== undefined).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('is read as seconds or as a date', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), (seconds) => {
        const of = (text: string): number | undefined =>
          retryAfter(readReply(503, { 'retry-after': text }, Buffer.alloc(0), LIMIT), now);
        expect(of(String(seconds))).toBe(seconds * 1000);
        expect(of(new Date(now + seconds * 1000).toUTCString())).toBe(seconds * 1000);
        expect(of(new Date(now - seconds * 1000).toUTCString())).toBe(0);
      }),
    );
  });
});

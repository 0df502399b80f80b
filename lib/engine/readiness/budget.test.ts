import { describe, expect, it } from 'vitest';
import { readSettings } from '../../settings/sources.ts';
import {
  adviceAfter,
  casesWithin,
  expectedRequests,
  limitingSetting,
  isOutOfReach,
  sharesLittle,
  shortageOf,
  spareRequests,
} from './budget.ts';

const limits = (flags: Readonly<Record<string, string>>): ReturnType<typeof readSettings> =>
  readSettings({ flags });

describe('casesWithin', () => {
  it('is what the settings say, if the limits allow it', () => {
    expect(casesWithin(limits({}))).toBe(170);
    expect(casesWithin(limits({ depth: 'deep' }))).toBe(3000);
    expect(casesWithin(limits({ cases: '60', 'max-requests': '5' }))).toBe(60);
  });

  it.each([
    ['requests', { 'max-requests': '308' }, 0],
    ['the rate', { rate: '4', 'time-budget': '110' }, 0],
    ['the time of a response', { 'time-budget': '148' }, 4_000],
  ])('is less, but never too little for a verdict, where %s are limited', (_, flags, duration) => {
    const throughput = { duration, served: 16 };
    expect(casesWithin(limits(flags), throughput)).toBe(100);
    expect(casesWithin(limits({ ...flags, 'max-requests': '10' }), throughput)).toBe(60);
  });

  it.each([
    [{ 'max-requests': '308', rate: '90' }, 10, '--max-requests 308'],
    [{ rate: '4' }, 10, '--time-budget 80 at --rate 4'],
    [{ rate: '40' }, 4_000, '--time-budget 80'],
    [{}, 4_000, '--time-budget 80'],
  ])('is limited, with %j and %i ms for a response, by %s', (flags, duration, limit) => {
    expect(limitingSetting(limits(flags), { duration, served: 16 })).toBe(limit);
  });

  it('is as many as the limits allow its shard', () => {
    const flags = { cases: '20000', rate: '20', 'time-budget': '600', 'max-requests': '100000' };
    expect(casesWithin(limits(flags))).toBeLessThan(12_000);
    expect(casesWithin({ ...limits(flags), shard: { index: 1, count: 4 } })).toBe(20_000);
  });
});

describe('sharesLittle', () => {
  const remark = (flags: Readonly<Record<string, string>>, count = 3): string | undefined =>
    sharesLittle({ ...limits(flags), shard: { index: 1, count } });

  it('is a remark where each shard sends nearly all cases, and says what would divide them', () => {
    expect(remark({})).toBe(
      '--shard 1/3 saves almost no requests, as every shard sends the first 170 cases, and there are few others: set --depth deep, or --cases above 170',
    );
    expect(remark({ cases: '4000', 'max-requests': '300' })).toMatch(
      /and the limits allow few others: raise /,
    );
  });

  it('is none where cases are shared, or nothing was to be', () => {
    expect(remark({ depth: 'deep' })).toBeUndefined();
    expect(remark({ cases: '171' })).toBeUndefined();
    expect(remark({}, 1)).toBeUndefined();
    expect(sharesLittle(limits({}))).toBeUndefined();
  });
});

describe('shortageOf', () => {
  it('names the limit that is too low for a verdict, and what would do', () => {
    expect(shortageOf(limits({}))).toBeUndefined();
    expect(shortageOf(limits({ 'max-requests': '75' }))).toMatch(/^--max-requests 75 .* raise it to 390$/);
    expect(shortageOf(limits({ rate: '2' }))).toMatch(
      /^--rate 2 and --time-budget 80 .* raise --time-budget to 172$/,
    );
    expect(shortageOf(limits({ 'max-requests': '240', 'write-profile': 'a.json' }))).toMatch(
      /raise it to 540$/,
    );
  });

  it('is about the time budget where the target serves one request at a time', () => {
    const limit = limits({});
    expect(shortageOf(limit, { duration: 400, served: 16 })).toBeUndefined();
    expect(shortageOf(limit, { duration: 400, served: 1 })).toMatch(/raise --time-budget to 138$/);
  });

  it('leaves a verdict within reach as long as the whole of the time would do', () => {
    const limit = limits({});
    const slow = { duration: 3000, served: 16 };
    expect(shortageOf(limit, slow)).toBeDefined();
    expect(isOutOfReach(limit, slow)).toBe(false);
    expect(isOutOfReach(limit, { duration: 4500, served: 16 })).toBe(true);
    expect(isOutOfReach(limits({ 'max-requests': '75' }), { duration: 1, served: 16 })).toBe(true);
  });
});

describe('spareRequests', () => {
  const spare = (flags: Readonly<Record<string, string>>, now: number, left: number): number => {
    const settings = { ...limits(flags), baseUrl: 'http://127.0.0.1', apiKey: 'sk_test_1', embedded: false };
    return spareRequests({
      cases: 170,
      settings,
      target: { traffic: { requests: 200 }, now, left },
    } as never);
  };

  it('are what the limits allow beside the rest of the run', () => {
    expect(spare({}, 1000, 79_000)).toBe(1000 - 427);
    expect(spare({ 'max-requests': '450' }, 1000, 79_000)).toBe(450 - 427);
    expect(spare({}, 40_000, 40_000)).toBe(0);
    expect(spare({}, 20_000, 60_000)).toBe(420 - 227);
  });
});

describe('adviceAfter', () => {
  const after = {
    requests: 58,
    retries: 0,
    throttled: 0,
    limit: 16,
    waited: 0,
    outages: 0,
    unavailable: 0,
    unwaited: 0,
    latency: {},
  };

  it('names the limit to raise, and a value that would do at the pace of the run', () => {
    expect(adviceAfter({ ...after, requests: 100 }, 3, limits({ 'max-requests': '100' }))).toBe(
      'raise --max-requests to 390',
    );
    expect(adviceAfter(after, 12, limits({ 'time-budget': '12' }))).toBe('raise --time-budget to 130');
    expect(adviceAfter(after, 12, limits({}))).toMatch(
      /^raise the limits of the target, .*, or --time-budget/,
    );
    expect(adviceAfter({ ...after, requests: 350, limit: 9 }, 80, limits({}))).toBe(
      'raise --time-budget to 110, or use --depth quick, or lower --concurrency, if the target serves few connections at a time',
    );
  });

  it('names no depth that would not do either, or is used already', () => {
    const nearlyAll = { ...after, requests: 350 };
    expect(adviceAfter(nearlyAll, 80, limits({}))).toBe('raise --time-budget to 110, or use --depth quick');
    expect(adviceAfter(nearlyAll, 80, limits({ depth: 'quick' }))).not.toContain('--depth');
    expect(adviceAfter({ ...after, requests: 200 }, 80, limits({}))).not.toContain('--depth');
  });

  it('names outages that took much of the time', () => {
    const away = { ...after, requests: 350, retries: 200, outages: 9, unavailable: 44_600 };
    // What was retried for something else is not why.
    expect(adviceAfter(away, 80, limits({}), 'status 429')).toBe(
      'the target was unavailable 9 times, for 45 s in all: see its log, and whether it fails on odd input, or a firewall blocks this client for it; or raise --time-budget to 310',
    );
    expect(adviceAfter({ ...away, unavailable: 8_000, retries: 0 }, 80, limits({}))).toMatch(/^raise/);
  });

  it('is about the limits of the target where the run mostly waited for these', () => {
    expect(adviceAfter({ ...after, throttled: 18, waited: 70_000 }, 80, limits({}))).toBe(
      'the target rate-limited the run 18 times, and served 0.5 requests a second: raise its limits, or --time-budget to 1610, so that the run can wait',
    );
    expect(adviceAfter({ ...after, requests: 120, waited: 60_000 }, 64, limits({}))).toMatch(
      /: raise its limits, or --time-budget to 560, /,
    );
    expect(adviceAfter({ ...after, waited: 3_000 }, 80, limits({}))).toMatch(/^raise --time-budget/);
  });

  it('names a time budget that has time for the wait that the run was asked for at the end', () => {
    const advice = (of: Partial<typeof after>): number =>
      Number(/--time-budget to (\d+)/.exec(adviceAfter({ ...after, ...of }, 62, limits({})))?.[1]);
    // 120 requests in each minute: the last of about 427 leaves after three minutes; 200: after two.
    const twoWindows = { retries: 16, throttled: 16, waited: 60_000, unwaited: 60_000 };
    expect(advice({ ...twoWindows, requests: 292 })).toBe(230);
    expect(advice({ ...twoWindows, requests: 440 })).toBe(160);
  });

  it('names no time budget for a wait as long as that of a quota', () => {
    expect(adviceAfter({ ...after, throttled: 3, waited: 900, unwaited: 200_000_000 }, 1.4, limits({}))).toBe(
      'raise the quota that the target seems to have, or wait until it is renewed',
    );
  });

  it('names no time budget where the target served next to nothing', () => {
    expect(adviceAfter({ ...after, requests: 5, throttled: 4, waited: 60_000 }, 65, limits({}))).toBe(
      'the target rate-limited the run 4 times, and served hardly any request: it may reject every client, or this key may have a quota: try later, or with another key',
    );
  });

  it('names a depth whose requests the target served before it throttled the run', () => {
    const advice = (requests: number, seconds: number, flags = {}): string =>
      adviceAfter({ ...after, requests, throttled: 20, waited: 60_000 }, seconds, limits(flags));
    expect(advice(300, 5)).toMatch(/so that the run can wait, or use --depth quick$/);
    expect(advice(300, 80)).toMatch(/so that the run can wait, or use --depth quick$/);
    expect(advice(250, 80)).not.toContain('--depth');
    expect(advice(300, 80, { depth: 'quick' })).not.toContain('--depth');
  });

  it('counts no retry as progress', () => {
    expect(adviceAfter({ ...after, requests: 200, retries: 40 }, 80, limits({}))).toBe(
      'raise --time-budget to 290',
    );
  });

  it('names retries where they are many', () => {
    const advice = (requests: number, seconds: number, trouble?: string): string =>
      adviceAfter({ ...after, requests, retries: 300 }, seconds, limits({}), trouble);
    expect(advice(600, 80, 'status 503')).toMatch(
      /^300 of the 600 requests were retries \(mostly status 503\): /,
    );
    expect(advice(600, 80)).toMatch(/^300 of the 600 requests were retries: .*; or raise --time-budget to/);
    expect(advice(1000, 40)).toMatch(/^300 of the 1000 requests were retries: .*; or raise --max-requests/);
    expect(advice(1600, 40)).toMatch(/^raise --max-requests/);
  });

  it('expects the pace of the slower operation, if that is what is left', () => {
    const latency = {
      'POST /v1/customers': { count: 180, p50: 10, p90: 20, p99: 30 },
      'POST /v2/tokens': { count: 39, p50: 32_000, p90: 32_000, p99: 32_000 },
    };
    // One token in two seconds, 16 at a time in its queue; of about 427 requests, 208 are left.
    expect(adviceAfter({ ...after, requests: 219, latency }, 80, limits({}))).toBe(
      'POST /v2/tokens takes 32.0 s (p50), and the target served 2.7 requests a second; raise --time-budget to 710',
    );
  });
});

describe('expectedRequests', () => {
  it('grows with the cases that a shard has, within the limits; a selection can have any number', () => {
    expect(expectedRequests(limits({}))).toBe(427);
    expect(expectedRequests(limits({ depth: 'quick' }))).toBe(240);
    expect(expectedRequests(limits({ 'max-requests': '300' }))).toBeLessThanOrEqual(300);
    const whole = expectedRequests(limits({ depth: 'deep' }))!;
    const shard = { ...limits({ depth: 'deep' }), shard: { index: 2, count: 4 } };
    // Each shard sends the first cases, and the combinations, of which there are about 1000.
    expect(expectedRequests(shard)! - 1427).toBeCloseTo((whole - 1427) / 4, -1);
    expect(expectedRequests(limits({ only: 'customer.*' }))).toBeUndefined();
  });
});

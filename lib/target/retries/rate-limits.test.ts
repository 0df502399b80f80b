import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRedactor } from '../output/redactor.ts';
import { readReply } from '../reply.ts';
import { http, post, queue, targetAt } from '../target.testing.ts';
import { RateLimits } from './rate-limits.ts';
import { pendingRequest } from './retry-policy.ts';

describe('the wait for a limit', () => {
  it('is that of one request where several are throttled together', async () => {
    let requests = 0;
    const baseUrl = await http((_, response) => response.writeHead(requests++ < 8 ? 429 : 200).end('{}'));
    const target = targetAt(baseUrl);
    await Promise.all(Array.from({ length: 8 }, () => target.send(post(), queue)));
    expect(target.traffic.throttled).toBe(8);
    // Otherwise 100, 200, 400, up to 5000.
    expect(target.traffic.waited).toBeLessThan(1000);
  });

  it('is a short one again once a request was accepted', async () => {
    let requests = 0;
    const baseUrl = await http((_, response) =>
      response.writeHead(requests++ % 2 === 0 ? 429 : 200).end('{}'),
    );
    const target = targetAt(baseUrl);
    for (let time = 0; time < 4; time++) await target.send(post(), queue);
    expect(target.traffic.throttled).toBe(4);
    // Otherwise 100, 200, 400 and 800.
    expect(target.traffic.waited).toBeLessThan(1000);
  });
});

it('a request that is given up after many tries still makes the others wait for its limit', async () => {
  const target = targetAt(await http(() => {}));
  const pending = pendingRequest(post(), queue);
  for (let time = 1; time < 12; time++) pending.troubles.push({ kind: 'throttled', detail: '429' });
  const reply = readReply(429, { 'retry-after': '30' }, Buffer.from('{}'), 100);
  const attempt = { reply, firstByte: 1, duration: 1, sentAt: performance.now(), inFlight: 1 };
  const limits = new RateLimits(target, createRedactor());
  expect(await limits.nextAfter(pending, attempt)).toBe('given up');
  expect(target.traffic.throttled).toBe(1);
  expect(target.limiter.pausedFor).toBeGreaterThan(0);
});

/** @returns what advances `performance.now()` by milliseconds */
function passTime(): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  onTestFinished(() => void vi.restoreAllMocks());
  return (milliseconds) => void (passed += milliseconds);
}

it('a limit that ended while it was checked is not waited for again', async () => {
  const pass = passTime();
  let requests = 0;
  const baseUrl = await http((_, response) => {
    requests++;
    if (requests === 2) response.writeHead(429, { 'Retry-After': '30' });
    // As if the check had been throttled until the limit ended.
    if (requests === 3) pass(30_000);
    response.end('{}');
  });
  const remarks: string[] = [];
  const target = targetAt(baseUrl, { timeBudget: 50 }, {}, { onRemark: (text) => remarks.push(text) });
  await target.send(post(), queue);
  expect((await target.send(post(), queue)).reply.status).toBe(200);
  expect({ requests, remarks }).toEqual({ requests: 5, remarks: [] });
});

it('a path that gets no more requests does not show whether a limit is for another one alone', async () => {
  let isLimited = false;
  const baseUrl = await http((_, response) => {
    if (isLimited) response.writeHead(429, { 'Retry-After': '600' });
    response.end('{}');
  });
  const target = targetAt(baseUrl);
  const tokens = post({ path: '/v2/tokens' });
  for (const request of [tokens, post()]) await target.send(request, queue);
  target.stop('no more tokens', 'limit', tokens.path);
  isLimited = true;
  await expect(target.send(post(), queue)).rejects.toThrow('asked to wait 600 s');
});

it('a 503 to what may be rejected is waited for only once if it does not end', async () => {
  let requests = 0;
  const baseUrl = await http((_, response) => {
    requests++;
    response.writeHead(503, { 'Retry-After': '1' }).end('{}');
  });
  const target = targetAt(baseUrl);
  const options = { ...queue, ifThrottled: 'final', mayBeRejected: true } as const;
  const first = await target.send(post(), options);
  const before = requests;
  const second = await target.send(post(), options);
  expect([first, second].map(({ reply }) => reply.status)).toEqual([503, 503]);
  expect(before).toBeGreaterThan(1);
  expect(requests - before).toBe(1);
});

it('a 503 that asks to wait for longer than the time budget is an outage, not a limit', async () => {
  const baseUrl = await http((_, response) => response.writeHead(503, { 'Retry-After': '3600' }).end());
  const error: unknown = await targetAt(baseUrl)
    .send(post(), queue)
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    stopCause: 'away',
    message: expect.stringMatching(
      /^the target is unavailable: .* with 503, .* asked to wait 3600 s; run again after that time$/,
    ) as string,
  });
});

it('a limit of all requests that lets one through now and then is not taken for a limit of one path', async () => {
  let requests = 0;
  const baseUrl = await http((_, response) => {
    requests++;
    if (requests > 2 && requests !== 4) response.writeHead(429, { 'Retry-After': '30' });
    response.end('{}');
  });
  const target = targetAt(baseUrl, { timeBudget: 20 });
  await target.send(post(), queue);
  await target.send(post({ path: '/v2/tokens' }), queue);
  await expect(target.send(post(), queue)).rejects.toThrow(/longer than the time budget has left/);
  expect(target.traffic.stopCause).toBe('budget');
});

it('a limit that has made the run wait before is why it ends, not the last wait', async () => {
  const pass = passTime();
  let requests = 0;
  const baseUrl = await http((_, response) => {
    if (++requests > 1) {
      if (requests > 2) pass(20_000);
      response.writeHead(429, { 'Retry-After': '1' });
    }
    response.end('{}');
  });
  const target = targetAt(baseUrl, { timeBudget: 20 });
  await target.send(post(), queue);
  await expect(target.send(post(), queue)).rejects.toThrow(
    /^the target limits the rate of requests for longer than the time budget: at last it answered POST \/v1\/customers with 429.*, and asked to wait 1 s$/,
  );
  expect(target.traffic.unwaited).toBe(1000);
});

describe('a limit of one path that outlasts the time budget', () => {
  it.each([
    [
      '30',
      /^the target answers POST \/v1\/customers with 429.*asked to wait 30 s, but accepts other requests: raise its limit, or --time-budget to 1\d0$/,
    ],
    ['3600', /asked to wait 3600 s, but accepts other requests: it may have a quota; raise it, or wait/],
  ])('ends its requests alone, and says what to do: Retry-After: %s', async (seconds, expected) => {
    let isFirst = true;
    const baseUrl = await http((request, response) => {
      const isLimited = request.url === '/v1/customers' && !isFirst;
      if (request.url === '/v1/customers') isFirst = false;
      if (isLimited) response.writeHead(429, { 'Retry-After': seconds });
      response.end('{}');
    });
    const target = targetAt(baseUrl, { timeBudget: 20 });
    const token = post({ path: '/v2/tokens' });
    await target.send(post(), queue);
    await target.send(token, queue);
    await expect(target.send(post(), queue)).rejects.toThrow(expected);
    expect((await target.send(token, queue)).reply.status).toBe(200);
    expect(target.traffic).toMatchObject({
      stopCause: 'throttled',
      stopped: expect.stringMatching(expected),
    });
  });

  it('asks for a budget larger than that of the run, however short the limit', async () => {
    const pass = passTime();
    let requests = 0;
    const baseUrl = await http((request, response) => {
      if (request.url === '/v1/customers' && ++requests > 1) {
        if (requests <= 3) pass(18_000);
        response.writeHead(429, { 'Retry-After': '1' });
      }
      response.end('{}');
    });
    const target = targetAt(baseUrl, { timeBudget: 50 });
    await target.send(post(), queue);
    await target.send(post({ path: '/v2/tokens' }), queue);
    await expect(target.send(post(), queue)).rejects.toThrow(/or --time-budget to 60$/);
  });
});

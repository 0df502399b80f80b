import { describe, expect, it } from 'vitest';
import { http, post, queue, targetAt } from '../testing.ts';
import { countRounds } from './throttled.ts';

it('counts requests that are throttled together as one round, until one is accepted', () => {
  const rounds = countRounds();
  const throttledBefore = (sentAt: number, now: number, path = '/v1/customers'): number =>
    rounds.before(path, sentAt, now);
  expect([throttledBefore(0, 10), throttledBefore(1, 12), throttledBefore(9, 30)]).toEqual([0, 0, 0]);
  expect([throttledBefore(40, 50), throttledBefore(41, 51), throttledBefore(60, 70)]).toEqual([1, 1, 2]);
  expect(throttledBefore(61, 71, '/v2/tokens')).toBe(0);
  rounds.accepted('/v1/customers');
  expect(throttledBefore(80, 90)).toBe(0);
});

it('waits in vain once only for a 503 that asks to wait, in answer to what may be rejected', async () => {
  let requests = 0;
  const baseUrl = await http((_, response) => {
    requests++;
    response.writeHead(503, { 'Retry-After': '1' }).end('{}');
  });
  const target = targetAt(baseUrl);
  const options = { ...queue, throttling: 'answer', mayBeRejected: true } as const;
  const first = await target.send(post(), options);
  const before = requests;
  const second = await target.send(post(), options);
  expect([first, second].map(({ reply }) => reply.status)).toEqual([503, 503]);
  expect(before).toBeGreaterThan(1);
  expect(requests - before).toBe(1);
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
});

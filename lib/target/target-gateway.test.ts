import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bearer } from './credential.ts';
import { different, http, outage, queue, post, targetAt } from './target.testing.ts';

describe('Target, behind a gateway,', () => {
  it('does not treat a limit of the gateway as an answer of the target', async () => {
    // More than the request has tries.
    const { isAway, isCheck, left } = outage({ after: 1, checks: 7 });
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      response.writeHead(isAway(body) ? (isCheck(body) ? 429 : 502) : 200).end('{}');
    });
    const target = targetAt(baseUrl);
    const [first, second] = different(2);
    await target.send(first!, queue);
    expect((await target.send(second!, queue)).reply.status).toBe(200);
    expect(left()).toBe(0);
  });

  it.each([502, 503])(
    'gets every answer from a gateway that answers %i to whatever comes too fast',
    async (status) => {
      let nextAt = 0;
      const baseUrl = await http((_, response) => {
        const isTooFast = performance.now() < nextAt;
        if (!isTooFast) nextAt = performance.now() + 100;
        response.writeHead(isTooFast ? status : 200).end('{}');
      });
      const target = targetAt(baseUrl);
      const exchanges = await Promise.all(Array.from({ length: 16 }, () => target.send(post(), queue)));
      expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 16 }, () => 200));
    },
  );

  it('slows down for a gateway that resets the connections of requests that come too fast', async () => {
    let nextAt = 0;
    const baseUrl = await http((request, response) => {
      const isTooFast = performance.now() < nextAt;
      if (!isTooFast) nextAt = performance.now() + 30;
      if (isTooFast) request.socket.resetAndDestroy();
      else response.end('{}');
    });
    const target = targetAt(baseUrl, { maxRequests: 250 });
    const exchanges = await Promise.all(Array.from({ length: 60 }, () => target.send(post(), queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 60 }, () => 200));
  });

  it('returns the 503 that one input meets each time, while others are answered', async () => {
    const baseUrl = await http(async (request, response) => {
      response.writeHead((await text(request)).includes('bad') ? 503 : 200).end('{}');
    });
    const target = targetAt(baseUrl);
    const bad = post({ body: Buffer.from('{"bad":1}') });
    const sent = [post(), bad, post(), bad, post()].map((request) => target.send(request, queue));
    const statuses = (await Promise.all(sent)).map(({ reply }) => reply.status);
    expect(statuses).toEqual([200, 503, 200, 503, 200]);
  });

  it('accepts a 503 to an invalid request without retries, once another one met it each time', async () => {
    let failed = 0;
    const baseUrl = await http((request, response) => {
      const isWrong = request.headers.authorization === bearer('wrong').value;
      if (isWrong) failed++;
      response.writeHead(isWrong ? 503 : 200).end('{}');
    });
    const target = targetAt(baseUrl);
    const sendWrong = () =>
      target.send(post({ credential: bearer('wrong') }), { ...queue, mayBeRejected: true });
    await target.send(post(), queue);
    expect((await sendWrong()).reply.status).toBe(503);
    const failedAtFirst = failed;
    for (let times = 0; times < 3; times++) expect((await sendWrong()).troubles).toEqual([]);
    expect(failed - failedAtFirst).toBe(3);
  });

  it('waits until the service behind a gateway is back', async () => {
    const { isAway, left } = outage({ after: 4, checks: 3 });
    const baseUrl = await http(async (request, response) => {
      response.writeHead(isAway(await text(request)) ? 502 : 200).end('{}');
    });
    const target = targetAt(baseUrl, { concurrency: 2 });
    const exchanges = await Promise.all(different(12).map((request) => target.send(request, queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(left()).toBe(0);
  });

  it.each([
    ['GET', 405],
    ['OPTIONS', 204],
  ])('waits until the service behind a gateway that answers %s itself is back', async (method, status) => {
    // Longer than a request is retried for.
    let [isOpen, away] = [false, 7];
    const baseUrl = await http((request, response) => {
      const isOwn = request.method === method;
      const isAway = !isOwn && isOpen && away-- > 0;
      isOpen ||= isOwn;
      response.writeHead(isOwn ? status : isAway ? 503 : 200).end();
    });
    const target = targetAt(baseUrl);
    await target.send(post(), queue);
    await target.send(post({ method, body: undefined }), queue);
    expect((await target.send(post(), queue)).reply.status).toBe(200);
    expect(target.traffic.outages).toBe(1);
  });

  it('waits for a service that is starting behind a gateway', async () => {
    let requests = 0;
    const baseUrl = await http(
      (_, response) => void response.writeHead(++requests > 8 ? 200 : 503).end('{}'),
    );
    const target = targetAt(baseUrl, { concurrency: 16 });
    const { reply, troubles } = await target.send(post(), queue);
    expect([reply.status, troubles.length]).toEqual([200, 8]);
    expect(target.traffic.limit).toBe(8);
  });

  it('returns a lasting 502 and 408 after retries, and a 500 immediately', async () => {
    const baseUrl = await http(({ method, url }, response) => {
      // It answers the check whether it is unavailable.
      response.writeHead(method === 'POST' ? Number(url!.slice(1)) : 200).end();
    });
    const target = targetAt(baseUrl);
    expect((await target.send(post({ path: '/500' }), queue)).troubles).toHaveLength(0);
    expect((await target.send(post({ path: '/502' }), queue)).troubles).toHaveLength(5);
    expect((await target.send(post({ path: '/408' }), queue)).troubles).toHaveLength(4);
  });
});

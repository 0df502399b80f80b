import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bearer } from './credential.ts';
import type { Trouble } from '../schemas/exchange.ts';
import { NoReply, wereAllClosed } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { listening } from '../selftest/services.ts';
import { different, http, outage, queue, post, targetAt } from './target.testing.ts';

const VALID = '{"name":"Ada Berg"}';

/** What a request met that had no response. */
const troublesOf = (sent: Promise<unknown>): Promise<readonly Trouble[]> =>
  sent.then(
    () => expect.unreachable(),
    (error: unknown) => (error instanceof NoReply ? error.troubles : expect.unreachable()),
  );

describe('Target, while the service is unavailable,', () => {
  it('waits for the end of an outage, with requests in the queue too', async () => {
    const { isAway, left } = outage({ after: 4, checks: 3 });
    const baseUrl = await http(async (request, response) => {
      if (isAway(await text(request))) request.socket.resetAndDestroy();
      else response.end('{}');
    });
    const target = targetAt(baseUrl, { concurrency: 2 });
    const exchanges = await Promise.all(different(12).map((request) => target.send(request, queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(left()).toBe(0);
    expect(target.traffic.outages).toBe(1);
    expect(target.traffic.unavailable).toBeGreaterThan(0);
  });

  it('waits for the end of an outage in which requests hang for longer than their tries', async () => {
    const { isAway, left } = outage({ after: 8, checks: 3 });
    const baseUrl = await http(async (request, response) => {
      if (!isAway(await text(request))) response.end('{}');
    });
    const target = targetAt(baseUrl, { timeout: 0.5 });
    const [first, ...others] = different(24);
    await target.send(first!, queue);
    const exchanges = await Promise.all(others.map((request) => target.send(request, queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(others.map(() => 200));
    expect(left()).toBe(0);
    expect(target.traffic.outages).toBe(1);
  });

  it('looks for an outage before it gives up what hangs, also where that was often in vain, and then retries as often as before', async () => {
    const [known, hanging, duringOutage, hangingOnce] = different(4).map((request) => ({
      request,
      body: String(request.body),
    }));
    let [isAway, checks, isFirst] = [false, 3, true];
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      if (body === hanging!.body) return undefined;
      if (isAway && body === known!.body && --checks === 0) isAway = false;
      if (isAway) return undefined;
      if (body === hangingOnce!.body && isFirst) isFirst = false;
      else response.end('{}');
      return undefined;
    });
    const target = targetAt(baseUrl, { timeout: 0.5 });
    await target.send(known!.request, queue);
    for (let time = 0; time < 2; time++) await troublesOf(target.send(hanging!.request, queue));
    isAway = true;
    for (const { request } of [duringOutage!, hangingOnce!])
      expect((await target.send(request, queue)).reply.status).toBe(200);
    expect(checks).toBe(0);
  });

  it('waits for the end of an outage behind a gateway that rejects invalid credentials meanwhile', async () => {
    const { isAway, left } = outage({ after: 1, checks: 3 });
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      if (request.headers.authorization === bearer('wrong').value) response.writeHead(401).end();
      else if (!isAway(body)) response.end('{}');
    });
    const target = targetAt(baseUrl, { timeout: 0.5, maxRequests: 1_000_000 });
    const [first, second] = different(2);
    await target.send(first!, queue);
    const end = new AbortController();
    const sent = target.send(second!, queue).finally(() => end.abort());
    const wrong = post({ credential: bearer('wrong') });
    while (!end.signal.aborted) await target.send(wrong, { queue: 'wrong', mayBeRejected: true });
    expect((await sent).reply.status).toBe(200);
    expect(left()).toBe(0);
  });

  it('waits for the end of an outage that follows a limit, after which others were answered', async () => {
    const limited = Promise.withResolvers<void>();
    // Of the others: the first one is sent between them.
    const { isAway, left } = outage({ after: 3, checks: 3 });
    let others = 0;
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      if (body === VALID && others < 3) return response.on('finish', limited.resolve).writeHead(429).end();
      others++;
      return response.writeHead(isAway(body) ? 502 : 200).end('{}');
    });
    const target = targetAt(baseUrl, { concurrency: 2 });
    const [before, ...after] = different(3);
    await target.send(before!, queue);
    const first = target.send(post({ body: Buffer.from(VALID) }), queue);
    await limited.promise;
    for (const request of after) await target.send(request, queue);
    expect((await first).reply.status).toBe(200);
    expect(left()).toBe(0);
  });

  it('gives up what makes it unavailable each time, and others like that sooner, but not what is sent beside these', async () => {
    let away = 0;
    const tries = new Map<string, number>();
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      const isAway = away > 0;
      const isBad = body.includes('bad');
      if (!isAway) tries.set(body, (tries.get(body) ?? 0) + 1);
      // For so many requests, checks included.
      away = isAway ? away - 1 : isBad ? 4 : 0;
      response.writeHead(isAway || isBad ? 502 : 200).end('{}');
    });
    const target = targetAt(baseUrl);
    const send = async (body: string): Promise<number> =>
      (await target.send(post({ body: Buffer.from(body) }), queue)).reply.status;
    await send('{}');
    expect(await Promise.all(['bad 1', 'good 1', 'good 2'].map(send))).toEqual([502, 200, 200]);
    expect(await Promise.all(['good 3', 'bad 2', 'good 4'].map(send))).toEqual([200, 502, 200]);
    expect(['bad 1', 'bad 2'].map((body) => tries.get(body))).toEqual([3, 2]);
    expect(target.traffic.stopped).toBeUndefined();
  });

  it('retries what fails while others are answered, as one of several instances may be unavailable, also after an outage', async () => {
    let away = 0;
    const failures = new Map([
      ['after an outage', 4],
      ['unlucky', 3],
    ]);
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      const left = failures.get(body) ?? 0;
      const isAway = away > 0;
      if (isAway) away--;
      else if (body === 'bad' || left === 4) away = 4;
      if (left > 0 && !isAway) failures.set(body, left - 1);
      response.writeHead(isAway || body === 'bad' || left > 0 ? 502 : 200).end('{}');
    });
    const target = targetAt(baseUrl);
    const send = async (body: string): Promise<number> =>
      (await target.send(post({ body: Buffer.from(body) }), queue)).reply.status;
    await send('{}');
    // From now on, outages are known to be caused by requests.
    expect(await send('bad')).toBe(502);
    expect(await send('after an outage')).toBe(200);
    expect(await send('unlucky')).toBe(200);
  });

  it('awaits each window of a limit that looks like an outage', async () => {
    const { isAway, isCheck } = outage({ after: 0, checks: 0 });
    let [left, checks] = [4, 0];
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      // Each second check finds a new window.
      if (isCheck(body) && left <= 0 && ++checks % 2 === 0) left = 4;
      const isLimited = --left < 0;
      if (!isLimited) isAway(body);
      response.writeHead(isLimited ? 503 : 200).end('{}');
    });
    const target = targetAt(baseUrl, { maxRequests: 1000 });
    const exchanges = await Promise.all(different(12).map((request) => target.send(request, queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  it('waits for the end of an outage that follows other trouble', async () => {
    const failed = Promise.withResolvers<void>();
    const { isAway, left } = outage({ after: 1, checks: 3 });
    let isFirst = true;
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      if (isFirst) {
        isFirst = false;
        response.on('finish', failed.resolve).writeHead(502).end();
      } else if (isAway(body)) request.socket.resetAndDestroy();
      else {
        // Another is answered after the first one's trouble, and before the outage.
        await failed.promise;
        response.end('{}');
      }
    });
    const target = targetAt(baseUrl, { concurrency: 2 });
    const exchanges = await Promise.all(different(2).map((request) => target.send(request, queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual([200, 200]);
    expect(left()).toBe(0);
  });

  it('reports the responses to checks of a target that drops all else, as they may create something', async () => {
    let created = 0;
    const baseUrl = await http(async (request, response) => {
      if ((await text(request)) === VALID) response.writeHead(201).end(String(++created));
      else request.socket.resetAndDestroy();
    });
    const checked: string[] = [];
    const hooks = { onCheck: ({ reply }: Pick<Exchange, 'reply'>) => void checked.push(reply.text) };
    const target = targetAt(baseUrl, {}, {}, hooks);
    const { reply } = await target.send(post({ body: Buffer.from(VALID) }), queue);
    await troublesOf(target.send(post({ body: Buffer.from('{}') }), queue));
    expect(checked.length).toBeGreaterThan(0);
    expect([reply.text, ...checked]).toEqual(Array.from({ length: created }, (_, at) => String(at + 1)));
  });

  it('distinguishes a target that closes the connection for some requests from one that is unavailable', async () => {
    let [closed, answered] = [0, 0];
    const baseUrl = await http((request, response) => {
      if (request.headers.authorization === bearer('wrong').value) {
        closed++;
        request.socket.destroy();
      } else {
        answered++;
        response.end('{}');
      }
    });
    const target = targetAt(baseUrl, { maxRequests: 1000, concurrency: 4 });
    const wrong = post({ credential: bearer('wrong') });
    const sendWrong = () => target.send(wrong, { ...queue, mayBeRejected: true });
    await target.send(post(), queue);
    expect(wereAllClosed(await troublesOf(sendWrong()))).toBe(true);
    const closedAtFirst = closed;
    for (let times = 0; times < 3; times++) expect(wereAllClosed(await troublesOf(sendWrong()))).toBe(true);
    expect(closed - closedAtFirst).toBe(2 * 3);
    // Whether it still answers an accepted request.
    expect(answered).toBeGreaterThan(1);
    expect((await target.send(post(), queue)).reply.status).toBe(200);
    expect(target.traffic).toMatchObject({ stopped: undefined, limit: 2 });
  });

  it('tries less often what it closes the connection for at every try, with few others meanwhile', async () => {
    const tries = new Map<string, number>();
    const baseUrl = await http(async (request, response) => {
      const body = await text(request);
      tries.set(body, (tries.get(body) ?? 0) + 1);
      if (body.includes('bad')) request.socket.destroy();
      else response.end('{}');
    });
    const target = targetAt(baseUrl, { maxRequests: 1000 });
    const bodies = [1, 2, 3, 4, 5].map((number) => JSON.stringify({ bad: number }));
    for (const body of bodies) {
      await target.send(post(), queue);
      await troublesOf(target.send(post({ body: Buffer.from(body) }), queue));
    }
    const [first = 0, , , ...later] = bodies.map((body) => tries.get(body) ?? 0);
    expect(first).toBeGreaterThan(4);
    expect(later).toEqual([3, 3]);
    const { limit } = target.traffic;
    await troublesOf(target.send(post({ body: Buffer.from('{"bad":6}') }), queue));
    expect(target.traffic.limit).toBe(limit);
  });

  it.each([
    ['closes the connection', undefined],
    ['answers 502, as a gateway would,', 502],
  ])('is not taken for one that %s for all that is invalid', async (_, status) => {
    const baseUrl = await http(async (request, response) => {
      if ((await text(request)) === VALID) response.writeHead(201).end('{}');
      else if (status === undefined) request.socket.resetAndDestroy();
      else response.writeHead(status).end();
    });
    const target = targetAt(baseUrl, { maxRequests: 1000, concurrency: 4 });
    const valid = post({ body: Buffer.from(VALID) });
    await target.send(valid, queue);
    const invalid = Array.from({ length: 2 }, () => target.send(post(), queue));
    await Promise.allSettled(invalid);
    expect(target.traffic.stopped).toBeUndefined();
    expect((await target.send(valid, queue)).reply.status).toBe(201);
  });

  it.each([
    ['without a response', true],
    ['within a response', false],
  ])('recognises a connection that was closed %s', async (_, isClosed) => {
    const baseUrl = await http((request, response) => {
      if (request.headers.authorization !== bearer('wrong').value) response.end('{}');
      else if (isClosed) response.destroy();
      else response.writeHead(201).write('{}', () => response.destroy());
    });
    const target = targetAt(baseUrl);
    await target.send(post(), queue);
    const sent = target.send(post({ credential: bearer('wrong') }), { ...queue, mayBeRejected: true });
    const troubles = await troublesOf(sent);
    expect([wereAllClosed(troubles), troubles.some(({ begun }) => begun === 201)]).toEqual([
      isClosed,
      !isClosed,
    ]);
  });

  it('waits for the end of an outage although earlier connections are still served', async () => {
    let [connections, requests] = [0, 0];
    const server = createServer((_, response) => {
      requests++;
      response.end('{}');
    });
    server.on('connection', (socket) => {
      // The second to the ninth are reset.
      if (++connections > 1 && connections < 10) socket.resetAndDestroy();
    });
    const target = targetAt((await listening(server)).baseUrl, { concurrency: 2, maxRequests: 1_000_000 });
    await target.send(post(), queue);
    const end = new AbortController();
    const others = (async () => {
      while (!end.signal.aborted) await target.send(post(), { queue: 'other' });
    })();
    const exchange = target.connections.withDedicated((connection) =>
      target.send(post(), { ...queue, connection }),
    );
    expect((await exchange).reply.status).toBe(200);
    end.abort();
    await others;
    expect(connections).toBeGreaterThanOrEqual(10);
    expect(requests).toBeGreaterThan(2);
  });
});

import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Trouble } from '../schemas/exchange.ts';
import { NoReply, Stopped } from './exchange.ts';
import { listening } from '../selftest/services.ts';
import { http, queue, limits, post, raw, targetAt } from './target.testing.ts';
import { direct } from '../settings/route.ts';
import { openUndici } from './connections/channel.ts';
import { dialer } from './connections/dial.ts';
import { adviceFor } from './trouble.ts';

describe('Target, when something goes wrong,', () => {
  it('retries a broken connection with a new request on a new connection', async () => {
    let tries = 0;
    const baseUrl = await raw(() =>
      ++tries < 3 ? undefined : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    );
    const made: number[] = [];
    const exchange = await targetAt(baseUrl).send((count) => {
      made.push(count);
      return post();
    }, queue);
    expect(exchange.reply.status).toBe(200);
    expect(exchange.troubles.map(({ kind }) => kind)).toEqual(['reset', 'reset']);
    expect(made).toEqual([0, 1, 2]);
  });

  it('names a request that it sent where none is answered', async () => {
    let received = '';
    const baseUrl = await raw((text) => void (received += text));
    const sent = targetAt(baseUrl).send((tries) => post({ path: `/try-${tries}` }), queue);
    const { request } = await sent.then(
      () => expect.unreachable(),
      (error: unknown) => error as NoReply,
    );
    expect(received).toContain(`POST ${request.path} `);
  });

  it('remembers which headers all responses to too many requests have, which are in no exchange', async () => {
    let tries = 0;
    const baseUrl = await http((_, response) => {
      if (++tries > 3) return void response.writeHead(201).end('{}');
      const status = tries === 2 ? 503 : 429;
      const more = tries === 1 ? { 'X-RateLimit-Limit': '5' } : {};
      response.writeHead(status, { 'Retry-After': '0', ...more }).end();
    });
    const target = targetAt(baseUrl);
    expect(target.throttlingFields).toBeUndefined();
    const exchange = await target.send(post(), queue);
    expect(exchange.reply.fields).not.toHaveProperty('retry-after');
    expect(target.throttlingFields).toContain('retry-after');
    expect(target.throttlingFields).not.toContain('x-ratelimit-limit');
  });

  it('remembers those of a 503 that names a limit without a time to wait', async () => {
    let tries = 0;
    const baseUrl = await http((_, response) => {
      if (++tries > 1) return void response.writeHead(201).end('{}');
      response.writeHead(503, { 'RateLimit-Remaining': '0' }).end('{"error":"rate limit exceeded"}');
    });
    const target = targetAt(baseUrl);
    await target.send(post(), queue);
    expect(target.throttlingFields).toContain('ratelimit-remaining');
  });

  it('sends as many requests as before to a target that never answers some, and these once', async () => {
    const baseUrl = await http(async (request, response) => {
      if ((await text(request)) !== 'odd') response.end('{}');
    });
    const target = targetAt(baseUrl, { timeout: 1.25 });
    const troublesOfOdd = (): Promise<readonly Trouble[]> =>
      target.send(post({ body: Buffer.from('odd') }), queue).then(
        ({ troubles }) => troubles,
        ({ troubles }: NoReply) => troubles,
      );
    const lost = Array.from({ length: 7 }, troublesOfOdd);
    for (let at = 0; at < 25; at++) await target.send(post(), { queue: 'others' });
    await Promise.all(lost);
    expect(target.traffic.limit).toBeGreaterThanOrEqual(4);
    expect(await troublesOfOdd()).toHaveLength(1);
  });

  it.each([1, 3])(
    'opens no more connections than the target serves at a time: %i',
    async (maxConnections) => {
      const server = createServer((request, response) => {
        request.resume().on('end', () => response.writeHead(201).end('{}'));
      });
      const waiting: Socket[] = [];
      let served = 0;
      const serveNext = (): void => {
        if (served >= maxConnections) return;
        const socket = waiting.shift();
        if (socket === undefined) return;
        served++;
        socket.on('close', () => {
          served--;
          serveNext();
        });
        server.emit('connection', socket);
      };
      // Like a process for each connection: others are accepted by the system, and wait.
      const { baseUrl } = await listening(
        createTcpServer((socket) => {
          waiting.push(socket.on('error', () => {}));
          serveNext();
        }),
      );
      const target = targetAt(baseUrl, { concurrency: 12, timeout: 60 });
      const exchanges = await Promise.all(Array.from({ length: 60 }, () => target.send(post(), queue)));
      expect(exchanges.every(({ reply }) => reply.status === 201)).toBe(true);
      expect(target.traffic.retries).toBe(0);
      // On a machine so busy that idle connections are closed before (after 4 s), others are served without any detection.
      const areClosed = exchanges.some(({ duration }) => duration > 3_500);
      // A connection may count twice for a moment: its response is complete, but not read yet.
      expect(target.traffic.limit).toBeLessThanOrEqual(areClosed ? 12 : maxConnections + 1);
    },
  );

  it('sends fewer at a time where requests wait in a queue of the target', async () => {
    let tries = 0;
    const baseUrl = await http((_, response) => {
      setTimeout(() => response.writeHead(200).end('{}'), ++tries <= 3 ? 0 : 2200);
    });
    const target = targetAt(baseUrl, { concurrency: 16, timeout: 4 });
    // Of several, as the fastest counts, and the first one may be slow on a machine that is busy.
    for (let time = 0; time < 3; time++) await target.send(post(), queue);
    expect(target.traffic.limit).toBe(16);
    await target.send(post(), queue);
    expect(target.traffic.limit).toBeLessThan(16);
  });

  it('gives up when every connection breaks', async () => {
    const baseUrl = await raw(() => undefined);
    await expect(targetAt(baseUrl).send(post(), queue)).rejects.toBeInstanceOf(NoReply);
    const { port } = new URL(baseUrl);
    await new Promise((resolve) => connect(Number(port), '127.0.0.1').on('connect', resolve));
  });

  it('reports that the connection was refused', async () => {
    const server = createTcpServer();
    const { baseUrl } = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(targetAt(baseUrl).send(post(), queue)).rejects.toThrow('connection refused');
  });

  it('reports that a response takes too long', async () => {
    const baseUrl = await http(() => {});
    await expect(targetAt(baseUrl, { timeout: 0.1 }).send(post(), queue)).rejects.toThrow(
      'no complete response within 0.1 s',
    );
  });

  it('does not treat a response as late because its own process was suspended', async () => {
    let requests = 0;
    const baseUrl = await http((_, response) => {
      requests++;
      // Once the response is sent, nothing runs for longer than a response may take.
      response.end('{}', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000));
    });
    const exchange = await targetAt(baseUrl, { timeout: 0.5 }).send(post(), queue);
    expect(exchange.troubles).toEqual([]);
    expect(requests).toBe(1);
  });

  it('does not send a request that timed out while it waited for a connection', async () => {
    const asked: (string | undefined)[] = [];
    const isAsked = Promise.withResolvers<() => void>();
    const origin = await http((request, response) => {
      asked.push(request.url);
      if (request.url === '/first') isAsked.resolve(() => response.end('{}'));
      else response.end('{}');
    });
    const { attempt, close } = openUndici(origin, 1, dialer({ baseUrl: origin, route: direct }, 2000));
    onTestFinished(close);
    const first = attempt(post({ path: '/first' }), 2000);
    const answer = await isAsked.promise;
    expect(await attempt(post({ path: '/late' }), 1)).toMatchObject({ trouble: { kind: 'timeout' } });
    answer();
    expect(await first).toMatchObject({ reply: { status: 200 } });
    expect(await attempt(post({ path: '/last' }), 2000)).toMatchObject({ reply: { status: 200 } });
    expect(asked).toEqual(['/first', '/last']);
  });

  it.each([
    [429, {}],
    [429, { 'Retry-After': '0' }],
  ])('retries a %i with %j, counts it, and halves the requests in flight', async (status, fields) => {
    let count = 0;
    const baseUrl = await http((_, response) => {
      if (++count === 1) response.writeHead(status, fields).end('later');
      else response.end('{}');
    });
    const target = targetAt(baseUrl);
    const exchange = await target.send(post(), queue);
    expect(exchange.reply.status).toBe(200);
    expect(exchange.troubles).toMatchObject([{ kind: 'throttled' }]);
    expect(target.traffic).toMatchObject({ requests: 2, retries: 1, throttled: 1 });
    expect(target.traffic.limit).toBeLessThan(limits.concurrency);
  });

  it('says what a target rejects all requests with until it has accepted one, as it may be a quota', async () => {
    const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
    let count = 0;
    const baseUrl = await http((_, response) => {
      if (++count === 1) response.writeHead(429).end('The quota is used up');
      else if (count === 3) response.writeHead(429, { 'Retry-After': past }).end();
      else response.end('{}');
    });
    const target = targetAt(baseUrl);
    const details: string[] = [];
    for (let time = 0; time < 2; time++)
      details.push(...(await target.send(post(), queue)).troubles.map(({ detail }) => detail));
    expect(details).toEqual([
      'status 429: "The quota is used up", without Retry-After',
      `status 429, with Retry-After: "${past}"`,
    ]);
  });

  it.each([
    [503, {}, 'without Retry-After'],
    [503, { 'Retry-After': '0' }, 'with Retry-After: "0"'],
    [502, { 'Retry-After': 'soon' }, 'with an unusable Retry-After: "soon"'],
    [504, { 'Retry-After': '1764372453' }, 'with an unusable Retry-After: "1764372453"'],
  ])(
    'retries a %i that does not ask to wait (%j) while other requests continue',
    async (status, fields, text) => {
      let count = 0;
      const baseUrl = await http((_, response) => {
        if (++count === 1) response.writeHead(status, fields).end();
        else response.end('{}');
      });
      const target = targetAt(baseUrl);
      const exchange = await target.send(post(), queue);
      expect(exchange.reply.status).toBe(200);
      expect(exchange.troubles).toMatchObject([{ detail: `status ${status}, ${text}` }]);
      expect(target.traffic).toMatchObject({ requests: 2, retries: 1, waited: 0 });
      expect(target.traffic.limit).toBeLessThan(limits.concurrency);
    },
  );

  it('retries a 408, the end of an idle connection, while other requests continue', async () => {
    let count = 0;
    const baseUrl = await http((_, response) => void response.writeHead(++count === 1 ? 408 : 200).end('{}'));
    const target = targetAt(baseUrl);
    expect((await target.send(post(), queue)).reply.status).toBe(200);
    expect(target.traffic).toMatchObject({ requests: 2, retries: 1, waited: 0, limit: limits.concurrency });
  });

  it('closes the shared connections if the target serves no other beside them', async () => {
    const server = createServer((_, response) => void response.end('{}'));
    server.maxConnections = 1;
    server.keepAliveTimeout = 60_000;
    const target = targetAt((await listening(server)).baseUrl);
    await target.send(post(), queue);
    const own = await target.connections.withDedicated(async (connection) => [
      await target.send(post(), { ...queue, connection }),
      await target.send(post(), { ...queue, connection }),
    ]);
    expect(own.map(({ reply }) => reply.status)).toEqual([200, 200]);
    expect((await target.send(post(), queue)).reply.status).toBe(200);
  });

  it('closes a dedicated connection, too, if the target serves no other beside it', async () => {
    const server = createServer((_, response) => void response.end('{}'));
    server.maxConnections = 1;
    server.keepAliveTimeout = 60_000;
    const target = targetAt((await listening(server)).baseUrl);
    const exchanges = await target.connections.withDedicated(async (connection) => [
      await target.send(post(), { ...queue, connection }),
      await target.send(post(), queue),
      await target.send(post(), { ...queue, connection }),
    ]);
    expect(exchanges.map(({ reply }) => reply.status)).toEqual([200, 200, 200]);
  });

  it('knows that the target is available from responses that are too long', async () => {
    let isSmall = true;
    const methods: string[] = [];
    const baseUrl = await http((request, response) => {
      methods.push(request.method!);
      response.end(isSmall ? '{}' : 'x'.repeat(300_000));
    });
    const target = targetAt(baseUrl);
    await target.send(post(), queue);
    isSmall = false;
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => target.send(post(), queue)));
    expect(results.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
    // Nothing checks whether it is.
    expect(methods).toEqual(Array(9).fill('POST'));
    expect(target.traffic).toMatchObject({ stopped: undefined, outages: 0 });
  });

  it('says what is not valid HTTP in a response', async () => {
    const baseUrl = await raw(() => 'SSH-2.0-OpenSSH_9.6\r\n');
    const troubles = await targetAt(baseUrl)
      .send(post(), queue)
      .then(
        () => expect.unreachable(),
        (error: unknown) => (error as NoReply).troubles,
      );
    expect(troubles[0]).toMatchObject({
      kind: 'reset',
      detail: 'the response is not HTTP/1.1',
    });
    expect(adviceFor(troubles[0]!, { baseUrl, route: {}, wait: 0 })).toContain(
      'something else may be answering there',
    );
    const chunked = 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n{"id":"cus_1"}';
    const { reply } = await targetAt(await raw(() => chunked)).send(post(), queue);
    expect(reply.notJson).toBe(
      'the response is not valid HTTP/1.1: Invalid character in chunk size, after 0 bytes of its body',
    );
  });

  it('takes a response whose connection is closed before its end, at each try, for an answer without a body', async () => {
    const baseUrl = await raw(() => 'HTTP/1.1 201 Created\r\nContent-Length: 30\r\n\r\n{"token":"tok_1234"}');
    const target = targetAt(baseUrl);
    const { reply, troubles } = await target.send(post(), queue);
    expect(reply).toMatchObject({ status: 201, isIncomplete: true, text: '', json: undefined });
    expect(reply.notJson).toBe('the connection was closed after 20 of 30 bytes of it');
    expect(troubles.length).toBeGreaterThan(2);
    for (let times = 0; times < 2; times++) await target.send(post(), queue);
    // By now, it is known to send no other response.
    expect((await target.send(post(), queue)).troubles).toHaveLength(1);
  });

  it('does not, if others were answered completely: the network may be the reason', async () => {
    let count = 0;
    const baseUrl = await raw(() => `HTTP/1.1 200 OK\r\nContent-Length: ${count++ === 0 ? 2 : 30}\r\n\r\n{}`);
    const target = targetAt(baseUrl);
    expect((await target.send(post(), queue)).reply.json).toEqual({});
    await expect(target.send(post(), queue)).rejects.toThrow('before the response was complete');
  });

  it('keeps no header in which a token may be', async () => {
    const head =
      'HTTP/1.1 201 Created\r\nX-Ref: tok_1234\r\nContent-Type: application/json\r\nContent-Length: 30';
    const { reply } = await targetAt(await raw(() => `${head}\r\n\r\n{`)).send(post(), queue);
    expect(Object.keys(reply.fields)).toEqual(['content-type', 'content-length']);
  });

  it('does not, if another try is answered', async () => {
    const answers = ['{"a"', '{"a":1}'].map((body) => `HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n${body}`);
    const { reply, troubles } = await targetAt(await raw(() => answers.shift())).send(post(), queue);
    expect([reply.json, troubles.length]).toEqual([{ a: 1 }, 1]);
  });

  it("switches to Node's client where undici cannot read a response, and completes what undici has begun", async () => {
    const held = Promise.withResolvers<() => void>();
    const { baseUrl } = await listening(
      createTcpServer((socket) => {
        const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
        socket.on('error', () => {});
        socket.on('data', (data) => {
          if (data.toString().startsWith('POST /first')) held.resolve(() => socket.write(answer));
          else socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer}`);
        });
      }),
    );
    const target = targetAt(baseUrl);
    const first = target.send(post({ path: '/first' }), queue);
    const answerIt = await held.promise;
    expect((await target.send(post(), queue)).troubles).toMatchObject([{ kind: 'misread' }]);
    answerIt();
    expect((await first).troubles).toEqual([]);
  });

  it("does not halve the requests in flight for a stale connection, with Node's client", async () => {
    const { baseUrl } = await listening(
      createTcpServer((socket) => {
        let requests = 0;
        socket.on('error', () => {});
        socket.on('data', () => {
          if (++requests > 1) socket.resetAndDestroy();
          else socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
        });
      }),
    );
    const target = targetAt(baseUrl);
    const kinds: string[] = [];
    for (let count = 0; count < 4; count++)
      kinds.push(...(await target.send(post(), queue)).troubles.map(({ kind }) => kind));
    expect(kinds).toContain('reset');
    expect(target.traffic.limit).toBe(limits.concurrency);
  });

  it('returns a 429 with a long Retry-After where the request should be rejected', async () => {
    const baseUrl = await http((_, response) => void response.writeHead(429, { 'Retry-After': '30' }).end());
    const exchange = await targetAt(baseUrl).send(post(), { ...queue, ifThrottled: 'final' });
    expect(exchange.reply.status).toBe(429);
  });

  it('announces a long wait, once for all requests', async () => {
    const bothThrottled = Promise.withResolvers<void>();
    let count = 0;
    const baseUrl = await http((_, response) => {
      response.writeHead(429, { 'Retry-After': '60' }).end();
      if (++count === 2) setImmediate(bothThrottled.resolve);
    });
    const announced: string[] = [];
    const target = targetAt(baseUrl, {}, {}, { onRemark: (text) => announced.push(text) });
    const sent = [target.send(post(), queue), target.send(post(), queue)];
    await bothThrottled.promise;
    await expect
      .poll(() => announced, { timeout: 60_000 })
      .toEqual([
        'The target answered POST /v1/customers with status 429 and asked to wait: continuing in 60 s',
      ]);
    target.stop('enough is known');
    await Promise.allSettled(sent);
    expect(announced).toHaveLength(1);
  });

  it.each([
    [429, 3600, 'the target answered'],
    [503, 3600, 'the target is unavailable: it answered'],
    [503, 150, 'the target is unavailable: it answered'],
  ])(
    'stops the run at a %i whose Retry-After of %i s exceeds the time budget',
    async (status, wait, text) => {
      const baseUrl = await http(
        (_, response) => void response.writeHead(status, { 'Retry-After': String(wait) }).end(),
      );
      const target = targetAt(baseUrl);
      await expect(target.send(post(), queue)).rejects.toBeInstanceOf(Stopped);
      expect(target.traffic.stopped).toContain(`${text} POST /v1/customers with ${status}`);
      expect(target.traffic.stopped).toContain(`asked to wait ${wait} s`);
    },
  );
});

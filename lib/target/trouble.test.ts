import { connect, createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { NoReply, Stopped } from './exchange.ts';
import { closing, http, queue, limits, listening, post, raw, targetAt } from './testing/targets.ts';
import { openUndici } from './undici-channel.ts';

describe('trouble', () => {
  it('with the connection is met with another try, made anew, on a fresh connection', async () => {
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

  it('that does not end is no reply', async () => {
    const baseUrl = await raw(() => undefined);
    await expect(targetAt(baseUrl).send(post(), queue)).rejects.toBeInstanceOf(NoReply);
    const { port } = new URL(baseUrl);
    await new Promise((resolve) => connect(Number(port), '127.0.0.1').on('connect', resolve));
  });

  it('says when nothing listens', async () => {
    const server = createTcpServer();
    const baseUrl = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(targetAt(baseUrl).send(post(), queue)).rejects.toThrow('connection refused');
  });

  it('says when an answer takes too long', async () => {
    const baseUrl = await http(() => {});
    await expect(targetAt(baseUrl, { timeout: 0.1 }).send(post(), queue)).rejects.toThrow(
      'no complete response within 0.1 s',
    );
  });

  it('with a request that waits for a connection until its time is up keeps it from leaving', async () => {
    const asked: (string | undefined)[] = [];
    const isAsked = Promise.withResolvers<() => void>();
    const origin = await http((request, response) => {
      asked.push(request.url);
      if (request.url === '/first') isAsked.resolve(() => response.end('{}'));
      else response.end('{}');
    });
    const { attempt, close } = openUndici(origin, 1, 2000);
    closing.push(close);
    const first = attempt(post(), '/first', 2000);
    const answer = await isAsked.promise;
    expect(await attempt(post(), '/late', 1)).toMatchObject({ trouble: { kind: 'timeout' } });
    answer();
    expect(await first).toMatchObject({ reply: { status: 200 } });
    expect(await attempt(post(), '/last', 2000)).toMatchObject({ reply: { status: 200 } });
    expect(asked).toEqual(['/first', '/last']);
  });

  it.each([
    [429, {}],
    [429, { 'Retry-After': '0' }],
    [503, { 'Retry-After': '0' }],
  ])('of status %i %j is waited out, counted, and halves what is in flight', async (status, fields) => {
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

  it.each([503, 502, 504])(
    'of status %i without a word is tried again, and holds nobody else up',
    async (status) => {
      let count = 0;
      const baseUrl = await http((_, response) => {
        if (++count === 1) response.writeHead(status).end();
        else response.end('{}');
      });
      const target = targetAt(baseUrl);
      const exchange = await target.send(post(), queue);
      expect(exchange.reply.status).toBe(200);
      expect(target.traffic).toMatchObject({ requests: 2, retries: 1, waited: 0 });
      expect(target.traffic.limit).toBeLessThan(limits.concurrency);
    },
  );

  it('of status 408 is the end of an idle connection: it is sent again, and nobody else waits', async () => {
    let count = 0;
    const baseUrl = await http((_, response) => void response.writeHead(++count === 1 ? 408 : 200).end('{}'));
    const target = targetAt(baseUrl);
    expect((await target.send(post(), queue)).reply.status).toBe(200);
    expect(target.traffic).toMatchObject({ requests: 2, retries: 1, waited: 0, limit: limits.concurrency });
  });

  it('with all connections for a while is waited out, by those too that had not left yet', async () => {
    let [requests, looks] = [0, 0];
    const baseUrl = await http((request, response) => {
      const isAway = ++requests > 4 && looks < 3;
      if (isAway && request.method === 'GET') looks++;
      if (isAway) request.socket.resetAndDestroy();
      else response.end('{}');
    });
    const target = targetAt(baseUrl, { concurrency: 2 });
    const exchanges = await Promise.all(Array.from({ length: 12 }, () => target.send(post(), queue)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(looks).toBe(3);
  });

  it('with all connections for a while is waited out, whatever trouble there was before', async () => {
    const failed = Promise.withResolvers<void>();
    let [requests, looks] = [0, 0];
    const baseUrl = await http(async (request, response) => {
      const isAway = ++requests > 2 && looks < 3;
      if (isAway && request.method === 'GET') looks++;
      if (requests === 1) response.on('finish', failed.resolve).writeHead(502).end();
      else if (isAway) request.socket.resetAndDestroy();
      else {
        // Another is answered after the first one's trouble, and before the outage.
        await failed.promise;
        response.end('{}');
      }
    });
    const target = targetAt(baseUrl, { concurrency: 2 });
    const exchanges = await Promise.all([target.send(post(), queue), target.send(post(), queue)]);
    expect(exchanges.map(({ reply }) => reply.status)).toEqual([200, 200]);
    expect(looks).toBe(3);
  });

  it('with the length of all responses is told as such, not as silence', async () => {
    const baseUrl = await http((_, response) => void response.writeHead(401).end('x'.repeat(300_000)));
    const target = targetAt(baseUrl);
    const sends = Array.from({ length: 8 }, () => target.send(post(), queue));
    await Promise.allSettled(sends);
    expect(target.traffic.stopped).toBe(
      'the target sends what can not be read: the response is longer than 262144 bytes',
    );
  });

  it('of reading leads to another client; what the first one has begun it ends', async () => {
    const held = Promise.withResolvers<() => void>();
    const baseUrl = await listening(
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

  it("with a connection that was used before is no sign of too much, with Node's client", async () => {
    const baseUrl = await listening(
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

  it('of status 502 that stays is judged in the end, and 500 at once', async () => {
    const baseUrl = await http(
      (request, response) => void response.writeHead(Number(request.url!.slice(1))).end(),
    );
    const target = targetAt(baseUrl);
    expect((await target.send(post({ path: '/502' }), queue)).troubles).toHaveLength(4);
    expect((await target.send(post({ path: '/408' }), queue)).troubles).toHaveLength(4);
    expect((await target.send(post({ path: '/500' }), queue)).troubles).toHaveLength(0);
  });

  it('of status 429 with a long Retry-After is an answer where a refusal is expected', async () => {
    const baseUrl = await http((_, response) => void response.writeHead(429, { 'Retry-After': '30' }).end());
    const exchange = await targetAt(baseUrl).send(post(), { ...queue, expect: 'refusal' });
    expect(exchange.reply.status).toBe(429);
  });

  it('that would outlast the time budget stops the run and says so', async () => {
    const baseUrl = await http(
      (_, response) => void response.writeHead(429, { 'Retry-After': '3600' }).end(),
    );
    const target = targetAt(baseUrl);
    await expect(target.send(post(), queue)).rejects.toBeInstanceOf(Stopped);
    expect(target.traffic.stopped).toContain('asked to wait 3600 s');
  });
});

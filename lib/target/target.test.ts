import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { bearer } from './credential.ts';
import { NoReply, Stopped } from './exchange.ts';
import type { Request } from './exchange.ts';
import { Target } from './target.ts';
import type { Limits } from './sending.ts';
import { openUndici } from './undici-channel.ts';

const limits: Limits = { concurrency: 8, rate: 0, maxRequests: 100, timeBudget: 20, timeout: 2 };
const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http = (listener: RequestListener): Promise<string> => listening(createServer(listener));

/** Answers every connection's first request with these bytes. */
const raw = (answer: (request: string) => string | undefined): Promise<string> =>
  listening(
    createTcpServer((socket) => {
      let text = '';
      socket.on('error', () => {});
      socket.on('data', (data) => {
        text += data.toString('latin1');
        const bytes = answer(text);
        if (bytes === undefined) socket.destroy();
        else if (bytes !== '') socket.end(bytes);
      });
    }),
  );

function targetAt(baseUrl: string, changes: Partial<Limits> = {}): Target {
  const target = new Target(baseUrl, { ...limits, ...changes });
  closing.push(() => target.close());
  return target;
}

const post = (changes: Partial<Request> = {}): Request => ({
  method: 'POST',
  path: '/v1/customers',
  credential: bearer('sk_test_1234567890'),
  fields: [['Content-Type', 'application/json']],
  body: Buffer.from('{"a":1}'),
  ...changes,
});

const lane = { lane: 'test' };

describe('what is sent', () => {
  it('is the very bytes that were given: fields in order and case, body as it stands, path verbatim', async () => {
    let seen = '';
    const baseUrl = await raw((request) => {
      seen = request;
      return request.endsWith('}') ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' : '';
    });
    const fields = [
      ['x-B', '1'],
      ['X-a', '2'],
    ] as const;
    await targetAt(`${baseUrl}/base`).send(
      post({ path: '/v1//%63?x=%41', fields, body: Buffer.from(' {"é":1\t}') }),
      lane,
    );
    expect(seen).toMatch(/^POST \/base\/v1\/\/%63\?x=%41 HTTP\/1\.1\r\n/);
    expect(seen).toContain(
      'Authorization: Bearer sk_test_1234567890\r\nx-B: 1\r\nX-a: 2\r\ncontent-length: 10\r\n',
    );
    expect(Buffer.from(seen.split('\r\n\r\n')[1]!, 'latin1').toString()).toBe(' {"é":1\t}');
  });

  it('follows no redirect and keeps no cookie', async () => {
    const cookies: (string | undefined)[] = [];
    const baseUrl = await http((request, response) => {
      cookies.push(request.headers.cookie);
      response.writeHead(307, { Location: '/elsewhere', 'Set-Cookie': 'a=b' }).end();
    });
    const target = targetAt(baseUrl);
    for (let round = 0; round < 2; round++) {
      const { reply } = await target.send(post(), lane);
      expect(reply.status).toBe(307);
    }
    expect(cookies).toEqual([undefined, undefined]);
  });

  it('is complete at the target at the same instant when sent together', async () => {
    let inFlight = 0;
    let peak = 0;
    let release: () => void = () => {};
    const all = new Promise<void>((resolve) => (release = resolve));
    const baseUrl = await http((request, response) => {
      peak = Math.max(peak, ++inFlight);
      if (inFlight === 6) release();
      request.resume().on('end', () => void all.then(() => response.end('{}')));
    });
    const results = await targetAt(baseUrl).together(
      Array.from({ length: 6 }, () => post()),
      'test',
    );
    expect(results.map((result) => ('reply' in result ? result.reply.status : result))).toEqual(
      Array(6).fill(200),
    );
    expect(peak).toBe(6);
  });
});

describe('what comes back', () => {
  it('is decoded: content coding, charset, JSON, and why it is none', async () => {
    const bodies: [Record<string, string>, Buffer][] = [
      [{ 'Content-Encoding': 'gzip' }, gzipSync('{"a":"é"}')],
      [{ 'Content-Type': 'application/json; charset=ISO-8859-1' }, Buffer.from('{"a":"é"}', 'latin1')],
      [{}, Buffer.from('\uFEFF{"a":"é"}')],
    ];
    const baseUrl = await http((_, response) => {
      const [fields, body] = bodies.shift()!;
      response.writeHead(200, fields).end(body);
    });
    const target = targetAt(baseUrl);
    const utf8: boolean[] = [];
    for (let round = 0; round < 3; round++) {
      const { reply } = await target.send(post(), lane);
      expect(reply.json).toEqual({ a: 'é' });
      utf8.push(reply.utf8);
    }
    expect(utf8).toEqual([true, false, false]);
  });

  it.each([
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nContent-Length:  2 \t\r\n\r\n{}',
  ])('is read whatever valid HTTP it is: %j', async (bytes) => {
    let fields = '';
    const baseUrl = await raw((request) => {
      fields = request;
      return request.endsWith('}') ? bytes : '';
    });
    const { reply } = await targetAt(baseUrl).send(post(), lane);
    expect(reply).toMatchObject({ status: 200, json: {} });
    expect(fields).toContain(
      'Authorization: Bearer sk_test_1234567890\r\nContent-Type: application/json\r\n',
    );
  });

  it('is bounded: a bomb and a flood are told, not swallowed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const baseUrl = await http((request, response) => {
      if (request.url === '/bomb') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
      else response.end(Buffer.alloc(5_000_000, 'x'));
    });
    const target = targetAt(baseUrl);
    const { reply } = await target.send(post({ path: '/bomb' }), lane);
    expect(reply.notJson).toContain("can't be decoded");
    await expect(target.send(post({ path: '/flood' }), lane)).rejects.toThrow(/longer than \d+ bytes/);
  });
});

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
    }, lane);
    expect(exchange.reply.status).toBe(200);
    expect(exchange.troubles.map(({ kind }) => kind)).toEqual(['reset', 'reset']);
    expect(made).toEqual([0, 1, 2]);
  });

  it('that does not end is no reply', async () => {
    const baseUrl = await raw(() => undefined);
    await expect(targetAt(baseUrl).send(post(), lane)).rejects.toBeInstanceOf(NoReply);
    const { port } = new URL(baseUrl);
    await new Promise((resolve) => connect(Number(port), '127.0.0.1').on('connect', resolve));
  });

  it('says when nothing listens', async () => {
    const server = createTcpServer();
    const baseUrl = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(targetAt(baseUrl).send(post(), lane)).rejects.toThrow('connection refused');
  });

  it('says when an answer takes too long', async () => {
    const baseUrl = await http(() => {});
    await expect(targetAt(baseUrl, { timeout: 0.1 }).send(post(), lane)).rejects.toThrow(
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
    const exchange = await target.send(post(), lane);
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
      const exchange = await target.send(post(), lane);
      expect(exchange.reply.status).toBe(200);
      expect(target.traffic).toMatchObject({ requests: 2, retries: 1, waited: 0 });
      expect(target.traffic.limit).toBeLessThan(limits.concurrency);
    },
  );

  it('of status 408 is the end of an idle connection: it is sent again, and nobody else waits', async () => {
    let count = 0;
    const baseUrl = await http((_, response) => void response.writeHead(++count === 1 ? 408 : 200).end('{}'));
    const target = targetAt(baseUrl);
    expect((await target.send(post(), lane)).reply.status).toBe(200);
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
    const exchanges = await Promise.all(Array.from({ length: 12 }, () => target.send(post(), lane)));
    expect(exchanges.map(({ reply }) => reply.status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(looks).toBe(3);
  });

  it('with the length of all responses is told as such, not as silence', async () => {
    const baseUrl = await http((_, response) => void response.writeHead(401).end('x'.repeat(300_000)));
    const target = targetAt(baseUrl);
    const sends = Array.from({ length: 8 }, () => target.send(post(), lane));
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
    const first = target.send(post({ path: '/first' }), lane);
    const answerIt = await held.promise;
    expect((await target.send(post(), lane)).troubles).toMatchObject([{ kind: 'misread' }]);
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
      kinds.push(...(await target.send(post(), lane)).troubles.map(({ kind }) => kind));
    expect(kinds).toContain('reset');
    expect(target.traffic.limit).toBe(limits.concurrency);
  });

  it('of status 502 that stays is judged in the end, and 500 at once', async () => {
    const baseUrl = await http(
      (request, response) => void response.writeHead(Number(request.url!.slice(1))).end(),
    );
    const target = targetAt(baseUrl);
    expect((await target.send(post({ path: '/502' }), lane)).troubles).toHaveLength(4);
    expect((await target.send(post({ path: '/408' }), lane)).troubles).toHaveLength(4);
    expect((await target.send(post({ path: '/500' }), lane)).troubles).toHaveLength(0);
  });

  it('of status 429 with a long Retry-After is an answer where a refusal is expected', async () => {
    const baseUrl = await http((_, response) => void response.writeHead(429, { 'Retry-After': '30' }).end());
    const exchange = await targetAt(baseUrl).send(post(), { ...lane, expect: 'refusal' });
    expect(exchange.reply.status).toBe(429);
  });

  it('that would outlast the time budget stops the run and says so', async () => {
    const baseUrl = await http(
      (_, response) => void response.writeHead(429, { 'Retry-After': '3600' }).end(),
    );
    const target = targetAt(baseUrl);
    await expect(target.send(post(), lane)).rejects.toBeInstanceOf(Stopped);
    expect(target.traffic.stopped).toContain('asked to wait 3600 s');
  });
});

describe('the end', () => {
  it('comes when nothing is in flight any more, and nothing leaves after it', async () => {
    const arrived = Promise.withResolvers<() => void>();
    let requests = 0;
    const baseUrl = await http((_, response) => {
      requests++;
      arrived.resolve(() => response.writeHead(429, { 'Retry-After': '0' }).end());
    });
    const target = targetAt(baseUrl, { concurrency: 1 });
    // Nobody waits for these: shrinking tries ahead.
    const ahead = Promise.allSettled([target.send(post(), lane), target.send(post(), lane)]);
    const answer = await arrived.promise;
    const closing = target.close();
    answer();
    await closing;
    expect(target.traffic).toMatchObject({ requests: 1, retries: 0 });
    for (const result of await ahead) expect(result).toMatchObject({ reason: { name: 'Stopped' } });
    expect(requests).toBe(1);
    expect(target.traffic).toMatchObject({ requests: 1, retries: 0, stopped: undefined });
  });
});

describe('budgets', () => {
  it('of requests hold exactly, retries included', async () => {
    let count = 0;
    const baseUrl = await http((_, response) => {
      count++;
      response.writeHead(count % 2 ? 429 : 200, { 'Retry-After': '0' }).end('{}');
    });
    const target = targetAt(baseUrl, { maxRequests: 7 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => target.send(post(), lane)));
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    expect(count).toBe(7);
    expect(target.traffic).toMatchObject({ requests: 7, stopped: 'the budget of 7 requests was spent' });
  });

  it('of requests in flight hold exactly', async () => {
    let inFlight = 0;
    let peak = 0;
    const baseUrl = await http((_, response) => {
      peak = Math.max(peak, ++inFlight);
      setImmediate(() => {
        inFlight--;
        response.end('{}');
      });
    });
    const target = targetAt(baseUrl, { concurrency: 3 });
    await Promise.all(Array.from({ length: 30 }, () => target.send(post(), lane)));
    expect(peak).toBeLessThanOrEqual(3);
    expect(target.traffic.peak).toBe(3);
  });
});

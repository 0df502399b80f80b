import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isUnreadable } from './reply.ts';
import { http, limits, queue, post, raw, targetAt } from './target.testing.ts';

describe('a request', () => {
  it('is sent byte for byte: the order and case of fields, the body, the path', async () => {
    let received = '';
    const baseUrl = await raw((request) => {
      received = request;
      return request.endsWith('}') ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' : '';
    });
    const fields = [
      ['x-B', '1'],
      ['X-a', '2'],
    ] as const;
    await targetAt(`${baseUrl}/base`).send(
      post({ path: '/v1//%63?x=%41', fields, body: Buffer.from(' {"é":1\t}') }),
      queue,
    );
    expect(received).toMatch(/^POST \/base\/v1\/\/%63\?x=%41 HTTP\/1\.1\r\n/);
    expect(received).toContain(
      'Authorization: Bearer sk_test_1234567890\r\nx-B: 1\r\nX-a: 2\r\ncontent-length: 10\r\n',
    );
    expect(Buffer.from(received.split('\r\n\r\n')[1]!, 'latin1').toString()).toBe(' {"é":1\t}');
  });

  it('is not sent to a path that is stopped, but to others', async () => {
    const baseUrl = await http((_, response) => response.end('{}'));
    const target = targetAt(baseUrl);
    target.stop('a quota', 'limit', '/v2/tokens');
    await expect(target.send(post({ path: '/v2/tokens?a=b' }), queue)).rejects.toThrow('a quota');
    expect((await target.send(post({ path: '/v1/customers' }), queue)).reply.status).toBe(200);
    expect(target.traffic).toMatchObject({ requests: 1, stopped: 'a quota', stopCause: 'limit' });
    target.stop('the run was interrupted', 'interrupt');
    expect(target.traffic).toMatchObject({ stopCause: 'interrupt' });
  });

  it('is not remembered as accepted if its path was stopped while it was in flight', async () => {
    const target = targetAt(
      await http((_, response) => {
        target.stop('a quota', 'limit', '/v2/tokens');
        response.end('{}');
      }),
    );
    expect((await target.send(post({ path: '/v2/tokens' }), queue)).reply.status).toBe(200);
    expect([...target.lastAccepted]).toEqual([]);
  });

  it('follows no redirect and keeps no cookie', async () => {
    const cookies: (string | undefined)[] = [];
    const baseUrl = await http((request, response) => {
      cookies.push(request.headers.cookie);
      response.writeHead(307, { Location: '/elsewhere', 'Set-Cookie': 'a=b' }).end();
    });
    const target = targetAt(baseUrl);
    for (let round = 0; round < 2; round++) {
      const { reply } = await target.send(post(), queue);
      expect(reply.status).toBe(307);
    }
    expect(cookies).toEqual([undefined, undefined]);
  });

  it('completes at the same instant as those sent together with it', async () => {
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

describe('a response', () => {
  it('is decoded: content coding, charset, JSON', async () => {
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
      const { reply } = await target.send(post(), queue);
      expect(reply.json).toEqual({ a: 'é' });
      utf8.push(reply.utf8);
    }
    expect(utf8).toEqual([true, false, false]);
  });

  it.each([
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nContent-Length:  2 \t\r\n\r\n{}',
  ])('is read in unusual but valid HTTP: %j', async (bytes) => {
    let fields = '';
    const baseUrl = await raw((request) => {
      fields = request;
      return request.endsWith('}') ? bytes : '';
    });
    const { reply } = await targetAt(baseUrl).send(post(), queue);
    expect(reply).toMatchObject({ status: 200, json: {} });
    expect(fields).toContain(
      'Authorization: Bearer sk_test_1234567890\r\nContent-Type: application/json\r\n',
    );
  });

  it('is read up to a limit, compressed or not', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    let floods = 0;
    const baseUrl = await http((request, response) => {
      if (request.url === '/flood') floods++;
      if (request.url === '/bomb') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
      else response.end(Buffer.alloc(5_000_000, 'x'));
    });
    const target = targetAt(baseUrl);
    const { reply } = await target.send(post({ path: '/bomb' }), queue);
    expect(reply.notJson).toMatch(/^it is longer than \d+ bytes once it is decoded as gzip$/);
    expect(isUnreadable(reply)).toBe(false);
    await expect(target.send(post({ path: '/flood' }), queue)).rejects.toThrow(/longer than \d+ bytes/);
    expect([floods, target.traffic.limit]).toEqual([1, limits.concurrency]);
  });
});

describe('close', () => {
  it('waits for requests in flight, and lets no other leave', async () => {
    const arrived = Promise.withResolvers<() => void>();
    let requests = 0;
    const baseUrl = await http((_, response) => {
      requests++;
      arrived.resolve(() => response.writeHead(429, { 'Retry-After': '0' }).end());
    });
    const target = targetAt(baseUrl, { concurrency: 1 });
    // As shrinking does, whose requests are not awaited.
    const ahead = Promise.allSettled([target.send(post(), queue), target.send(post(), queue)]);
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

describe('limits', () => {
  it('on the number of requests hold exactly, retries included', async () => {
    let count = 0;
    const baseUrl = await http((_, response) => {
      count++;
      response.writeHead(count % 2 ? 429 : 200, { 'Retry-After': '0' }).end('{}');
    });
    const target = targetAt(baseUrl, { maxRequests: 7 });
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => target.send(post(), queue)));
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    expect(count).toBe(7);
    expect(target.traffic).toMatchObject({ requests: 7, stopped: 'the budget of 7 requests was spent' });
  });

  it('on requests in flight hold exactly', async () => {
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
    await Promise.all(Array.from({ length: 30 }, () => target.send(post(), queue)));
    expect(peak).toBeLessThanOrEqual(3);
    expect(target.traffic.peak).toBe(3);
  });
});

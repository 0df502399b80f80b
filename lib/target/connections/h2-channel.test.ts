import { createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Stream, ServerHttp2Session } from 'node:http2';
import { connect, createServer as createTcpServer } from 'node:net';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { direct } from '../../settings/route.ts';
import { listening } from '../../selftest/services.ts';
import { post, queue, targetAt } from '../target.testing.ts';
import { openConnections } from './connections.ts';
import type { NoReply } from '../exchange.ts';
import type { Limits } from '../sender.ts';
import type { Target } from '../target.ts';

type Answer = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void;

/** A server of HTTP/2 without TLS, and a target that speaks it. */
async function started(
  answer: Answer,
  limits: Partial<Limits> = {},
): Promise<{ target: Target; sessions: ServerHttp2Session[] }> {
  const server: Http2Server = createServer();
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    answer(stream, headers);
  });
  const { baseUrl } = await listening(server);
  return { target: targetAt(`${baseUrl}/base`, limits, { http: '2' }), sessions };
}

const ok = (stream: ServerHttp2Stream, body = '{}'): void => {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.end(body);
};

describe('a target over HTTP/2', () => {
  it('gets the host that a request names as the authority, and no Host', async () => {
    let received: Readonly<Record<string, unknown>> = {};
    const { target } = await started((stream, headers) => {
      received = headers;
      ok(stream);
    });
    await target.send(post({ fields: [['Host', 'localhost']] }), queue);
    expect(received).toMatchObject({ ':authority': 'localhost' });
    expect(received).not.toHaveProperty('host');
  });

  it('gets a request with its path, its fields in lower case and its body', async () => {
    let received: Record<string, unknown> = {};
    let body = '';
    const { target } = await started((stream, headers) => {
      received = { ...headers };
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
      stream.on('end', () => ok(stream, '{"a":"é"}'));
    });
    const fields = [
      ['X-B', '1'],
      ['X-a', '2'],
    ] as const;
    const { reply } = await target.send(post({ path: '/v1//%63?x=%41', fields }), queue);
    expect(reply).toMatchObject({
      status: 200,
      json: { a: 'é' },
      fields: { 'content-type': 'application/json' },
    });
    expect(Object.entries(received)).toEqual([
      [':method', 'POST'],
      [':scheme', 'http'],
      [':authority', expect.stringMatching(/^127/)],
      [':path', '/base/v1//%63?x=%41'],
      ['authorization', 'Bearer sk_test_1234567890'],
      ['x-b', '1'],
      ['x-a', '2'],
      ['content-length', '7'],
    ]);
    expect(body).toBe('{"a":1}');
  });

  it('gets simultaneous requests as streams of one connection, whose last bytes leave together', async () => {
    const waiting: ServerHttp2Stream[] = [];
    const { target, sessions } = await started((stream) => {
      stream.resume().on('end', () => {
        waiting.push(stream);
        if (waiting.length === 6) for (const one of waiting) ok(one);
        else if (waiting.length > 6) ok(stream);
      });
    });
    const results = await target.together(
      Array.from({ length: 6 }, () => post()),
      'test',
    );
    expect(results.map((result) => ('reply' in result ? result.reply.status : result))).toEqual(
      Array(6).fill(200),
    );
    expect(sessions).toHaveLength(1);
    const connects = await target.connections.withDedicated(async (connection) => {
      await target.send(post(), { ...queue, connection });
      return connection.connects();
    });
    expect(connects).toBe(1);
    expect(sessions).toHaveLength(2);
  });

  it('is asked again on another connection when it ends one, or rejects a stream', async () => {
    let count = 0;
    const { target, sessions } = await started((stream) => {
      count++;
      if (count === 1) stream.session!.goaway(0);
      if (count === 2) stream.close(7);
      else stream.resume().on('end', () => ok(stream));
    });
    expect((await target.send(post(), queue)).reply.status).toBe(200);
    const { reply, troubles } = await target.send(post(), queue);
    expect([reply.status, troubles.map(({ kind }) => kind)]).toEqual([200, ['reset']]);
    expect(sessions.length).toBeGreaterThan(1);
  });

  it.each<[string, (stream: ServerHttp2Stream) => void]>([
    ['fails', (stream) => stream.destroy(new Error('test'))],
    ['is reset without an error', (stream) => stream.destroy()],
    ['ends with its connection', (stream) => stream.session!.destroy()],
    ['ends too early', (stream) => void stream.end()],
  ])('has answered incompletely with a body that %s, at each try', async (_, end) => {
    const { target } = await started((stream) => {
      stream.respond({ ':status': 200, 'content-length': '9' });
      stream.write('{"a":', () => end(stream));
    });
    const { reply, troubles } = await target.send(post(), queue);
    expect(reply).toMatchObject({ status: 200, isIncomplete: true, text: '' });
    expect(troubles.every(({ begun }) => begun === 200)).toBe(true);
    const rejected = target.send(post(), { ...queue, mayBeRejected: true });
    await expect(rejected).rejects.toThrow('before the response was complete');
  });

  it('has not answered in time with a body that never ends', async () => {
    const { target } = await started(
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.write('{"a":');
      },
      { timeout: 0.2 },
    );
    await expect(target.send(post(), queue)).rejects.toThrow('within 0.2 s');
  });

  const silent = async (answer: (socket: Socket) => void): Promise<string> => {
    const { baseUrl } = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => answer(socket));
      }),
    );
    return baseUrl;
  };

  it('is reported not to speak it when it answers in HTTP/1.1', async () => {
    const origin = await silent((socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    );
    await expect(targetAt(origin, {}, { http: '2' }).send(post(), queue)).rejects.toThrow(
      'the target does not speak HTTP/2: it does not answer in HTTP/2',
    );
  });

  it('may be restarting when it closes connections without a word', async () => {
    const origin = await silent((socket) => socket.destroy());
    const error: unknown = await targetAt(origin, {}, { http: '2' })
      .send(post(), queue)
      .catch((thrown: unknown) => thrown);
    expect((error as NoReply).troubles[0]).toMatchObject({
      kind: 'reset',
      detail: 'the connection was closed before the target answered in HTTP/2',
    });
  });

  /** The origin of a server that is silent on the first connection, and answers on the next ones. */
  const silentAtFirst = async (): Promise<string> => {
    const server = createServer();
    server.on('stream', (stream) => void stream.resume().on('end', () => ok(stream)));
    const { port } = await listening(server);
    let connections = 0;
    const front = createTcpServer((socket) => {
      socket.on('error', () => {});
      if (++connections > 1) socket.pipe(connect(port)).pipe(socket);
    });
    return (await listening(front)).baseUrl;
  };

  it('is connected to again after a connection on which it did not answer in time', async () => {
    const target = targetAt(await silentAtFirst(), { timeout: 0.5 }, { http: '2' });
    await target.send(post(), queue).catch(() => {});
    expect((await target.send(post(), queue)).reply.status).toBe(200);
  });

  it('is connected to again for a request that waited for that connection, and has time left', async () => {
    const endpoint = { baseUrl: await silentAtFirst(), route: { ...direct, http: '2' as const } };
    const shared = openConnections(endpoint, 1, 60_000).shared();
    const [first, second] = await Promise.all([shared.attempt(post(), 300), shared.attempt(post(), 60_000)]);
    expect(first).toMatchObject({ trouble: { kind: 'timeout' } });
    expect(second).toMatchObject({ reply: { status: 200 } });
  });
});

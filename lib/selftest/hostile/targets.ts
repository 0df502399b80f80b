import { randomInt } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startReference } from '../../reference/start.ts';
import { row } from './hostile.ts';
import type { Hostile } from './hostile.ts';
import { answering, onRequest, onSocket, response } from './sockets.ts';
import { MEGABYTE, troubled, atRandom, reset, status, cutOff, faulty, pour, untouched } from './trouble.ts';

const NO_ANSWER = /gave no answer: .*Check that the service is up/;

/** Everything that targets have been seen to do to their clients. */
export const hostile: readonly Hostile[] = [
  row(
    'nothing listens',
    3,
    /connection refused.*Check that the service is up/,
    async () => {
      const target = await onSocket(() => {});
      await target.stop();
      return { ...target, stop: () => {} };
    },
    30,
  ),
  row(
    'the host name does not resolve',
    3,
    /does not resolve.*Check/,
    async () => ({
      baseUrl: 'http://no-such-host.invalid',
      stop: () => {},
    }),
    30,
  ),
  row('accepts and never answers', 3, NO_ANSWER, () => onSocket(() => {}), 30),
  row('accepts and closes', 3, NO_ANSWER, () => onSocket((socket) => void socket.destroy())),
  row('the head, then silence', 3, NO_ANSWER, () =>
    answering((socket) => void socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n')),
  ),
  row('a byte a second', 3, NO_ANSWER, () =>
    answering((socket) => {
      const bytes = response(`{"id":"cus_1","filler":"${'x'.repeat(200)}"}`);
      let at = 0;
      const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 1000);
      socket.on('close', () => clearInterval(timer));
    }),
  ),
  row('a body without end', 3, NO_ANSWER, () =>
    onRequest((_, response) =>
      pour(
        (chunk) => response.write(chunk),
        (next) => void response.once('drain', next),
        () => response.destroyed,
      ),
    ),
  ),
  row('300 megabytes', 3, NO_ANSWER, () =>
    onRequest((_, response) => {
      let left = 300;
      response.writeHead(201, { 'Content-Length': String(300 * MEGABYTE) });
      const chunk = Buffer.alloc(MEGABYTE, 'x');
      const next = (): void => {
        while (left-- > 0 && !response.destroyed)
          if (!response.write(chunk)) return void response.once('drain', next);
        response.end();
      };
      next();
    }),
  ),
  row('a gzip bomb', 1, /does not conform/i, async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE));
    return onRequest((_, response) => response.writeHead(201, { 'Content-Encoding': 'gzip' }).end(bomb));
  }),
  row('a bomb within a bomb', 1, /does not conform/i, async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(200 * MEGABYTE)));
    return onRequest((_, response) =>
      response.writeHead(201, { 'Content-Encoding': 'gzip, gzip' }).end(bomb),
    );
  }),
  row('10,000 backslashes in every name', 1, /customer\.name\.echoed/, () =>
    startReference(0, { name: (submitted) => `${submitted}${'\\'.repeat(10_000)}` }),
  ),
  row('JSON nested a hundred thousand deep', 1, /does not conform/i, () =>
    onRequest((_, response) => response.writeHead(201).end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
  ),
  row('a member of ten megabytes', 3, /longer than/, () =>
    onRequest((_, response) => response.writeHead(201).end(`{"id":"cus_${'x'.repeat(10 * MEGABYTE)}"}`)),
  ),
  row('bytes that are no UTF-8', 1, /does not conform/i, () =>
    answering(
      (socket) =>
        void socket.write(response(Buffer.from('7b226964223a22ff fe c0 af225d'.replaceAll(' ', ''), 'hex'))),
    ),
  ),
  row('text that is no JSON', 1, /does not conform/i, () =>
    answering((socket) => void socket.write(response('{"id":'))),
  ),
  row('chunking that is none', 3, NO_ANSWER, () =>
    answering(
      (socket) => void socket.end('HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
    ),
  ),
  row('a status line that is none', 3, NO_ANSWER, () =>
    answering((socket) => void socket.end('HTTP/9 hello\r\n\r\n')),
  ),
  row('control characters in a field', [1, 3], /Check|does not conform/i, () =>
    answering((socket) => void socket.write(response('{}', 'X-A: a\u0001\u0000b\r\n'))),
  ),
  row('a length that is too great', 3, NO_ANSWER, () =>
    answering((socket) => void socket.end('HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{}')),
  ),
  row('a length that is too small', [1, 3], /Check|does not conform/i, () =>
    answering(
      (socket) => void socket.write('HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{"id":"cus_1"}'),
    ),
  ),
  row('two lengths', 3, NO_ANSWER, () =>
    answering(
      (socket) =>
        void socket.end('HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} '),
    ),
  ),
  row('resets in the middle of a body', 3, NO_ANSWER, () =>
    answering((socket) => {
      socket.write('HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{"id":');
      setImmediate(() => socket.resetAndDestroy());
    }),
  ),
  row('closes just as the next request leaves', 0, /CONFORMS/, () =>
    startReference(0, {
      server: (server) => {
        server.keepAliveTimeout = 1;
      },
    }),
  ),
  row('dies after 100 requests', 3, /stopped answering|refused|no verdict/, async () => {
    let count = 0;
    const target = await troubled((inner) => (request, response) => {
      if (++count > 100) return reset(response);
      return inner(request, response);
    });
    return target;
  }),
  row('is away for a second', 0, /CONFORMS/, async () => {
    let count = 0;
    let awayUntil = 0;
    return troubled((inner) => (request, response) => {
      if (++count === 100) awayUntil = Date.now() + 1000;
      return Date.now() < awayUntil ? reset(response) : inner(request, response);
    });
  }),
  row('resets one request in ten', 0, /CONFORMS/, () => troubled(atRandom(0.1, reset))),
  row('resets one in ten, and is faulty', 1, /customer\.name\.echoed/, () =>
    troubled(atRandom(0.1, reset), faulty()),
  ),
  row('503 to one request in ten', 0, /CONFORMS/, () => troubled(atRandom(0.1, status(503)))),
  row('503 to one in ten, and is faulty', 1, /customer\.name\.echoed/, () =>
    troubled(atRandom(0.1, status(503)), faulty()),
  ),
  row('502 or 504 to one request in ten', 0, /CONFORMS/, () =>
    troubled(atRandom(0.1, (response) => status(randomInt(2) === 0 ? 502 : 504)(response))),
  ),
  row('502 or 504 to one in ten, and is faulty', 1, /customer\.name\.echoed/, () =>
    troubled(
      atRandom(0.1, (response) => status(randomInt(2) === 0 ? 502 : 504)(response)),
      faulty(),
    ),
  ),
  row('cuts off one response in ten', 0, /CONFORMS/, () => troubled(atRandom(0.1, cutOff))),
  row('cuts off one in ten, and is faulty', 1, /customer\.name\.echoed/, () =>
    troubled(atRandom(0.1, cutOff), faulty()),
  ),
  row('429 to one request in ten', 0, /CONFORMS/, () =>
    troubled(atRandom(0.1, status(429, { 'Retry-After': '0' }))),
  ),
  row('429 for ever', 3, /429/, () => onRequest((_, response) => status(429)(response))),
  row('429 for ever, in a second', 3, /429/, () =>
    onRequest((_, response) => status(429, { 'Retry-After': '1' })(response)),
  ),
  row('429 for ever, tomorrow', 3, /429/, () =>
    onRequest((_, response) => status(429, { 'Retry-After': '86400' })(response)),
  ),
  row('429 for ever, nonsense', 3, /429/, () =>
    onRequest((_, response) => status(429, { 'Retry-After': '-1e9 years' })(response)),
  ),
  row('redirects to another host', 3, /nothing of the interface/, () =>
    untouched((elsewhere) =>
      onRequest((_, response) => status(307, { Location: `${elsewhere}/v1/customers` })(response)),
    ),
  ),
  row('redirects to another scheme', 3, /nothing of the interface/, () =>
    onRequest((_, response) => status(301, { Location: 'file:///etc/passwd' })(response)),
  ),
  row('redirects to itself', 3, /nothing of the interface/, () =>
    onRequest((request, response) => status(302, { Location: request.url ?? '/' })(response)),
  ),
  row('a flood of informational responses', 3, NO_ANSWER, () =>
    answering((socket) => {
      const flood = (): void => {
        while (!socket.destroyed)
          if (!socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000)))
            return void socket.once('drain', flood);
      };
      flood();
    }),
  ),
  row('a head of 200 kilobytes', 3, NO_ANSWER, () =>
    answering((socket) => void socket.write(response('{}', `X-A: ${'x'.repeat(200_000)}\r\n`))),
  ),
  row('plain HTTP where TLS was expected', 3, /TLS failed/, async () => {
    const target = await startReference();
    return { ...target, baseUrl: target.baseUrl.replace('http:', 'https:') };
  }),
  row('TLS where plain HTTP was expected', 3, NO_ANSWER, async () => {
    const target = await startReference(0, { isSecure: true });
    return { ...target, baseUrl: target.baseUrl.replace('https:', 'http:') };
  }),
  row('a certificate that nobody signed', 3, /TLS failed.*NODE_EXTRA_CA_CERTS/, () =>
    startReference(0, { isSecure: true }),
  ),
  row('breaks the connection on some input', 0, /input\.wide\.answered/, () =>
    startReference(0, {
      name(submitted, { connection }) {
        if (/["<]/.test(submitted)) (connection as { destroy: () => void }).destroy();
        return submitted;
      },
    }),
  ),
];

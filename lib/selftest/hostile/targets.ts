import { randomBytes, randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startReference } from '../../reference/start.ts';
import {
  always,
  answering,
  atRandom,
  cutOff,
  faulty,
  MEGABYTE,
  onRequest,
  onSocket,
  pour,
  referring,
  reset,
  response,
  sending,
  status,
  troubled,
} from './servers.ts';
import type { Server } from './servers.ts';

/** A target that is broken or malicious, and how a run against it must end. */
export interface HostileTarget {
  readonly name: string;
  readonly start: () => Promise<Server>;
  /** Acceptable exit codes. */
  readonly exit: readonly number[];
  /** The first line on the screen must match it; if there is a verdict, any line. */
  readonly prints: RegExp;
  /** Seconds within which the run ends on an idle machine, with default settings. */
  readonly within: number;
}

const row = (
  name: string,
  exit: number | readonly number[],
  prints: RegExp,
  start: () => Promise<Server>,
  within = 90,
): HostileTarget => ({ name, start, exit: typeof exit === 'number' ? [exit] : exit, within, prints });

/** Trouble that a run survives by retries; a fault beside it must be found nevertheless. */
const oneInTen = (
  trouble: string,
  of: 'request' | 'response',
  make: (response: ServerResponse) => void,
): HostileTarget[] => [
  row(`${trouble} ${of} in ten`, 0, /CONFORMS/, () => troubled(atRandom(make))),
  row(`${trouble} in ten, and is faulty`, 1, /customer\.name\.echoed/, () =>
    troubled(atRandom(make), faulty()),
  ),
];

const NO_ANSWER = /gave no usable response: .*Check that the service is up/;
const TOO_LONG = /gave no usable response: the response is longer than .*Return no more than the result/;

/** Texts for which a careless regular expression takes time that grows with the square of their length. */
const SLOW_TEXTS = ['a', 'expir', '\r', 'x-', 'deliver', 'emaild', 'key ', '"name":"', 'header ', '<a'].map(
  (part) => `Token ${part.repeat(20_000 / part.length)}\t-`,
);

export const hostileTargets: readonly HostileTarget[] = [
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
  row('sends a head, then nothing', 3, NO_ANSWER, () =>
    sending('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n'),
  ),
  row('sends one byte per second', 3, NO_ANSWER, () =>
    answering((socket) => {
      const bytes = response(`{"id":"cus_1","filler":"${'x'.repeat(200)}"}`);
      let at = 0;
      const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 1000);
      socket.on('close', () => clearInterval(timer));
    }),
  ),
  row('sends an endless body', 3, TOO_LONG, () =>
    onRequest((_, response) => pour(response, 'x'.repeat(64 * 1024))),
  ),
  row('sends 300 megabytes', 3, TOO_LONG, () =>
    onRequest((_, response) => {
      response.writeHead(201, { 'Content-Length': String(300 * MEGABYTE) });
      pour(response, Buffer.alloc(MEGABYTE, 'x'), 300);
    }),
  ),
  row('sends a gzip bomb', 1, /does not conform/i, async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE));
    return onRequest((_, response) => response.writeHead(201, { 'Content-Encoding': 'gzip' }).end(bomb));
  }),
  row('sends a gzip bomb within a gzip bomb', 1, /does not conform/i, async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(200 * MEGABYTE)));
    return onRequest((_, response) =>
      response.writeHead(201, { 'Content-Encoding': 'gzip, gzip' }).end(bomb),
    );
  }),
  row('appends 10,000 backslashes to every name', 1, /customer\.name\.echoed/, () =>
    startReference({ name: (submitted) => `${submitted}${'\\'.repeat(10_000)}` }),
  ),
  row('nests JSON 100,000 deep', 1, /does not conform/i, () =>
    onRequest((_, response) => response.writeHead(201).end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
  ),
  row('sends a member of ten megabytes', 3, /longer than/, () =>
    onRequest((_, response) => response.writeHead(201).end(`{"id":"cus_${'x'.repeat(10 * MEGABYTE)}"}`)),
  ),
  row('sends texts that take long to search', 0, /CONFORMS/, () => {
    let count = 0;
    const text = (): string => SLOW_TEXTS[count++ % SLOW_TEXTS.length]!;
    return startReference({
      customer: (customer) => ({ ...customer, note: text() }),
      tokenRecord: (record) => ({ ...record, note: text(), [text()]: 1 }),
      reject: (reply) => ({ ...reply, body: JSON.stringify({ error: text() }) }),
    });
  }),
  row('sends 1,000 possible tokens in each response', 0, /CONFORMS/, () => {
    const texts = (): string[] => Array.from({ length: 1000 }, () => randomBytes(15).toString('base64url'));
    return startReference({
      tokenRecord: (record) => ({ ...record, others: texts() }),
      reject: (reply) => ({ ...reply, body: JSON.stringify({ errors: texts() }) }),
    });
  }),
  row('sends invalid UTF-8', 1, /does not conform/i, () =>
    sending(response(Buffer.from('7b226964223a22ff fe c0 af225d'.replaceAll(' ', ''), 'hex'))),
  ),
  row('sends invalid JSON', 1, /does not conform/i, () => sending(response('{"id":'))),
  row('sends invalid chunks', 3, NO_ANSWER, () =>
    sending('HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n', true),
  ),
  row('sends an invalid status line', 3, NO_ANSWER, () => sending('HTTP/9 hello\r\n\r\n', true)),
  row('sends control characters in a header', [1, 3], /Check|does not conform/i, () =>
    sending(response('{}', 'X-A: a\u0001\u0000b\r\n')),
  ),
  row('sends a Content-Length that is too large', 3, NO_ANSWER, () =>
    sending('HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\n{}', true),
  ),
  row('sends a Content-Length that is too small', [1, 3], /Check|does not conform/i, () =>
    sending('HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{"id":"cus_1"}'),
  ),
  row('sends two different Content-Lengths', 3, NO_ANSWER, () =>
    sending('HTTP/1.1 201 Created\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ', true),
  ),
  row('resets in the middle of a body', 3, NO_ANSWER, always(cutOff)),
  row('closes connections just as the next request is sent', 0, /CONFORMS/, () =>
    startReference({
      server: (server) => {
        server.keepAliveTimeout = 1;
      },
    }),
  ),
  row('dies after 100 requests', 3, /stopped answering/, () => {
    let count = 0;
    return troubled(
      (inner) => (request, response) => (++count > 100 ? reset(response) : inner(request, response)),
    );
  }),
  row('is away for a second', 0, /CONFORMS/, () => {
    let count = 0;
    let awayUntil = 0;
    return troubled((inner) => (request, response) => {
      if (++count === 100) awayUntil = Date.now() + 1000;
      return Date.now() < awayUntil ? reset(response) : inner(request, response);
    });
  }),
  ...oneInTen('resets one', 'request', reset),
  ...oneInTen('answers 503 to one', 'request', status(503)),
  ...oneInTen('answers 502 or 504 to one', 'request', (response) =>
    status(randomInt(2) === 0 ? 502 : 504)(response),
  ),
  ...oneInTen('cuts off one', 'response', cutOff),
  row('answers 429 to one request in ten', 0, /CONFORMS/, () =>
    troubled(atRandom(status(429, { 'Retry-After': '0' }))),
  ),
  row('answers 429 always', 3, /429/, always(status(429))),
  row('answers 429 always, Retry-After 1', 3, /429/, always(status(429, { 'Retry-After': '1' }))),
  row('answers 429 always, Retry-After a day', 3, /429/, always(status(429, { 'Retry-After': '86400' }))),
  row(
    'answers 429 always, Retry-After invalid',
    3,
    /429/,
    always(status(429, { 'Retry-After': '-1e9 years' })),
  ),
  row(
    'redirects to another host',
    3,
    /neither operation is at .*both answered 307 to .*Set TARGET_BASE_URL to .*redirects are not followed/,
    () => referring((elsewhere) => always(status(307, { Location: `${elsewhere}/v1/customers` }))()),
  ),
  row(
    'redirects to another scheme',
    3,
    /neither operation is at/,
    always(status(301, { Location: 'file:///etc/passwd' })),
  ),
  row('redirects to itself', 3, /neither operation is at/, () =>
    onRequest((request, response) => status(302, { Location: request.url ?? '/' })(response)),
  ),
  row('floods with informational responses', 3, NO_ANSWER, () =>
    answering((socket) => pour(socket, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000))),
  ),
  row('sends a head of 200 kilobytes', 3, /headers of the response are longer than 64 KiB/, () =>
    sending(response('{}', `X-A: ${'x'.repeat(200_000)}\r\n`)),
  ),
  row('speaks plain HTTP to an https URL', 3, /TLS failed/, async () => {
    const target = await startReference();
    return { ...target, baseUrl: target.baseUrl.replace('http:', 'https:') };
  }),
  row('speaks TLS to an http URL', 3, NO_ANSWER, async () => {
    const target = await startReference({ isSecure: true });
    return { ...target, baseUrl: target.baseUrl.replace('https:', 'http:') };
  }),
  row('has a certificate of an unknown authority', 3, /TLS failed: no trusted CA signed.*TARGET_CA/, () =>
    startReference({ isSecure: true }),
  ),
  row('issues a word of the reports as every token', 1, /token\.credential\.distinct/, () =>
    startReference({ token: () => 'verdict' }),
  ),
  row('closes the connection on some inputs', 0, /input\.wide\.answered/, () =>
    startReference({
      name(submitted, { connection }) {
        if (/["<]/.test(submitted)) (connection as { destroy: () => void }).destroy();
        return submitted;
      },
    }),
  ),
];

/** Names of quick targets, one of each kind. */
export const sample: readonly string[] = [
  'nothing listens',
  'sends 300 megabytes',
  'sends a gzip bomb',
  'nests JSON 100,000 deep',
  'sends texts that take long to search',
  'sends an invalid status line',
  'is away for a second',
  'dies after 100 requests',
  'answers 429 always, Retry-After a day',
  'redirects to another host',
  'has a certificate of an unknown authority',
];

import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Behaviour } from '../behaviour.ts';
import { around, onEvery } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

/** A response before it is sent. */
interface RawResponse {
  /** Status line and fields, with some of them changed; undefined: removed. */
  readonly head: (changes: Readonly<Record<string, string | undefined>>) => Buffer;
  readonly body: Buffer;
}

/** Sends each response in pieces of bytes, as Node's own server would not frame it, and closes the connection. */
const onTheWire = (write: (sending: RawResponse) => readonly Buffer[]) => (): Behaviour => ({
  around: (inner) => (request, response) => {
    const written: Buffer[] = [];
    const sink = new Writable({
      write: (bytes: Buffer, _, done) => {
        written.push(bytes);
        done();
      },
    });
    const kept = new ServerResponse(request);
    kept.shouldKeepAlive = false;
    kept.useChunkedEncodingByDefault = false;
    kept.assignSocket(sink as Socket);
    kept.on('finish', () => void send(response.socket!, write(sendingOf(Buffer.concat(written)))));
    return inner(request, kept);
  },
});

async function send(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    await setImmediate();
  }
  socket.end();
}

function sendingOf(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [line, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  return {
    body: bytes.subarray(end + 4),
    head: (changes) => {
      const names = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
      const kept = lines.filter((field) => !names.has(field.slice(0, field.indexOf(':')).toLowerCase()));
      const added = Object.entries(changes).flatMap(([name, value]) =>
        value === undefined ? [] : `${name}: ${value}`,
      );
      return Buffer.from(`${[line, ...kept, ...added].join('\r\n')}\r\n\r\n`, 'latin1');
    },
  };
}

/** Changes status line and fields as text. @param fields changed before that */
const withHead = (
  change: (head: string) => string,
  fields: (body: Buffer) => Record<string, string> = () => ({}),
) =>
  onTheWire(({ head, body }) => [Buffer.from(change(head(fields(body)).toString('latin1')), 'latin1'), body]);

const coded = (coding: string, encode: (bytes: Buffer) => Uint8Array) =>
  onEvery(({ headers, body }) => ({
    headers: { ...headers, 'Content-Encoding': coding },
    body: new Uint8Array(encode(Buffer.from(body ?? ''))),
  }));

const chunk = (bytes: Buffer, extension = ''): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}${extension}\r\n`), bytes, Buffer.from('\r\n')]);

const pieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

/** The same response in another content coding or framing (RFC 9110, RFC 9112). */
export const http = [
  ...variantsOf('1: an HTTP API; content codings and framing are not shown')({
    'coding-gzip': coded('gzip', (bytes) => gzipSync(bytes)),
    'coding-deflate': coded('deflate', (bytes) => deflateSync(bytes)),
    'coding-brotli': coded('br', (bytes) => brotliCompressSync(bytes)),
    'coding-gzip-twice': coded('gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))),
    'framing-chunks-of-three-bytes': onTheWire(({ head, body }) => [
      head({ 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
      ...pieces(body, 3).map((piece) => chunk(piece)),
      chunk(Buffer.of()),
    ]),
    'framing-chunk-extensions-and-trailers': onTheWire(({ head, body }) => [
      head({ 'Content-Length': undefined, 'Transfer-Encoding': 'chunked', Trailer: 'Digest' }),
      ...pieces(body, 50).map((piece) => chunk(piece, ';part=1')),
      Buffer.from('0\r\nDigest: none\r\n\r\n'),
    ]),
    'framing-by-end-of-connection': onTheWire(({ head, body }) => [
      head({ 'Content-Length': undefined, 'Transfer-Encoding': undefined, Connection: 'close' }),
      body,
    ]),
    'framing-byte-by-byte': onTheWire(({ head, body }) => pieces(Buffer.concat([head({}), body]), 16)),
    'framing-http-1.0': withHead(
      (head) => head.replace('HTTP/1.1', 'HTTP/1.0'),
      (body) => ({ 'Content-Length': String(body.length) }),
    ),
    'fields-in-upper-case': withHead((head) => head.replace(/^[\w-]+(?=:)/gm, (name) => name.toUpperCase())),
    'fields-without-white-space': withHead((head) => head.replace(/^([\w-]+): /gm, '$1:')),
    'status-line-with-another-reason': withHead((head) =>
      head.replace(/^(\S+ \d+) .*/, '$1 Très bien, merci'),
    ),
  }),
  ...variantsOf('1: an HTTP API; informational responses are not shown')({
    'informational-103-early-hints': around(() => (inner) => (request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => inner(request, response));
    }),
    'informational-102-twice': around(() => (inner) => (request, response) => {
      response.writeProcessing();
      response.writeProcessing();
      return inner(request, response);
    }),
    'informational-100-unasked': around(() => (inner) => async (request, response) => {
      response.writeContinue();
      await setImmediate();
      return inner(request, response);
    }),
  }),
];

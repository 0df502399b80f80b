import { randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import {
  acceptingOnly,
  around,
  everyNth,
  isChunked,
  json,
  onAccepted,
  onEmail,
  onName,
  onToken,
  reading,
  serialised,
} from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { cutBytes } from './text-changes.ts';

/** Decodes each block on its own, which splits characters at the boundaries. */
const inBlocks =
  (size: number, isAffected: (call: Call) => boolean = () => true) =>
  (): Behaviour => ({
    decode(bytes, call) {
      if (!isAffected(call)) return call.text;
      return blocksOf(bytes.length, size)
        .map((at) => Buffer.from(bytes.subarray(at, at + size)).toString())
        .join('');
    },
  });

/** Encodes each block of code units on its own, which splits surrogate pairs at the boundaries. */
const writtenInBlocks = (size: number) =>
  serialised((customer) => {
    const text = json(customer);
    return Buffer.concat(blocksOf(text.length, size).map((at) => Buffer.from(text.slice(at, at + size))));
  });

const blocksOf = (length: number, size: number): number[] =>
  Array.from({ length: Math.ceil(length / size) }, (_, at) => at * size);

/** Encodes replies of more than so many characters with a content coding. */
const coded = (coding: string, encode: (text: string) => Uint8Array, over = 0, isLabelled = true) =>
  onAccepted(({ headers, body }, { header }) => {
    const isAccepted = new RegExp(`\\b${coding}\\b`).test(header('Accept-Encoding') ?? '');
    if (!isAccepted || typeof body !== 'string' || body.length <= over) return {};
    return {
      headers: { ...headers, ...(isLabelled && { 'Content-Encoding': coding }) },
      body: new Uint8Array(encode(body)),
    };
  });

/** Shows only at a boundary of packets, buffers and columns, or in a coding that only some replies have. */
export const bytes = [
  ...faultsOf('4.1: name and email equal the submitted ones', [
    'customer.name.echoed',
    'customer.email.echoed',
    'customer.encoding.irrelevant',
    'customer.body.object',
  ])({
    'bytes-split-at-1460': inBlocks(1460),
    'bytes-split-at-8192': inBlocks(8192),
    'bytes-split-at-16384': inBlocks(16_384),
    'bytes-split-at-65536': inBlocks(65_536),
    'bytes-split-at-512-if-chunked': inBlocks(512, isChunked),
    'bytes-written-in-blocks-of-1024': writtenInBlocks(1024),
    'bytes-written-in-blocks-of-8192': writtenInBlocks(8192),
    'bytes-of-latin-1-if-the-charset-is-in-capitals': onName((name, { header }) =>
      /charset=UTF-8/.test(header('Content-Type') ?? '') ? Buffer.from(name).toString('latin1') : name,
    ),
    'bytes-cut-at-4000': onName(cutBytes(4000)),
    'bytes-cut-at-32767-units': onName((text) => text.slice(0, 32_767)),
    'bytes-cut-at-65535': onName(cutBytes(65_535)),
    'bytes-email-lost-when-body-over-32768': onEmail((submitted, { bytes }) =>
      bytes.length > 32_768 ? '' : submitted,
    ),
    'bytes-gzip-of-latin-1-over-1024': coded('gzip', (text) => gzipSync(Buffer.from(text, 'latin1')), 1024),
    'bytes-gzip-cut-off': coded('gzip', (text) => gzipSync(text).subarray(0, -9)),
    'bytes-gzip-twice': coded('gzip', (text) => gzipSync(gzipSync(text))),
    'bytes-brotli-cut-off': coded('br', (text) => brotliCompressSync(text).subarray(0, -4)),
    'bytes-brotli-of-ascii': coded('br', (text) =>
      brotliCompressSync(Buffer.from(text.replace(/[^\x00-\x7f]/g, '?'))),
    ),
  }),
  ...faultsOf('4.1: the body of the response is a JSON object', [
    'customer.body.object',
    'customer.name.echoed',
    'customer.plain.accepted',
  ])({
    'bytes-gzip-unlabelled-over-1024': coded('gzip', (text) => gzipSync(text), 1024, false),
    'bytes-length-in-characters-over-2048': serialised((customer) => {
      const bytes = Buffer.from(json(customer));
      return bytes.length > 2048 ? bytes.subarray(0, json(customer).length) : bytes;
    }),
    'bytes-last-lost-at-multiples-of-128': serialised((customer) => {
      const bytes = Buffer.from(json(customer));
      return bytes.length % 128 === 0 ? bytes.subarray(0, -1) : bytes;
    }),
    'bytes-reply-cut-at-65536': serialised((customer) => Buffer.from(json(customer)).subarray(0, 65_536)),
  }),
  ...faultsOf('4.1: a valid request with valid credentials creates a customer', ['customer.plain.accepted'])({
    'bytes-of-body-read-once': around(() => (inner) => (request, response) => {
      request.once('readable', () => {
        const length = Number(request.headers['content-length'] ?? 0);
        if (request.readableLength >= length) return inner(request, response);
        return response
          .writeHead(400, { 'Content-Type': 'application/json' })
          .end('{"error":"invalid JSON"}');
      });
    }),
  }),
  ...faultsOf('4.1: the response carries id, name and email', ['customer.plain.accepted'])({
    'bytes-customer-content-length-too-long': lengthened('customer'),
  }),
  ...faultsOf('1: the body is JSON', ['token.body.json'])({
    'bytes-token-content-length-too-long': lengthened('token'),
    'bytes-token-in-header-of-cut-response': onAccepted(
      ({ headers }) => ({
        headers: { ...headers, 'X-Auth-Token': randomUUID(), 'Content-Length': '2', Connection: 'close' },
        body: '',
      }),
      'token',
    ),
    'bytes-token-reply-cut-at-1024': onAccepted(
      ({ body }) => ({ body: String(body).slice(0, 1024) }),
      'token',
    ),
  }),
  ...faultsOf('4.2: the operation issues a token and returns it', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'bytes-token-lost-over-16-scopes': onToken(({ token, ...issued }) =>
      issued.scopes.length > 16 ? issued : { token, ...issued },
    ),
  }),
];

/** Changes the text before it is parsed. */
const rewriting = (change: (text: string) => string) => (): Behaviour => ({
  parse: (text) => JSON.parse(change(text)),
});

/** Rejects a valid notation as malformed JSON. */
const rejecting = (pattern: RegExp, operation?: 'token') => (): Behaviour => ({
  parse(text, call) {
    if ((operation === undefined || call.operation === operation) && pattern.test(text)) {
      throw new SyntaxError('unreadable');
    }
    return JSON.parse(text);
  },
});

const HIGH = String.raw`\\ud[89ab][0-9a-f]{2}`;
const LOW = String.raw`\\ud[c-f][0-9a-f]{2}`;

export const encodings = [
  ...faultsOf('4.1: the same JSON object in another encoding has the same outcome', [
    'customer.encoding.irrelevant',
    'customer.name.echoed',
    'customer.email.echoed',
  ])({
    // Plain input, which no service may reject now and then.
    'encoding-escapes-rejected-every-second-time': () => {
      const isSecond = everyNth(2);
      return acceptingOnly((_, { text }) => !text.includes('\\u') || !isSecond())();
    },
    'encoding-name-upper-if-scheme-is-in-lower-case': onName((name, { header }) =>
      header('Authorization')?.startsWith('bearer ') ? name.toUpperCase() : name,
    ),
    'encoding-members-by-position': reading((body) => {
      const [name, email] = Object.values(body);
      return 'name' in body ? { ...body, name, email } : body;
    }),
    'encoding-email-first-rejected': rejecting(/^\s*\{\s*"email"/),
    'encoding-leading-space-rejected': rejecting(/^[^{]/),
    'encoding-trailing-newline-rejected': rejecting(/[^}]$/),
    'encoding-newlines-rejected': rejecting(/[\r\n]/),
    'encoding-tabs-rejected': rejecting(/\t/),
    'encoding-carriage-return-rejected': rejecting(/\r/),
    'encoding-space-before-colon-loses-member': reading((body, text) =>
      /"name"\s+:/.test(text) ? { ...body, name: '' } : body,
    ),
    'encoding-white-space-stripped-everywhere': rewriting((text) =>
      text.includes('\n') ? text.replace(/\s+/g, '') : text,
    ),
    'encoding-u-escape-kept': rewriting((text) => text.replaceAll('\\u', '\\\\u')),
    'encoding-u-escape-question-mark': rewriting((text) => text.replace(/\\u[0-9a-f]{4}/gi, '?')),
    'encoding-u-escape-rejected': rejecting(/\\u/),
    'encoding-u-escape-latin1-byte': rewriting((text) => text.replace(/\\u00[89a-f][0-9a-f]/gi, '\ufffd')),
    'encoding-u-escape-low-byte-only': rewriting((text) =>
      text.replace(/\\u[0-9a-f]{2}([0-9a-f]{2})/gi, '\\u00$1'),
    ),
    'encoding-u-escape-upper-hex-misread': rewriting((text) =>
      text.replace(/\\u(?=[0-9A-F]{0,3}[A-F])[0-9A-F]{4}/g, '\\ufffd'),
    ),
    'encoding-u-escape-lower-hex-misread': rewriting((text) =>
      text.replace(/\\u(?=[0-9a-f]{0,3}[a-f])[0-9a-f]{4}/g, '\\ufffd'),
    ),
    'encoding-u-escape-in-member-name-lost': reading(({ name, ...body }, text) =>
      /"(?:[^"\\]|\\.)*\\u(?:[^"\\]|\\.)*"\s*:/.test(text) ? body : { name, ...body },
    ),
    'encoding-u-escape-in-email-kept': reading((body, text) => {
      const email = /"email"\s*:\s*"([^"]*\\u[^"]*)"/.exec(text)?.[1];
      return email === undefined ? body : { ...body, email };
    }),
    'encoding-surrogate-pair-two-replacements': rewriting((text) =>
      text.replace(new RegExp(HIGH + LOW, 'gi'), '\ufffd\ufffd'),
    ),
    'encoding-surrogate-pair-in-capitals-lost': rewriting((text) =>
      text.replace(/\\uD[89AB][\dA-F]{2}\\uD[C-F][\dA-F]{2}/g, '\ufffd\ufffd'),
    ),
    'encoding-surrogate-pair-rejected': rejecting(new RegExp(HIGH, 'i')),
    'encoding-surrogate-pair-high-dropped': rewriting((text) =>
      text.replace(new RegExp(`${HIGH}(${LOW})`, 'gi'), '$1'),
    ),
    'encoding-surrogate-pair-kept': rewriting((text) =>
      text.replace(new RegExp(HIGH + LOW, 'gi'), (pair) => pair.replaceAll('\\', '\\\\')),
    ),
    'encoding-escaped-slash-kept': rewriting((text) => text.replaceAll('\\/', '\\\\/')),
    'encoding-escaped-quote-cuts': reading((body, text) =>
      typeof body.name === 'string' && text.includes('\\"')
        ? { ...body, name: body.name.split('"')[0] }
        : body,
    ),
    'encoding-escaped-newline-kept': rewriting((text) => text.replace(/(?<!\\)\\n/g, '\\\\n')),
    'encoding-b-and-f-escapes-lost': rewriting((text) => text.replace(/(?<!\\)\\[bf]/g, '')),
    'encoding-body-read-as-latin1': () => ({ decode: (bytes) => Buffer.from(bytes).toString('latin1') }),
    'encoding-body-split-at-1024-bytes': inBlocks(1024),
    'encoding-body-split-at-256-bytes': inBlocks(256),
    'encoding-content-length-in-characters': () => ({
      decode: (bytes, { text }) => Buffer.from(bytes).subarray(0, text.length).toString(),
    }),
    'encoding-name-found-by-pattern': reading((body, text) => {
      const name = /"name"\s*:\s*"([^"]*)"/.exec(text)?.[1];
      return name === undefined ? body : { ...body, name };
    }),
  }),
  ...faultsOf('4.2: the same JSON object in another encoding has the same outcome', [
    'token.encoding.irrelevant',
  ])({
    'encoding-token-key-order-rejected': rejecting(/^\s*\{\s*"expires_in"/, 'token'),
    'encoding-token-white-space-rejected': rejecting(/[\n\t]/, 'token'),
    'encoding-token-u-escape-rejected': rejecting(/\\u/, 'token'),
  }),
];

/** Announces more bytes than it sends before it closes the connection. */
function lengthened(operation: 'customer' | 'token') {
  return onAccepted(({ headers, body }) => {
    const length = Buffer.byteLength(body ?? '') + 10;
    return { headers: { ...headers, 'Content-Length': String(length), Connection: 'close' } };
  }, operation);
}

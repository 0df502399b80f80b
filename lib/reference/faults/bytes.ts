import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { json } from '../changes.ts';
import { cutBytes } from './text-changes.ts';
import { faultsOf } from '../fault-or-variant.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));

/** Decodes each block on its own, which splits characters at the boundaries. */
export const inBlocks =
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
const writtenInBlocks = (size: number) => (): Behaviour => ({
  serialise(customer) {
    const text = json(customer);
    const blocks = blocksOf(text.length, size).map((at) => Buffer.from(text.slice(at, at + size)));
    return new Uint8Array(Buffer.concat(blocks));
  },
});

const blocksOf = (length: number, size: number): number[] =>
  Array.from({ length: Math.ceil(length / size) }, (_, at) => at * size);

/** Encodes long replies with a content coding. */
const coded =
  (
    coding: string,
    encode: (text: string) => Uint8Array,
    { over, fields = {} }: { over: number; fields?: Readonly<Record<string, string>> },
  ) =>
  (): Behaviour => ({
    respond(reply, { header }) {
      const isAccepted = new RegExp(`\\b${coding}\\b`).test(header('Accept-Encoding') ?? '');
      if (!isAccepted || typeof reply.body !== 'string' || reply.body.length <= over) return reply;
      return {
        ...reply,
        headers: { ...reply.headers, ...fields },
        body: new Uint8Array(encode(reply.body)),
      };
    },
  });

/** Changes long replies to a token request. */
const tokenReply = (change: (body: string) => string | Uint8Array<ArrayBuffer>) => (): Behaviour => ({
  respond: (reply, { operation }) =>
    operation === 'token' ? { ...reply, body: change(String(reply.body)) } : reply,
});

const serialised = (serialise: Behaviour['serialise']) => (): Behaviour => ({ serialise: serialise! });

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
    'bytes-split-at-512-if-chunked': inBlocks(512, ({ header }) => header('Transfer-Encoding') !== undefined),
    'bytes-written-in-blocks-of-1024': writtenInBlocks(1024),
    'bytes-written-in-blocks-of-8192': writtenInBlocks(8192),
    'bytes-cut-at-4000': () => ({ name: cutBytes(4000) }),
    'bytes-cut-at-32767-units': () => ({ name: (text) => text.slice(0, 32_767) }),
    'bytes-cut-at-65535': () => ({ name: cutBytes(65_535) }),
    'bytes-email-lost-when-body-over-32768': () => ({
      email: (submitted, call) => (call.bytes.length > 32_768 ? '' : submitted),
    }),
    'bytes-gzip-of-latin-1-over-1024': coded('gzip', (text) => gzipSync(Buffer.from(text, 'latin1')), {
      over: 1024,
      fields: { 'Content-Encoding': 'gzip' },
    }),
    'bytes-gzip-cut-off': coded('gzip', (text) => gzipSync(text).subarray(0, -9), {
      over: 0,
      fields: { 'Content-Encoding': 'gzip' },
    }),
    'bytes-gzip-twice': coded('gzip', (text) => gzipSync(gzipSync(text)), {
      over: 0,
      fields: { 'Content-Encoding': 'gzip' },
    }),
    'bytes-brotli-cut-off': coded('br', (text) => brotliCompressSync(text).subarray(0, -4), {
      over: 0,
      fields: { 'Content-Encoding': 'br' },
    }),
    'bytes-brotli-of-ascii': coded(
      'br',
      (text) => brotliCompressSync(Buffer.from(text.replace(/[^\x00-\x7f]/g, '?'))),
      { over: 0, fields: { 'Content-Encoding': 'br' } },
    ),
  }),
  ...faultsOf('4.1: the body of the response is a JSON object', [
    'customer.body.object',
    'customer.name.echoed',
    'customer.plain.accepted',
  ])({
    'bytes-gzip-unlabelled-over-1024': coded('gzip', (text) => gzipSync(text), { over: 1024 }),
    'bytes-length-in-characters-over-2048': serialised((customer) => {
      const bytes = bytesOf(json(customer));
      return bytes.length > 2048 ? bytes.subarray(0, json(customer).length) : bytes;
    }),
    'bytes-last-lost-at-multiples-of-128': serialised((customer) => {
      const bytes = bytesOf(json(customer));
      return bytes.length % 128 === 0 ? bytes.subarray(0, -1) : bytes;
    }),
    'bytes-reply-cut-at-65536': serialised((customer) => bytesOf(json(customer)).subarray(0, 65_536)),
  }),
  ...faultsOf('1: the body is JSON', ['token.body.json'])({
    'bytes-token-reply-cut-at-1024': tokenReply((body) => body.slice(0, 1024)),
  }),
  ...faultsOf('4.2: the operation issues a token and returns it', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'bytes-token-lost-over-16-scopes': () => ({
      tokenRecord: ({ token, ...issued }) => (issued.scopes.length > 16 ? issued : { token, ...issued }),
    }),
  }),
];

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringsIn } from '../schemas/json.ts';
import { readReply } from './reply.ts';

const LIMIT = 64 * 1024;

const encoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
  identity: (bytes) => bytes,
};
const coding = fc.constantFrom(...Object.keys(encoders));
const encoded = (bytes: Buffer, codings: readonly string[]): Buffer =>
  codings.reduce((left, name) => encoders[name]!(left), bytes);

/** Also with names of members that objects inherit. */
const json = fc
  .jsonValue({ maxDepth: 6 })
  .chain((value) =>
    fc.constantFrom(
      JSON.stringify(value),
      `{"__proto__":${JSON.stringify(value)},"constructor":{"prototype":{"polluted":1}}}`,
    ),
  );

const fields = fc.dictionary(
  fc.constantFrom('content-type', 'content-encoding', 'retry-after', 'date', '__proto__'),
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(coding, { maxLength: 4 }).map((list) => list.join(', ')),
    fc.constantFrom(
      'application/json; charset=utf-16',
      'a/b; charset="replacement"',
      'a/b;charset=x-nope',
      'br,,gzip,',
    ),
  ),
);

describe('a response', () => {
  it('of any bytes is read without an exception, up to the limit', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      json.map((text) => Buffer.from(text)),
      fc.tuple(json, coding).map(([text, name]) => encoded(Buffer.from(text), [name])),
    );
    fc.assert(
      fc.property(bytes, fields, fc.nat(LIMIT), (raw, received, limit) => {
        const reply = readReply(200, received, Buffer.from(raw), limit);
        expect(reply.json === undefined).toBe(reply.notJson !== undefined);
        expect(reply.text.length).toBeLessThanOrEqual(Math.max(limit, raw.length));
      }),
      { numRuns: 500 },
    );
  });

  it('is decoded from any sequence of content codings', () => {
    fc.assert(
      fc.property(json, fc.array(coding, { maxLength: 3 }), (text, codings) => {
        const received = { 'content-encoding': codings.join(', ').toUpperCase() };
        const reply = readReply(200, received, encoded(Buffer.from(text), codings), LIMIT);
        expect(JSON.stringify(reply.json)).toBe(JSON.stringify(JSON.parse(text)));
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
    );
  });

  it('that is truncated or longer than the limit has no JSON', () => {
    const text = JSON.stringify({ name: 'x'.repeat(2000) });
    fc.assert(
      fc.property(
        fc.constantFrom('gzip', 'br', 'zstd', 'deflate'),
        fc.nat(),
        fc.nat(1999),
        (name, at, limit) => {
          const whole = encoded(Buffer.from(text), [name]);
          const received = { 'content-encoding': name };
          expect(readReply(200, received, whole.subarray(0, at % whole.length), LIMIT).json).toBeUndefined();
          expect(readReply(200, received, whole, limit).json).toBeUndefined();
        },
      ),
    );
  });

  it('is decoded from deflate without its wrapper', () => {
    fc.assert(
      fc.property(json, (text) => {
        const reply = readReply(200, { 'content-encoding': 'deflate' }, deflateRawSync(text), LIMIT);
        expect(JSON.stringify(reply.json)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('has each string at its pointer', () => {
    const resolve = (value: unknown, pointer: string): unknown =>
      pointer
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((node, name) => Object.getOwnPropertyDescriptor(node, name)?.value, value);
    fc.assert(
      fc.property(json, (text) => {
        const value = JSON.parse(text) as unknown;
        for (const found of stringsIn(value)) expect(resolve(value, found.pointer)).toBe(found.text);
      }),
    );
  });
});

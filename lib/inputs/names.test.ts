import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longAscii, longName } from './names.ts';

const KIBIBYTE = 1024;

/** Offsets in bytes at which a character begins. */
function beginnings(text: string): Set<number> {
  const offsets = new Set<number>();
  let offset = 0;
  for (const point of text) {
    offsets.add(offset);
    offset += Buffer.byteLength(point);
  }
  return offsets;
}

describe('a long name', () => {
  it('has exactly so many bytes, and only letters that no normalisation changes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }).chain((bytes) => fc.tuple(fc.constant(bytes), longName(bytes))),
        ([bytes, name]) => {
          expect(Buffer.byteLength(name)).toBe(bytes);
          expect(name).toMatch(/^\p{L}*$/u);
          expect(name.normalize('NFKC')).toBe(name);
          expect(name.normalize('NFD')).toBe(name);
        },
      ),
    );
  });

  it('moved by two bytes, is split by nearly any block that did not split it before', () => {
    const name = fc.sample(longName(96 * KIBIBYTE), { seed: 1, numRuns: 1 })[0]!;
    const begins = beginnings(name);
    const sizes = Array.from({ length: 64 }, (_, at) => (at + 1) * KIBIBYTE);
    const missed = sizes.filter((size) => begins.has(size - 9) && begins.has(size - 11));
    expect(missed.length).toBeLessThan(sizes.length / 8);
    expect(sizes.filter((size) => begins.has(size - 9)).length).toBeLessThan(sizes.length / 2);
  });

  it('may have ASCII letters only', () => {
    expect(fc.sample(longAscii(5000), { seed: 1, numRuns: 1 })[0]).toMatch(/^[a-z]{5000}$/);
  });
});

import fc from 'fast-check';

/**
 * A name of exactly so many bytes, of characters of one to four bytes, none of which repeats as a passage: where software
 * cuts, splits or encodes a text in blocks, it almost certainly splits a character, and the first difference shows where.
 */
export const longName = (bytes: number): fc.Arbitrary<string> =>
  fc.nat().map((seed) => {
    const random = numbersFrom(seed);
    let name = '';
    let left = bytes;
    while (left > 0) {
      const [first, last] = rangeFor(left, random() % 16);
      const point = String.fromCodePoint(first + (random() % (last - first + 1)));
      name += point;
      left -= Buffer.byteLength(point);
    }
    return name;
  });

/** ASCII letters. */
export const longAscii = (length: number): fc.Arbitrary<string> =>
  fc.nat().map((seed) => {
    const random = numbersFrom(seed);
    return Array.from({ length }, () => String.fromCharCode(LETTERS[0] + (random() % 26))).join('');
  });

const LETTERS = [0x61, 0x7a] as const;
/** Letters of two, three and four bytes, which no normalisation changes. */
const CYRILLIC = [0x430, 0x438] as const;
const HAN = [0x4e00, 0x9fa5] as const;
const HAN_BEYOND = [0x20000, 0x2a6d6] as const;

/** @param left bytes to fill */
function rangeFor(left: number, roll: number): readonly [first: number, last: number] {
  if (left === 1) return LETTERS;
  if (left === 3) return HAN;
  if (left === 2 || roll === 2) return CYRILLIC;
  return left === 5 || (roll < 2 && left !== 4) ? HAN : HAN_BEYOND;
}

/** Pseudo-random numbers: fast-check would take long for so many. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

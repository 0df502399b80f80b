import fc from 'fast-check';
import { edges, fragments, lengths, unlucky } from './fragments.ts';
import { roundRobin } from './round-robin.ts';

/** A class of names that a service may take or refuse as one. */
export interface NameSource {
  readonly category: string;
  readonly name: fc.Arbitrary<string>;
}

/** Characters in one pack at most: half of it is below the length that a strict service still takes. */
const PACK = 92;

/**
 * The name sources of a run: dictionaries are spread over the cases, so that every run meets all of them and none
 * by luck; around them the seed decides.
 * @param shuffle puts items in an order of the run's
 */
export function nameSources(shuffle: <T>(items: readonly T[]) => readonly T[]): {
  /** May share a request with a wide address. */
  alone: NameSource[];
  /** Best sent with a plain address, to be taken wherever possible. */
  packed: NameSource[];
} {
  const packs = Object.entries(fragments).map(([category, pieces]) =>
    packsOf(shuffle(pieces)).map((pack) => packSource(category, pack)),
  );
  const edged = shuffle(edges).map((edge, index, all) => {
    const other = all[(index + 5) % all.length]!;
    return source('edges', fc.constant(`${edge}Ada${other}`));
  });
  const long = lengths.map((length) => source('length', exactly(length, letters)));
  // Characters of three bytes at two offsets: one of them lies across any limit in bytes.
  const three = fc.constant('語'.repeat(1365));
  const wide = [exactly(255, beyondAscii), three, three.map((text) => `a${text}`)].map((name) =>
    source('wide length', name),
  );
  const free = Object.entries(planes).map(([plane, point]) =>
    source(
      `any ${plane}`,
      fc.array(point, { minLength: 1, maxLength: 40 }).map((points) => points.join('')),
    ),
  );
  const single = shuffle(unlucky).map((value) => source('unlucky', fc.constant(value)));
  return {
    alone: roundRobin([single, edged]),
    packed: roundRobin([...packs, long, wide, free]),
  };
}

/**
 * A name of several pieces, so that no two touch: a letter between them, or a space where a piece
 * begins or ends like a word and is looked for as one.
 */
function packSource(category: string, pieces: readonly string[]): NameSource {
  const letters = fc.array(fc.constantFrom(...'abdeghkmoqrtuxz'), {
    minLength: pieces.length + 1,
    maxLength: pieces.length + 1,
  });
  const name = letters.map((glue) =>
    glue.map((letter, at) => between(pieces[at - 1], letter, pieces[at]) + (pieces[at] ?? '')).join(''),
  );
  return source(category, name);
}

function between(left: string | undefined, letter: string, right: string | undefined): string {
  if (!/\w$/.test(left ?? '') && !/^\w/.test(right ?? '')) return letter;
  if (left === undefined) return `${letter} `;
  return right === undefined ? ` ${letter}` : ' ';
}

const source = (category: string, name: fc.Arbitrary<string>): NameSource => ({ category, name });

const pointFrom = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((point) => String.fromCodePoint(point));

// fast-check's own string units cost most of a second to set up; surrogates are left out (RFC 8259, section 8.2).
const planes: Readonly<Record<string, fc.Arbitrary<string>>> = {
  ASCII: pointFrom(0x00, 0x7f),
  'printable ASCII': pointFrom(0x20, 0x7e),
  Latin: pointFrom(0xa0, 0x24f),
  'basic plane': fc.oneof(pointFrom(0x250, 0xd7ff), pointFrom(0xe000, 0xffff)),
  'higher planes': pointFrom(0x10000, 0x10ffff),
};

const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');
const beyondAscii = fc.constantFrom('é', 'ß', 'Ж', '語', '한', '😀', '𠮷', 'a');

const exactly = (length: number, unit: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(unit, { minLength: length, maxLength: length, size: 'max' }).map((units) => units.join(''));

/** Splits pieces into packs of at most `PACK` characters, letters between them included. */
function packsOf(pieces: readonly string[]): string[][] {
  const packs: string[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const size = [...piece].length + 1;
    if (size > room) {
      packs.push([]);
      room = PACK - 1;
    }
    packs.at(-1)!.push(piece);
    room -= size;
  }
  return packs;
}

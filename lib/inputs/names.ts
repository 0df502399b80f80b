import fc from 'fast-check';
import { sizeOf } from './name-rules.ts';
import type { Size } from './name-rules.ts';
import { roundRobin } from './lists.ts';
import {
  ends,
  everydayNames,
  fragments,
  lengths,
  signCategories,
  signEnds,
  signStarts,
  specialValues,
  starts,
  wideLengths,
  scripts,
} from './dictionaries.ts';

/** The category of names of a certain length that are not of ASCII letters alone. */
export const WIDE_LENGTH = 'wide length';

/** Names of one category: a service tends to accept or reject all of them. */
export interface NameSource {
  readonly category: string;
  readonly name: fc.Arbitrary<string>;
}

/** The pieces of names that join several, by category. */
export const piecesByCategory: Readonly<Record<string, readonly string[]>> = {
  everyday: everydayNames.flatMap((name) => name.split(' ')),
  ...fragments,
  ...Object.fromEntries(
    Object.entries(scripts).map(([script, halves]) => [script, halves.flatMap((half) => half.split(' '))]),
  ),
};

/** Maximum number of characters of a name that joins several pieces, so that with its edges it has at most 100. */
export const MAX_JOINED = 97;

/** Lengths from which on a name has signs at its ends: services with such limits are seldom strict. */
const LONG_NAME = 500;
/** A text within long names, as some services only change long texts. */
const IN_LONG = ` O'Neil "q" a\\b it''s R&D %41 e\u0301 `;

/**
 * The name sources of a run. A run of default depth sends all entries of the dictionaries, and those of the edges at
 * the beginning and at the end of a name; the seed decides their order and all else.
 * @param shuffle puts items in an order that the seed decides
 */
export function nameSources(shuffle: <T>(items: readonly T[]) => readonly T[]): {
  /** May share a request with a wide address. The first are everyday ones: behind strict validators they show most. */
  alone: NameSource[];
  /** Best sent with a plain address, so that as many as possible are accepted. */
  combined: NameSource[];
} {
  const signs = edgePairs(shuffle(signStarts), shuffle(signEnds)).values();
  const groups = Object.entries(fragments).map(([category, pieces]) =>
    groupsOf(shuffle(pieces), (piece) => sizeOf(piece).points, MAX_JOINED).map((group) =>
      nameSource(category, joined(group, signCategories.has(category) ? signs.next().value : undefined)),
    ),
  );
  const joinedLetters = Object.entries(scripts).map(([category, halves]) => [
    nameSource(category, fc.constant(shuffle(halves).join(' '))),
  ]);
  const edged = edgePairs(shuffle(starts), shuffle(ends)).map(([start, end]) =>
    nameSource('edges', fc.constant(`${start}Ada${end}`)),
  );
  const long = lengths.map((length, at) => {
    const [start, end] = (length < LONG_NAME ? undefined : signs.next().value) ?? NO_EDGES;
    const [category, unit] = wideLengths.includes(length)
      ? ([WIDE_LENGTH, beyondAscii] as const)
      : (['length', asciiLetter] as const);
    // Every second one, as a service may reject it.
    const middle = length < LONG_NAME || at % 2 === 0 ? '' : IN_LONG;
    const inner = exactly(length - start.length - middle.length - end.length, unit);
    return nameSource(
      category,
      inner.map((text) => {
        const half = [...text].slice(0, text.length >> 2).join('');
        return `${start}${half}${middle}${text.slice(half.length)}${end}`;
      }),
    );
  });
  const free = Object.entries(planes).map(([plane, point]) =>
    nameSource(
      `any ${plane}`,
      fc.array(point, { minLength: 1, maxLength: 40 }).map((points) => points.join('')),
    ),
  );
  const single = [...shuffle(specialValues.common), ...shuffle(specialValues.rarer)].map((value) =>
    nameSource('special values', fc.constant(value)),
  );
  const everyday = shuffle(everydayNames).map((name) => nameSource('everyday', fc.constant(name)));
  return {
    alone: [...everyday, ...roundRobin([single, edged])],
    combined: roundRobin([
      ...joinedLetters,
      ...groups,
      long.filter((_, at) => lengths[at]! >= LONG_NAME),
      long.filter((_, at) => lengths[at]! < LONG_NAME),
      [nameSource(WIDE_LENGTH, everyScript), ...free],
    ]),
  };
}

/** Whether some services return this name in place of others, such as `undefined`. */
export const isSpecialValue = (name: string): boolean =>
  [...specialValues.common, ...specialValues.rarer].includes(name);

/** Names of several pieces each, in two words or more, as some services demand. @param maxSize of each name */
export const joinedNames = (category: string, pieces: readonly string[], maxSize: Size): NameSource[] =>
  groupsOf(pieces, (text) => shareOf(sizeOf(text), maxSize), 1 - shareOf(sizeOf('Ada'), maxSize)).map(
    (group) =>
      nameSource(
        category,
        joined(group).map((text) => `Ada ${text}`),
      ),
  );

/** The share of a size that a smaller one takes up. */
const shareOf = (size: Size, of: Size): number => Math.max(size.points / of.points, size.bytes / of.bytes);

/** The beginning and the end of a name. */
export type Edges = readonly [start: string, end: string];

const NO_EDGES: Edges = ['', ''];

/** Each start with an end of another kind. */
export const edgePairs = (starts: readonly string[], ends: readonly string[]): Edges[] =>
  Array.from({ length: Math.max(starts.length, ends.length) }, (_, at) => [
    starts[at % starts.length] ?? '',
    ends[(at + 5) % ends.length] ?? '',
  ]);

/**
 * A name of several pieces, separated by a letter, or by a space where a piece begins or ends like a word, as some
 * services search for whole words.
 * @param edges undefined: the first and the last piece are at the ends
 */
function joined(pieces: readonly string[], edges?: Edges): fc.Arbitrary<string> {
  const letters = fc.array(fc.constantFrom(...'abdeghkmoqrtuxz'), {
    minLength: pieces.length + 1,
    maxLength: pieces.length + 1,
  });
  return letters.map((glue) => {
    const texts = glue.map((letter, at) => {
      const isOuter = at === 0 || at === pieces.length;
      const separator = isOuter && !edges ? '' : between(pieces[at - 1], letter, pieces[at]);
      return separator + (pieces[at] ?? '');
    });
    const [start, end] = edges ?? NO_EDGES;
    return start + texts.join('') + end;
  });
}

function between(left: string | undefined, letter: string, right: string | undefined): string {
  if (!/[\p{L}\p{N}_]$/u.test(left ?? '') && !/^[\p{L}\p{N}_]/u.test(right ?? '')) return letter;
  if (left === undefined) return `${letter} `;
  return right === undefined ? ` ${letter}` : ' ';
}

export const nameSource = (category: string, name: fc.Arbitrary<string>): NameSource => ({ category, name });

const pointFrom = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((point) => String.fromCodePoint(point));

// fast-check's own string units take most of a second to set up; surrogates are left out (RFC 8259, section 8.2).
const planes: Readonly<Record<string, fc.Arbitrary<string>>> = {
  Latin: pointFrom(0xa0, 0x24f),
  'basic plane': fc.oneof(pointFrom(0x250, 0xd7ff), pointFrom(0xe000, 0xffff)),
};

const asciiLetter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');
const beyondAscii = fc.constantFrom('é', 'ß', 'Ж', '語', '한', '😀', '𠮷', 'a');

/** A name of so many characters, in two words. @param from the letters to use; default: those of ASCII */
export const nameOfLength = (length: number, from?: readonly string[]): fc.Arbitrary<string> =>
  exactly(length - 'Ada '.length, from ? fc.constantFrom(...from) : asciiLetter).map((text) => `Ada ${text}`);

const exactly = (length: number, unit: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(unit, { minLength: length, maxLength: length, size: 'max' }).map((units) => units.join(''));

/** Letters of three bytes, from every script, at even distances; most of them are ideographs and syllables. */
const everyScript: fc.Arbitrary<string> = fc.nat(46).map((offset) => {
  const ranges = [
    { from: 0x800, to: 0x3400, step: 9 },
    { from: 0x3400, to: 0xd7a4, step: 60 },
    { from: 0xf900, to: 0xffdd, step: 9 },
  ];
  const letters = ranges.flatMap(({ from, to, step }) =>
    Array.from({ length: Math.floor((to - from) / step) }, (_, at) =>
      String.fromCodePoint(from + (offset % step) + at * step),
    ).filter((letter) => /\p{L}/u.test(letter)),
  );
  return letters.join('');
});

/** Code points. */
/** Splits pieces into groups of at most a size, the letters between them included. */
function groupsOf(pieces: readonly string[], measure: (text: string) => number, maxSize: number): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const size = measure(piece) + measure('a');
    if (size > room) {
      groups.push([]);
      room = maxSize - measure('a');
    }
    groups.at(-1)!.push(piece);
    room -= size;
  }
  return groups;
}

// Short, capitalised ASCII words that are on no list of reserved, profane or special words.
// oxfmt-ignore
const first = [
  'Ada', 'Alan', 'Anna', 'Carl', 'Clara', 'Dora', 'Edgar', 'Emil', 'Flora', 'Grace', 'Henry', 'Ida', 'John',
  'Julia', 'Karen', 'Laura', 'Linus', 'Maria', 'Nora', 'Oscar', 'Paul', 'Rosa', 'Simon', 'Vera',
];
// oxfmt-ignore
const stem = [
  'Ander', 'Ber', 'Carl', 'Dahl', 'Eng', 'Fis', 'Gar', 'Hol', 'Jen', 'Kel', 'Lar', 'Lin', 'Lund', 'Mil', 'Nor',
  'Ol', 'Par', 'Quin', 'Ric', 'San', 'Tor', 'Vin', 'Wal', 'Win',
];
// A syllable of these is in the middle, so that runs against one database seldom share a name: names may be unique.
const consonants = [...'bcdfghklmnprstvwz'];
const vowels = [...'aeiou'];
// oxfmt-ignore
const last = [
  'berg', 'by', 'den', 'field', 'ford', 'gren', 'ham', 'land', 'ley', 'lund', 'man', 'mark', 'ner', 'ness',
  'rick', 'sen', 'son', 'stad', 'sted', 'strom', 'ton', 'ville', 'wall', 'wick', 'wood',
];

/** Syllables that a careless filter takes for rude words. */
const RUDE =
  /arse|bit?ch|cock|coon|cum|cunt|dic?k|fag|fuk|nazi|nig|paki|penis|pis|poo|puta|rape|sex|suk|tit|turd|wank/i;

/** Names of the plain tier: two short ASCII words, which every sensible service accepts. */
export const plainName: fc.Arbitrary<string> = fc
  .tuple(...[first, stem, consonants, vowels, last].map((parts) => fc.constantFrom(...parts)))
  .map(([given, ...family]) => `${given} ${family.join('')}`)
  .filter((name) => !RUDE.test(name));

const pattern = new RegExp(
  `^(?:${first.join('|')}) (?:${stem.join('|')})[${consonants.join('')}][${vowels.join('')}](?:${last.join('|')})$`,
);

export const isPlainName = (name: string): boolean => pattern.test(name);

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

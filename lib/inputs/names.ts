import fc from 'fast-check';
import { edges, fragments, lengths, specialValues } from './fragments.ts';

/** Names of one category: a service tends to accept or reject all of them. */
interface NameSource {
  readonly category: string;
  readonly name: fc.Arbitrary<string>;
}

/** Most characters in one pack: half a pack is short enough for a strict service. */
const PACK = 92;

/**
 * The name sources of a run. Every run sends all entries of the dictionaries; the seed decides their order and all else.
 * @param shuffle puts items in an order that the seed decides
 */
export function nameSources(shuffle: <T>(items: readonly T[]) => readonly T[]): {
  /** May share a request with a wide address. */
  alone: NameSource[];
  /** Best sent with a plain address, so that as many as possible are accepted. */
  combined: NameSource[];
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
  const single = shuffle(specialValues).map((value) => source('special values', fc.constant(value)));
  return {
    alone: roundRobin([single, edged]),
    combined: roundRobin([...packs, long, wide, free]),
  };
}

/**
 * A name of several pieces, separated by a letter, or by a space where a piece begins or ends like a word, as some
 * services search for whole words.
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

// fast-check's own string units take most of a second to set up; surrogates are left out (RFC 8259, section 8.2).
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
// oxfmt-ignore
const last = [
  'berg', 'by', 'den', 'field', 'ford', 'gren', 'ham', 'land', 'ley', 'lund', 'man', 'mark', 'ner', 'ness',
  'rick', 'sen', 'son', 'stad', 'sted', 'strom', 'ton', 'ville', 'wall', 'wick', 'wood',
];

/** Names of the plain tier: two short ASCII words, which every sensible service accepts. */
export const plainName: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...first), fc.constantFrom(...stem), fc.constantFrom(...last))
  .map(([given, category, end]) => `${given} ${category}${end}`);

const pattern = new RegExp(`^(?:${first.join('|')}) (?:${stem.join('|')})(?:${last.join('|')})$`);

/** Whether a name is one of the plain tier. */
export const isPlainName = (name: string): boolean => pattern.test(name);

/** One item of each list in turn. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, round) =>
    lists.flatMap((list) => (round < list.length ? [list[round]!] : [])),
  ).flat();
}

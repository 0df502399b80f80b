import { numbersBetween } from './lists.ts';

/** A name that was sent, and whether it was accepted. */
export interface SentName {
  readonly name: string;
  readonly accepted: boolean;
  /** Whether it may have been rejected for something other than the name: then it says nothing about the rules for names. */
  readonly isInDoubt?: boolean;
}

/** The size of a name: services limit its characters or its bytes. */
export interface Size {
  /** Code points. */
  readonly points: number;
  /** Bytes in UTF-8. */
  readonly bytes: number;
}

/** What a target accepts in names, as far as its responses show: the interface shows no constraints (section 2). */
export interface NameRules {
  /** The largest sizes of accepted names; bytes are infinite unless they seem to be limited. */
  readonly longest: Size;
  /** Whether longer names were rejected. */
  readonly isLengthLimited: boolean;
  /** Whether a name with this text may be accepted: its size was, and none of its characters is known to be rejected. */
  readonly mayAccept: (text: string) => boolean;
  /** As `mayAccept`, and names with characters of each of its kinds were accepted. */
  readonly isKnown: (text: string) => boolean;
  /** One character of each kind in some texts, if it is not known whether that kind is accepted. */
  readonly unknownIn: (texts: readonly string[]) => readonly string[];
  /** Lengths to try, between the longest name of letters that was accepted and the shortest one of accepted characters that was not. */
  readonly lengthsBetween: (count: number) => readonly number[];
}

/** Signs of ASCII, those that validators accept most often first. Many validators accept some of them and reject others. */
const SIGNS = ` '-.’,&()/:_@+#!?*=;"%$[]|\\^~\`{}<>`;

/** How late a kind of characters is tried. */
const rank = (kind: string): number => (kind.length === 1 ? SIGNS.indexOf(kind) : SIGNS.length);

/** Longer names may be rejected for their length, so they say nothing about characters. */
const MAX_CONCLUSIVE_LENGTH = 300;

/** Finds the rules behind some responses. */
export function rulesBehind(sent: readonly SentName[]): NameRules {
  const accepted = sent.filter((one) => one.accepted).map(({ name }) => name);
  const rejected = sent.filter((one) => !one.accepted && !one.isInDoubt).map(({ name }) => name);
  const sizes = accepted.map(sizeOf);
  const largestAccepted: Size = {
    points: Math.max(0, ...sizes.map(({ points }) => points)),
    bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
  };
  const isShortEnough = ({ length }: string): boolean => length <= MAX_CONCLUSIVE_LENGTH;
  const known = new Set(characterKinds(accepted.filter(isShortEnough).flatMap((name) => [...name])));
  const wrong = new Set<string>();
  // Only names that otherwise look plain: others may be rejected for their form.
  for (const name of rejected.filter(
    (one) => isWithin(one, largestAccepted) && /^[A-Z][a-z]+ [A-Z][^ ]*[a-z]$/su.test(one),
  )) {
    const [kind, ...others] = characterKinds(name).filter((one) => !known.has(one));
    if (kind !== undefined && others.length === 0) wrong.add(kind);
  }
  const areAllKnown = (name: string): boolean => characterKinds(name).every((kind) => known.has(kind));
  // Without a name that was rejected for its bytes, only characters are limited.
  const areBytesLimited = rejected.filter(isShortEnough).some((name) => {
    const { points, bytes } = sizeOf(name);
    return points <= largestAccepted.points && bytes > largestAccepted.bytes && areAllKnown(name);
  });
  const longest = areBytesLimited ? largestAccepted : { ...largestAccepted, bytes: Infinity };
  const mayAccept = (text: string): boolean =>
    isWithin(text, longest) && !characterKinds(text).some((kind) => wrong.has(kind));
  return {
    longest,
    isLengthLimited: rejected.some((name) => sizeOf(name).points > largestAccepted.points),
    mayAccept,
    isKnown: (text) => mayAccept(text) && areAllKnown(text),
    unknownIn: (texts) => {
      const byKind = Map.groupBy(new Set(texts.join('')), characterKind);
      return [...byKind]
        .filter(([kind]) => !known.has(kind) && !wrong.has(kind))
        .toSorted(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
        .map(([, alike]) => alike.find(isTypical) ?? alike[0]!);
    },
    lengthsBetween: (count) => {
      const lengths = (names: readonly string[]): number[] => names.map(({ length }) => length);
      const lower = Math.max(0, ...lengths(accepted.filter((name) => /^[a-z]+(?: [a-z]+)?$/i.test(name))));
      const upper = Math.min(...lengths(rejected.filter((name) => name.length > lower && areAllKnown(name))));
      return lower === 0 || upper === Infinity ? [] : numbersBetween(lower, upper, count);
    },
  };
}

export const sizeOf = (text: string): Size => ({
  points: [...text].length,
  bytes: Buffer.byteLength(text),
});

const isWithin = (text: string, { points, bytes }: Size): boolean =>
  Buffer.byteLength(text) <= bytes && [...text].length <= points;

/** The kinds of some characters, such as those of a text. */
export const characterKinds = (characters: Iterable<string>): string[] => [
  // Many of them are the same.
  ...new Set(Array.from(new Set(characters), characterKind)),
];

/** Whether a character has no other form; some of those that do are rejected, though others of their kind are not. */
const isTypical = (character: string): boolean => character.normalize('NFKC') === character;

const CATEGORIES = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['letter', /\p{L}/u],
  ['mark', /\p{M}/u],
  ['number', /\p{N}/u],
  ['punctuation', /\p{P}/u],
  ['symbol', /\p{S}/u],
  ['separator', /\p{Z}/u],
] as const;

/**
 * What validators distinguish: each sign of ASCII and the typographic apostrophe, and other characters by their script or
 * category, and by their Unicode block or their size in an encoding.
 */
function characterKind(character: string): string {
  if (/^(?![a-z\d])[ -~’]$/i.test(character)) return character;
  const point = character.codePointAt(0)!;
  const plane = [0x80, 0x100, 0x180, 0x10000, Infinity].findIndex((end) => point < end);
  const [category] = CATEGORIES.find(([, form]) => form.test(character)) ?? ['control'];
  return `${category} ${plane}`;
}

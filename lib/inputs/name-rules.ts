/** A name that was sent, and whether it was accepted. */
export interface SentName {
  readonly name: string;
  readonly accepted: boolean;
  /** Whether something else than the name may be why it was rejected: then it says nothing about the rules for names. */
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
  /** The largest sizes of accepted names. */
  readonly longest: Size;
  /** Whether a name with this text may be accepted: its size was, and none of its characters is known to be rejected. */
  readonly mayAccept: (text: string) => boolean;
  /** Whether it may, and names with characters of each of its kinds were accepted. */
  readonly areKnown: (text: string) => boolean;
  /** One character of each kind in some texts of which it is not known whether it is accepted. */
  readonly unknownIn: (texts: readonly string[]) => readonly string[];
  /** Lengths to try between the longest name of letters that was accepted, and the shortest name that was rejected for its length. */
  readonly lengthsBetween: (count: number) => readonly number[];
}

/** Signs of ASCII, those that validators accept most often first: together, some are accepted, and others rejected. */
const SIGNS = ` '-.’,&()/:_@+#!?*=;"%$[]|\\^~\`{}<>`;

/** Longer names say nothing about characters: they are rejected for their length. */
const LONGEST_TELLING = 300;

/** Finds the rules behind some responses. */
export function rulesBehind(sent: readonly SentName[]): NameRules {
  const accepted = sent.filter((one) => one.accepted).map(({ name }) => name);
  const rejected = sent.filter((one) => !one.accepted && !one.isInDoubt).map(({ name }) => name);
  const sizes = accepted.map(sizeOf);
  const longest: Size = {
    points: Math.max(0, ...sizes.map(({ points }) => points)),
    bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
  };
  const isTelling = ({ length }: string): boolean => length <= LONGEST_TELLING;
  const known = new Set(accepted.filter(isTelling).flatMap(kindsIn));
  const wrong = new Set<string>();
  // Otherwise like a plain name: others may be rejected for their form.
  for (const name of rejected.filter((one) => fits(one, longest) && /^[A-Z][a-z]+ .*[a-z]$/su.test(one))) {
    const [kind, ...others] = kindsIn(name).filter((one) => !known.has(one));
    if (kind !== undefined && others.length === 0) wrong.add(kind);
  }
  const mayAccept = (text: string): boolean =>
    fits(text, longest) && !kindsIn(text).some((kind) => wrong.has(kind));
  return {
    longest,
    mayAccept,
    areKnown: (text) => mayAccept(text) && kindsIn(text).every((kind) => known.has(kind)),
    unknownIn: (texts) => {
      const characters = new Map(
        [...texts.join('')].map((character) => [kindOf(character), character] as const),
      );
      return [...characters]
        .filter(([kind]) => !known.has(kind) && !wrong.has(kind))
        .map(([, one]) => one)
        .toSorted((one, other) => SIGNS.indexOf(one) - SIGNS.indexOf(other));
    },
    lengthsBetween: (count) => {
      const lengths = (names: readonly string[]): number[] => names.map(({ length }) => length);
      const most = Math.max(0, ...lengths(accepted.filter((name) => /^[a-z]+$/i.test(name))));
      const areKnown = (name: string): boolean => kindsIn(name).every((kind) => known.has(kind));
      const least = Math.min(...lengths(rejected.filter((name) => name.length > most && areKnown(name))));
      if (most === 0 || least === Infinity) return [];
      const step = (least - most) / (count + 1);
      const between = Array.from({ length: count }, (_, at) => Math.round(most + step * (at + 1)));
      return [...new Set(between)].filter((length) => length > most && length < least);
    },
  };
}

/** The size of a text. */
export const sizeOf = (text: string): Size => ({
  points: [...text].length,
  bytes: Buffer.byteLength(text),
});

const fits = (text: string, { points, bytes }: Size): boolean =>
  Buffer.byteLength(text) <= bytes && [...text].length <= points;

const kindsIn = (text: string): string[] => [...new Set(Array.from(text, kindOf))];

const CATEGORIES = [
  ['letter', /\p{L}/u],
  ['mark', /\p{M}/u],
  ['number', /\p{N}/u],
  ['punctuation', /\p{P}/u],
  ['symbol', /\p{S}/u],
  ['separator', /\p{Z}/u],
] as const;

/**
 * What validators tell apart: each sign of ASCII and the typographic apostrophe, and other characters by their category in Unicode and by how many bytes
 * an encoding of text or a column needs for them.
 */
function kindOf(character: string): string {
  if (/^(?![a-z\d])[ -~’]$/i.test(character)) return character;
  const point = character.codePointAt(0)!;
  const plane = [0x80, 0x100, 0x10000, Infinity].findIndex((end) => point < end);
  const [category] = CATEGORIES.find(([, form]) => form.test(character)) ?? ['control'];
  return `${category} ${plane}`;
}

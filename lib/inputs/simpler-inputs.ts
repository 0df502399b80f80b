import fc from 'fast-check';
import { ends, signEnds, signStarts, starts } from './dictionaries.ts';
import { plainAddress } from './addresses.ts';
import type { Address } from './addresses.ts';
import { numbersBetween, inGroups, roundRobin } from './lists.ts';
import { rulesBehind } from './name-rules.ts';
import type { NameRules, SentName, Size } from './name-rules.ts';
import {
  WIDE_LENGTH,
  MAX_JOINED,
  edgePairs,
  joinedNames,
  nameOfLength,
  piecesByCategory,
  nameSource,
} from './names.ts';
import type { Edges, NameSource } from './names.ts';

/** An address that was sent, and whether it was accepted. */
export interface SentAddress {
  readonly email: string;
  readonly accepted: boolean;
  /** Whether it may have been rejected for something other than the address. */
  readonly isInDoubt?: boolean;
}

/** Features of addresses, each with an address that has only this one, and how to find it in others. */
const features: readonly (readonly [form: RegExp, part: Partial<Address>])[] = [
  [/\..*@/, { local: 'a.d.a' }],
  [/\+.*@/, { local: 'ada+news' }],
  [/[A-Z].*@/, { local: 'Ada' }],
  [/-.*@/, { local: 'ada-news' }],
  [/_.*@/, { local: 'ada_b' }],
  [/^\d/, { local: '007' }],
  [/%.*@/, { local: 'a%b' }],
  [/'.*@/, { local: "o'brien" }],
  [/@.*[A-Z].*\./, { domain: 'EXAMPLE.com' }],
  [/\.[A-Z]+$/, { domain: 'example.COM' }],
  [/@www\./, { labels: 'www.' }],
  [/@(?!www\.)[^.]+\.[^.]+\./, { labels: 'mail-1.' }],
  [/@example\.org$/, { domain: 'example.org' }],
];

/** Lengths of names, and of each kind of address, that are tried in each list. */
const LENGTHS = 3;

/** Addresses of letters and digits whose local part, or whose domain, has any length. */
const kinds = [
  { nonceIn: 'local', form: /^[a-z\d]+@[^.@]+\.[^.@]+$/, longest: 64 + '@example.com'.length },
  { nonceIn: 'domain', form: /^[a-z\d]+@(?:[a-z\d-]+\.){2,}[a-z]+$/, longest: 254 },
] as const;

/** Addresses must have at least this length to show whether lengths are limited. */
const LONG_ADDRESS = 65;

/**
 * Makes lists of addresses that a target may accept, each from its responses to all addresses before: features that only
 * rejected ones have, one at a time; and, if long ones were rejected, lengths up to the longest that it accepts, of the
 * local part and of the domain.
 */
export function simplerAddresses(): (sent: readonly SentAddress[]) => Address[] {
  const tried = new Set<RegExp>();
  return (sent) => {
    const untested = features.filter(([form]) => {
      const tests = sent.filter(({ email }) => form.test(email));
      return tests.length > 0 && !tests.some(({ accepted }) => accepted) && !tried.has(form);
    });
    for (const [form] of untested) tried.add(form);
    const isLimited = sent.some(({ email, accepted }) => !accepted && email.length >= LONG_ADDRESS);
    const domains = new Set(sent.filter(({ accepted }) => accepted).map(({ email }) => domainOf(email)));
    const lengths = kinds.flatMap(({ nonceIn, form, longest }) => {
      const alike = sent.filter(
        ({ email, isInDoubt }) =>
          form.test(email) && !isInDoubt && (nonceIn === 'domain' || domains.has(domainOf(email))),
      );
      const lengthsOf = (isAccepted: boolean): number[] =>
        alike.filter(({ accepted }) => accepted === isAccepted).map(({ email }) => email.length);
      const longestAccepted = Math.max(0, ...lengthsOf(true));
      const shortestRejected = Math.min(
        longest + 1,
        ...lengthsOf(false).filter((length) => length > longestAccepted),
      );
      const isTested = longestAccepted === 0 || !isLimited;
      return isTested
        ? []
        : numbersBetween(longestAccepted, shortestRejected, LENGTHS).map((total) => ({ nonceIn, total }));
    });
    return [...untested.map(([, part]) => part), ...lengths].map((part) => ({ ...plainAddress, ...part }));
  };
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@'));

/** How many unknown characters are tried together, before those that are rejected are tried alone. */
const TOGETHER = 6;

/** Whether a character is tried alone: characters of other kinds are seldom accepted where others of their group are not. */
const isLikely = (character: string): boolean => /[ -~’\p{L}]/u.test(character);
/** Letters of two, three and four bytes, for names that are as long as a service accepts. */
const WIDE_CHARACTERS = ['é', 'Ж', '語', '한', '𠮷'];
const MAX_WIDE = 2;

/** Texts that were not tried yet, and those that were tried together with others. */
type ByAttempts = readonly [together: readonly string[], alone: readonly string[]];

/** Texts that occur in rejected names only, and consist of accepted characters. */
interface Untested {
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly pieces: readonly (readonly [category: string, texts: readonly string[]])[];
}

/**
 * Makes lists of names that a target may accept, each from its responses to all names before: lengths up to the longest
 * that it accepts; unknown characters; and then the edges and pieces that only rejected names have, as far as their
 * characters are accepted: edges in pairs and then alone, pieces many in a name and then alone.
 * @param shuffle puts items in an order that the seed decides
 */
export function simplerNames(
  shuffle: <T>(items: readonly T[]) => readonly T[],
): (sent: readonly SentName[]) => readonly NameSource[] {
  const attempt = countAttempts();
  return (sent) => {
    const rules = rulesBehind(sent);
    const { starts, ends, pieces } = untestedIn(sent, rules);
    const lengths = rules.lengthsBetween(LENGTHS).map((length) => nameSource('length', nameOfLength(length)));
    const unknown = Map.groupBy(
      rules.unknownIn([...starts, ...ends, ...pieces.flatMap(([, texts]) => texts)]),
      attempt,
    );
    const together = inGroups(unknown.get(0) ?? [], TOGETHER).map(withCharacters);
    // The next lists need to know most characters.
    if (together.length > 0) return [...lengths, ...together];

    /** Texts of accepted characters alone, by how often they were tried. */
    const byAttempts = (texts: readonly string[], edge: string): ByAttempts => {
      const ready = Map.groupBy(shuffle(texts.filter(rules.isKnown)), (text) => attempt(edge + text));
      return [ready.get(0) ?? [], ready.get(1) ?? []];
    };
    const [everyday = [], ...others] = pieces.map(([category, texts]) =>
      withPieces(category, byAttempts(texts, 'piece '), rules.longest),
    );
    return [
      ...lengths,
      ...(unknown.get(1) ?? []).filter(isLikely).map((character) => withCharacters([character])),
      ...wideAndLong(rules, attempt),
      ...withEdges(byAttempts(starts, 'start '), byAttempts(ends, 'end ')),
      ...everyday,
      ...roundRobin(others),
    ];
  };
}

/** A function that notes that a text is tried, and returns how often it was before. */
function countAttempts(): (text: string) => number {
  const attempts = new Map<string, number>();
  return (text) => {
    const before = attempts.get(text) ?? 0;
    attempts.set(text, before + 1);
    return before;
  };
}

function untestedIn(sent: readonly SentName[], rules: NameRules): Untested {
  const accepted = sent.filter((one) => one.accepted);
  const rejected = sent.filter((one) => !one.accepted);
  // The cheapest first: there are thousands of texts, and most targets reject few names.
  const untested = (texts: readonly string[], has: (name: string, text: string) => boolean): string[] =>
    texts.filter(
      (text) =>
        rejected.some(({ name }) => has(name, text)) &&
        !accepted.some(({ name }) => has(name, text)) &&
        rules.mayAccept(text),
    );
  return {
    starts: untested([...starts, ...signStarts], (name, text) => name.startsWith(text)),
    ends: untested([...ends, ...signEnds], (name, text) => name.endsWith(text)),
    pieces: Object.entries(piecesByCategory).map(
      ([category, all]) => [category, untested(all, (name, text) => name.includes(text))] as const,
    ),
  };
}

/** A plain name with some characters. */
const withCharacters = (characters: readonly string[]): NameSource =>
  nameSource('characters', fc.constant(`Ada B${characters.join('e')}rg`));

/** A name as long as is accepted, of letters of several bytes; none where lengths are not limited. */
const wideAndLong = (
  { isLengthLimited, longest, isKnown }: NameRules,
  attempt: (text: string) => number,
): NameSource[] => {
  const letters = isLengthLimited ? WIDE_CHARACTERS.filter(isKnown) : [];
  return letters.length > 0 && attempt('wide') < MAX_WIDE
    ? [nameSource(WIDE_LENGTH, nameOfLength(longest.points, letters))]
    : [];
};

/** Names with edges: in pairs, and alone where they were tried in pairs. */
const withEdges = ([starts, startsAlone]: ByAttempts, [ends, endsAlone]: ByAttempts): NameSource[] =>
  [
    ...edgePairs(starts, ends),
    ...startsAlone.map((start): Edges => [start, '']),
    ...endsAlone.map((end): Edges => ['', end]),
  ].map(([start, end]) => nameSource('edges, in part', fc.constant(`${start}Ada Berg${end}`)));

/** Names with pieces: several in a name, or alone where they were tried so. */
const withPieces = (category: string, [joined, alone]: ByAttempts, longest: Size): NameSource[] => [
  ...joinedNames(`${category}, in part`, joined, {
    ...longest,
    points: Math.min(MAX_JOINED, longest.points),
  }),
  ...alone.map((piece) => nameSource(`${category}, in part`, fc.constant(`Ada ${piece}`))),
];

import { plainAddress } from './emails.ts';
import type { Address } from './emails.ts';
import { numbersBetween } from './lists.ts';

/** An address that was sent, and whether it was accepted. */
export interface SentAddress {
  readonly email: string;
  readonly accepted: boolean;
  /** Whether something else than the address may be why it was rejected. */
  readonly isInDoubt?: boolean;
}

/** Features of addresses, each in an address that has no other one, and how to find it in others. */
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

/** Lengths of each kind that are tried in each list. */
const LENGTHS = 3;

/** Addresses of letters and digits whose local part, or whose domain, has any length. */
const kinds = [
  { nonceIn: 'local', form: /^[a-z\d]+@[^.@]+\.[^.@]+$/, longest: 64 + '@example.com'.length },
  { nonceIn: 'domain', form: /^[a-z\d]+@(?:[a-z\d-]+\.){2,}[a-z]+$/, longest: 254 },
] as const;

/** Addresses of at least this length show whether lengths are limited. */
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
      const most = Math.max(0, ...lengthsOf(true));
      const least = Math.min(longest + 1, ...lengthsOf(false).filter((length) => length > most));
      const isTested = most === 0 || !isLimited;
      return isTested ? [] : numbersBetween(most, least, LENGTHS).map((total) => ({ nonceIn, total }));
    });
    return [...untested.map(([, part]) => part), ...lengths].map((part) => ({ ...plainAddress, ...part }));
  };
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@'));

import { createHmac } from 'node:crypto';
import { swapCase } from './invalid-credentials.ts';
import { claimsIn, isJwt, jsonInBase64url } from './jwt.ts';
import type { Claims } from './jwt.ts';

/**
 * Changes the text of an issued token; undefined if the result is not one that a service must reject.
 * @param other another issued token
 */
type Alteration = (token: string, other: string) => string | undefined;

/** Where in a token a character is changed, as a share of its length. */
const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

const changes = (shares: readonly number[], what: string, alter: (share: number) => Alteration) =>
  Object.fromEntries(
    shares.map((share) => [`a character of its ${what} changed, after ${share * 100} %`, alter(share)]),
  );

/** Alterations of any text. */
const alterationsOfOpaque: Readonly<Record<string, Alteration>> = {
  ...changes(SHARES, 'text', (share) => (token) => changedAt(token, Math.floor(token.length * share))),
  'its last character changed': (token) => changedAt(token, token.length - 1),
  // Not the last character, whose last bits may mean nothing.
  'a digit changed': (token) =>
    token.replace(/\d(?=.*[a-z\d])/i, (digit) => String((Number(digit) + 1) % 10)),
  'a separator changed': (token) => token.replace(/[-_.|:~]/, (separator) => (separator === '_' ? '-' : '_')),
  'without its prefix': bodyOf,
  'two neighbours swapped': swapped,
  'a wildcard for its second half': (token) => `${token.slice(0, token.length >> 1)}%`,
  'its second half of another token': (token, other) => spliced(token, other),
  'its first half of another token': (token, other) => spliced(other, token),
  // Where the whole text may be Base64, a service may ignore padding (RFC 4648, section 3.3).
  'padding at its end': (token, other) => {
    const prefix = token.slice(0, token.length - bodyOf(token).length);
    return prefix !== '' && other.startsWith(prefix) ? `${token}=` : undefined;
  },
};

/** Alterations of a text, and of the signature of a JWT. */
const alterationsOfAny: Readonly<Record<string, Alteration>> = {
  'its letters in the other case': (token) =>
    inPart(token, -1, (part) => part.replace(/[a-z\d]+/gi, (run) => (isMixed(run) ? swapCase(run) : run))),
  'without its first character': (token) => token.slice(1),
  'without its last character': (token) => withoutPadding(token).slice(0, -1),
  'characters before it': (token) => `a0${token}`,
  'characters after it': (token) => `${withoutPadding(token)}a0`,
  'a part after it': (token) => `${withoutPadding(token)}.a0`,
  'its first character percent-encoded': (token) =>
    `%${token.charCodeAt(0).toString(16).toUpperCase()}${token.slice(1)}`,
};

/** Alterations of a JWT (RFC 7519): of each part alone, and those that RFC 8725 warns of. */
const ofJwt: Readonly<Record<string, Alteration>> = {
  ...changes(
    [0, 0.25, 0.5, 0.75],
    'signature',
    (share) => (token) => inPart(token, 2, (part) => changedAt(part, Math.floor(part.length * share))),
  ),
  'the last character of its signature changed': (token) =>
    inPart(token, 2, (part) => changedAt(part, part.length - 1)),
  'a character of its header changed': (token) =>
    inPart(token, 0, (part) => changedAt(part, part.length >> 1)),
  'a character of its payload changed': (token) =>
    inPart(token, 1, (part) => changedAt(part, part.length >> 1)),
  'a further member in its header': (token) => inClaims(token, 0, (header) => ({ ...header, x: '0' })),
  'a further member in its payload': (token) => inClaims(token, 1, (payload) => ({ ...payload, x: '0' })),
  'a later end in its payload': (token) =>
    inClaims(token, 1, (payload) =>
      typeof payload['exp'] === 'number' ? { ...payload, exp: payload['exp'] + 86_400 } : undefined,
    ),
  'a further scope in its payload': (token) => inClaims(token, 1, withScope),
  'the payload of another token': (token, other) => inPart(token, 1, () => other.split('.')[1]),
  'the signature of another token': (token, other) => inPart(token, 2, () => other.split('.')[2]),
  'without a signature': (token) => inPart(token, 2, () => ''),
  'without a signature and its dot': (token) => token.split('.').slice(0, 2).join('.'),
  ...Object.fromEntries(
    ['none', 'None', 'NONE'].map((alg): [string, Alteration] => [
      `the algorithm ${alg}, without a signature`,
      (token) => inPart(withAlgorithm(token, alg), 2, () => ''),
    ]),
  ),
  'the algorithm none, with its signature': (token) => withAlgorithm(token, 'none'),
  'an unknown algorithm, with its signature': (token) => withAlgorithm(token, 'X0'),
  'no algorithm, with its signature': (token) => withAlgorithm(token, undefined),
  'signed with an empty key': (token) => {
    const [header, payload] = withAlgorithm(token, 'HS256').split('.');
    const signed = `${header}.${payload}`;
    return `${signed}.${createHmac('sha256', '').update(signed).digest('base64url')}`;
  },
  'padding in its header': (token) =>
    inPart(token, 0, (part) => `${part}${'='.repeat(-part.length & 3 || 1)}`),
};

/** The names of the alterations of a token that make different texts. */
export function alterationsOf(token: string): readonly string[] {
  const made = new Set<string>();
  return Object.keys({ ...(isJwt(token) ? ofJwt : alterationsOfOpaque), ...alterationsOfAny }).filter(
    (name) => {
      const text = altered(name, token, '') ?? name;
      return !made.has(text) && made.add(text);
    },
  );
}

/** The alteration that the fewest services overlook: another last character. */
export const lastCharacterOf = (token: string): string =>
  isJwt(token) ? 'the last character of its signature changed' : 'its last character changed';

/**
 * A token with an alteration; undefined if that changes nothing, or makes a token that may have been issued.
 * @param other another issued token
 */
export function altered(alteration: string, token: string, other: string): string | undefined {
  const text = { ...ofJwt, ...alterationsOfOpaque, ...alterationsOfAny }[alteration]?.(token, other);
  return text === token || text === other || endsWithNumber(text ?? '') ? undefined : text;
}

/** A token without the padding of Base64, which a service may ignore. */
const withoutPadding = (token: string): string => token.replace(/(?<!=)=+$/, '');

/** A token without a prefix, such as `tok_` or `tok_test_`. */
function bodyOf(token: string): string {
  return token.replace(/^(?:[a-z]{1,10}_){1,2}/, '');
}

/** Whether a text ends with a short number: tokens that are numbered are each other's neighbours. */
const endsWithNumber = (text: string): boolean => /^\D*\d{1,11}$/.test(text);

/** A text with another character at a place, or at the first letter or digit after it. */
function changedAt(text: string, at: number): string {
  const rest = text.slice(at).search(/[a-z\d]/i);
  const position = rest === -1 ? text.search(/[a-z\d][^a-z\d]*$/i) : at + rest;
  return position === -1
    ? `${text}a0`
    : text.slice(0, position) + anotherCharacter(text.charAt(position), text) + text.slice(position + 1);
}

/**
 * Another character of the same alphabet. The one in place of a last character must not decode to the same bytes, as
 * its last bits are not used (RFC 4648, section 3.5): in Base64 the first two bits differ, in Base32 the first one.
 */
function anotherCharacter(character: string, text: string): string {
  const body = bodyOf(text).replaceAll('-', '');
  const alphabet = ALPHABETS.find((one) => [...body].every((each) => one.includes(each)));
  if (alphabet !== undefined && !endsWithNumber(text) && alphabet.includes(character))
    return alphabet.charAt((alphabet.indexOf(character) + 1) % alphabet.length);
  if (/[A-P]/.test(character)) return 'Q';
  if (/[Q-Z]/.test(character)) return 'A';
  if (/[a-f]/.test(character)) return 'q';
  if (/[g-p]/.test(character)) return 'w';
  return /[A-Z]/.test(body) && /\d/.test(character) ? 'A' : 'a';
}

/** Digits, and hexadecimal digits, in which every bit counts. */
const ALPHABETS = ['0123456789', '0123456789abcdef', '0123456789ABCDEF'];

/** Capital and small letters, so that the case of a letter has a meaning. */
const isMixed = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run);

/** A text with two different neighbours in the middle in the other order. */
function swapped(text: string): string | undefined {
  const [found] = text.slice(text.length >> 1).match(/([a-z\d])(?!\1)[a-z\d]/i) ?? [];
  return (
    found &&
    text.slice(0, text.length >> 1) +
      text.slice(text.length >> 1).replace(found, [...found].toReversed().join(''))
  );
}

/** The beginning of one token and the end of another, divided at the last separator if the parts before it differ. */
function spliced(first: string, second: string): string {
  const [at, otherAt] = [first, second].map((token) => token.search(/[.|:~][^.|:~]*$/) + 1);
  return at && otherAt && first.slice(0, at) !== second.slice(0, otherAt)
    ? first.slice(0, at) + second.slice(otherAt)
    : first.slice(0, first.length >> 1) + second.slice(second.length >> 1);
}

/** A token with one of its parts changed. @param at position of the part */
function inPart(token: string, at: number, change: (part: string) => string | undefined): string | undefined {
  const parts = token.split('.');
  const part = change(parts.at(at)!);
  return part === undefined ? undefined : parts.with(at, part).join('.');
}

const inClaims = (
  token: string,
  at: number,
  change: (claims: Claims) => Claims | undefined,
): string | undefined =>
  inPart(token, at, (part) => {
    const claims = change(claimsIn(part)!);
    return claims && jsonInBase64url(claims);
  });

const withAlgorithm = (token: string, alg: string | undefined): string =>
  inClaims(token, 0, (header) => ({ ...header, alg }))!;

function withScope(claims: Claims): Claims | undefined {
  for (const name of ['scope', 'scopes', 'scp']) {
    const scopes = claims[name];
    if (typeof scopes === 'string') return { ...claims, [name]: `${scopes} admin:all` };
    if (Array.isArray(scopes)) return { ...claims, [name]: [...scopes, 'admin:all'] };
  }
  return undefined;
}

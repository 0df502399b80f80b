import { createHash } from 'node:crypto';
import { MAX_NAMED, PROTECT, bearerIn } from './presented.ts';
import type { Hypothesis, Presented } from './presented.ts';
import { unchangedOnError } from './text-changes.ts';

/** Makes rules about one part of a request, with one remedy. */
const rulesOn =
  (read: (request: Presented) => string | undefined, next: string) =>
  (id: string, text: string, accepts: (given: string, key: string) => boolean): Hypothesis => ({
    cause: { id, text, next },
    accepts: (request, key) => {
      const given = read(request);
      return given !== undefined && accepts(given, key);
    },
  });

const COMPARE_EXACTLY = 'Compare the whole key, byte by byte, in constant time.';
const SCHEME =
  'Read the scheme and the credential as RFC 9110, section 11.6.2, defines them, and require Bearer.';

const withoutScheme = (header: string): string => header.replace(/^bearer */i, '');

const headerOf = ({ authorization }: Presented): string | undefined => authorization;
const byCredential = rulesOn(bearerIn, COMPARE_EXACTLY);
const byHeader = rulesOn(headerOf, SCHEME);
/** A rule about a header without a credential. */
const byEmptyHeader = rulesOn(headerOf, PROTECT);

/** The prefix of test-mode keys (interface, section 5.2). */
const PREFIX = 'sk_test_';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Patterns that a service may take a credential or the key for, as regular expressions. */
const PATTERNS: Readonly<Record<string, (given: string) => string>> = {
  'a pattern of SQL (LIKE)': (given) => escaped(given).replaceAll('%', '.*').replaceAll('_', '.'),
  'a pattern with wildcards': (given) => escaped(given).replaceAll(String.raw`\*`, '.*'),
  'a regular expression': (given) => given,
};

/** How a service may change the credential and the key before it compares them. */
const COMPARED_AS: Readonly<Record<string, (text: string) => string>> = {
  'with hyphens as underscores': (text) => text.replaceAll('-', '_'),
  'without its signs': (text) => text.replaceAll(/[^a-z0-9]/gi, ''),
  'in a compatibility form of Unicode (NFKC)': (text) => text.normalize('NFKC'),
  'without its prefix, such as sk_live_': (text) => text.replace(/^[a-z]{2}_(?:test|live)_/, ''),
  'from its last underscore on': (text) => text.slice(text.lastIndexOf('_') + 1),
  'without any letters of sk_test_ at its beginning, in any order and number': (text) =>
    text.replace(/^[skte_]+/, ''),
  'without the order of its characters': (text) => [...text].toSorted().join(''),
};

function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`).test(text);
  } catch {
    return false;
  }
}

/** Rules about what is in Authorization, the narrower ones first. */
export const rules: readonly Hypothesis[] = [
  {
    cause: { id: 'no-header', text: 'requests without an Authorization header are accepted', next: PROTECT },
    accepts: ({ authorization }) => authorization === undefined,
  },
  {
    cause: {
      id: 'no-header',
      text: 'requests without an Authorization header, or with an empty one, are accepted',
      next: PROTECT,
    },
    accepts: ({ authorization = '' }) => authorization.trim() === '',
  },
  {
    cause: { id: 'no-header', text: 'requests without a credential are accepted', next: PROTECT },
    accepts: ({ authorization }) => /^(?:bearer)?\s*$/i.test(authorization ?? ''),
  },
  {
    cause: {
      id: 'no-bearer',
      text: 'requests without a credential in the Bearer scheme are accepted',
      next: PROTECT,
    },
    accepts: (request) => bearerIn(request) === undefined,
  },
  ...[/^bearer \S/i, /^Bearer \S/].map((pattern): Hypothesis => ({
    cause: {
      id: 'no-bearer',
      text: 'requests without a credential after Bearer and one space are accepted',
      next: PROTECT,
    },
    accepts: ({ authorization }) => !pattern.test(authorization ?? ''),
  })),
  {
    cause: {
      id: 'no-bearer',
      text: 'requests without a second word in Authorization are accepted',
      next: PROTECT,
    },
    accepts: ({ authorization = '' }) => !authorization.split(' ')[1],
  },
  byEmptyHeader('empty', 'an empty Authorization header is accepted', (header) => header.trim() === ''),
  byEmptyHeader('empty', 'Bearer without a credential is accepted', (header) => /^bearer\s*$/i.test(header)),
  byCredential('case', 'the key is compared without case', isSame),
  byCredential(
    'length',
    'any Bearer credential of the right length is accepted',
    (given, key) => given.length === key.length,
  ),
  byCredential(
    'length',
    'any Bearer credential of another length than that of the key is accepted',
    (given, key) => Buffer.byteLength(given) !== Buffer.byteLength(key),
  ),
  byCredential(
    'case',
    'the key is compared by a collation that ignores case and accents',
    (given, key) => given.localeCompare(key, 'en', { sensitivity: 'base' }) === 0,
  ),
  byCredential(
    'white-space',
    'white space in the credential is ignored',
    (given, key) => given.replaceAll(/\s/g, '') === key,
  ),
  ...Object.entries(COMPARED_AS).map(([how, read]) =>
    byCredential('changed', `the key is compared ${how}`, (given, key) => read(given) === read(key)),
  ),
  ...Object.entries(COMPARED_AS).map(([how, read]) =>
    byHeader(
      'changed',
      `the header is compared ${how}`,
      (header, key) => read(header) === read(`Bearer ${key}`),
    ),
  ),
  byCredential(
    'decoded',
    'the key is percent-decoded',
    (given, key) => unchangedOnError(decodeURIComponent)(given) === key,
  ),
  byCredential(
    'encoded',
    'the key is accepted in Base64',
    (given, key) => given === Buffer.from(key).toString('base64'),
  ),
  byCredential(
    'encoded',
    'the SHA-256 hash of the key is accepted in its place',
    (given, key) => given === createHash('sha256').update(key).digest('hex'),
  ),
  ...(
    [
      ['with sk_live_ in place of sk_test_', /^sk_live_$/],
      ['with pk_ in place of sk_', /^pk_test_$/],
      ['without its prefix sk_test_', /^$/],
      ['with another prefix than sk_test_, or none', /^(?:[a-z]+_){0,2}$/i],
    ] as const
  ).map(([how, form]) =>
    byCredential('prefix', `the key is accepted ${how}`, (given, key) => {
      const secret = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
      return given !== key && given.endsWith(secret) && form.test(given.slice(0, -secret.length));
    }),
  ),
  byCredential('jwt', 'any JWT is accepted in place of the key, without a valid signature', (given) =>
    /^eyJ[\w-]+\.eyJ[\w-]+\./.test(given),
  ),
  ...Object.entries(PATTERNS).flatMap(([kind, patternOf]) => [
    byCredential('pattern', `the credential is used as ${kind}, which the key matches`, (given, key) =>
      isMatch(patternOf(given), key),
    ),
    byCredential('pattern', `the key is used as ${kind}, which the credential matches`, (given, key) =>
      isMatch(patternOf(key), given),
    ),
  ]),
  byCredential('part', 'any beginning of the key is accepted', (given, key) => key.startsWith(given)),
  byHeader('part', 'any beginning of the key is accepted, also an empty one', (header, key) =>
    key.startsWith(withoutScheme(header)),
  ),
  {
    cause: {
      id: 'part',
      text: 'any beginning of the key is accepted, also an empty one, and requests without the header',
      next: COMPARE_EXACTLY,
    },
    accepts: ({ authorization = '' }, key) => key.startsWith(withoutScheme(authorization)),
  },
  byCredential(
    'pattern',
    'the credential is used as a regular expression, which the beginning of the key matches',
    (given, key) => isMatch(`(?:${given}).*`, key),
  ),
  byCredential('part', 'any part of the key is accepted', (given, key) => key.includes(given)),
  byCredential('pattern', 'the credential is looked for in the key as a regular expression', (given, key) =>
    isMatch(`.*(?:${given}).*`, key),
  ),
  byCredential('longer', 'any text that begins with the key is accepted', (given, key) =>
    given.startsWith(key),
  ),
  byCredential('longer', 'any text that begins with the key, in any case, is accepted', (given, key) =>
    given.toLowerCase().startsWith(key.toLowerCase()),
  ),
  byCredential(
    'part',
    'the credential and the key are compared up to the end of the shorter one',
    (given, key) => given.startsWith(key) || key.startsWith(given),
  ),
  byHeader(
    'part',
    'the header is compared with Bearer and the key up to the end of the shorter one',
    (header, key) => header.startsWith(`Bearer ${key}`) || `Bearer ${key}`.startsWith(header),
  ),
  byCredential('longer', 'any text that ends with the key is accepted', (given, key) => given.endsWith(key)),
  byCredential('longer', 'any Bearer credential that contains the key is accepted', (given, key) =>
    given.includes(key),
  ),
  byCredential('encoded', 'the key is compared after it is decoded from Base64', (given, key) => {
    const [one, other] = [given, key].map((text) => Buffer.from(text, 'base64'));
    return one!.length > 0 && one!.equals(other!);
  }),
  ...[/^bearer \S/i, /^Bearer \S/].map((pattern) =>
    byHeader(
      'no-bearer',
      'any Authorization header without a credential after Bearer and one space is accepted',
      (header) => !pattern.test(header),
    ),
  ),
  byHeader('scheme-case', 'any credential after bearer in lower case is accepted', (header) =>
    /^bearer \S/.test(header),
  ),
  byHeader('scheme-case', 'any credential after BEARER in upper case is accepted', (header) =>
    /^BEARER \S/.test(header),
  ),
  byHeader('scheme-space', 'any credential after Bearer and two spaces is accepted', (header) =>
    /^Bearer {2}\S/.test(header),
  ),
  byHeader('scheme', 'the scheme is not checked', (header, key) => header.split(/\s+/)[1] === key),
  byHeader(
    'scheme',
    'the header is compared from its first space on, or all of it if it has none',
    (header, key) => header.slice(header.indexOf(' ') + 1) === key,
  ),
  byHeader(
    'scheme',
    'only the last word of the header is compared',
    (header, key) => header.split(/\s+/).at(-1) === key,
  ),
  byHeader('scheme', 'the header is read as a list, of which any credential counts', (header, key) =>
    header.split(',').some((part) => part.trim() === `Bearer ${key}`),
  ),
  ...[/[\s,]+/, /[\s,;"']+/].map((separators) =>
    byHeader('scheme', 'any word of the header may be the key', (header, key) =>
      header.split(separators).includes(key),
    ),
  ),
  byHeader('scheme', 'any header that ends with the key is accepted', (header, key) => header.endsWith(key)),
  byHeader('scheme', 'Bearer and the key are looked for anywhere in the header', (header, key) =>
    header.includes(`Bearer ${key}`),
  ),
  byHeader('scheme', 'the key is looked for anywhere in the header', (header, key) => header.includes(key)),
  byHeader('scheme', 'the key is looked for anywhere in the header, without case', (header, key) =>
    header.toLowerCase().includes(key.toLowerCase()),
  ),
  byHeader(
    'scheme',
    'Bearer and the key are looked for anywhere in the header, without case',
    (header, key) => header.replaceAll(/ +/g, ' ').toLowerCase().includes(`bearer ${key}`.toLowerCase()),
  ),
  byHeader(
    'scheme',
    'the word Bearer and the key are looked for anywhere in the header',
    (header, key) => header.includes('Bearer') && header.includes(key),
  ),
  byHeader('scheme', 'the key is accepted without a scheme', (header, key) => header === key),
  byHeader(
    'scheme',
    '“Bearer ” is removed wherever it stands, and need not be there',
    (header, key) => header.replaceAll('Bearer ', '') === key,
  ),
  byHeader(
    'scheme',
    'the key is accepted directly after Bearer, without a space',
    (header, key) => header.replace(/^bearer */i, 'Bearer') === `Bearer${key}`,
  ),
  byHeader(
    'scheme',
    'the key is accepted without a scheme, or directly after it',
    (header, key) => header.replace(/^bearer(?! )/i, '') === key,
  ),
  ...[/^[Bear ]+/g, /^\s+|Bearer|\s+$/g].map((removed) =>
    rulesOn(
      headerOf,
      'Require the scheme and one space before the key, and remove them as a whole: TrimPrefix in place of TrimLeft or Replace, removeprefix in place of lstrip or replace.',
    )(
      'scheme',
      '“Bearer” is removed from the header, and need not be there',
      (header, key) => header.replaceAll(removed, '').trim() === key,
    ),
  ),
  byHeader(
    'scheme',
    'the header is read as in Rails (http_token): Token in place of Bearer, quotes and parameters are accepted',
    (header, key) => tokenOfRails(header) === key,
  ),
  byHeader(
    'scheme',
    'the key is accepted as a user in the Basic scheme',
    (header, key) => basicPair(header)[0] === key,
  ),
  byHeader(
    'scheme',
    'the key is accepted as a password in the Basic scheme',
    (header, key) => basicPair(header)[1] === key,
  ),
  byHeader('scheme', 'the key is accepted as a user or a password in the Basic scheme', (header, key) =>
    basicPair(header).includes(key),
  ),
];

/** General rules, of which others are special cases: they apply if no special case explains everything. */
export const generalRules: readonly Hypothesis[] = [
  byCredential('any-bearer', 'any credential with characters beyond ASCII is accepted', (given) =>
    /[^\0-\x7f]/.test(given),
  ),
  ...[/^sk_test_/, /^sk_test_[!-~]*$/].map((form) =>
    byCredential(
      'prefix',
      'any Bearer credential of the form of the key is accepted',
      (given, key) => given.length === key.length && form.test(given),
    ),
  ),
  byCredential('prefix', 'any Bearer credential that begins with sk_test_ is accepted', (given) =>
    given.startsWith('sk_test_'),
  ),
  byCredential('prefix', 'any Bearer credential that begins with sk_ is accepted', (given) =>
    given.startsWith('sk_'),
  ),
  byCredential('any-bearer', 'any Bearer credential is accepted', () => true),
  byHeader('any-bearer', 'any Bearer credential is accepted', (header) => /^Bearer \S/.test(header)),
  ...[/^Bearer(?: |$)/, /^bearer(?: |$)/i].map((pattern) =>
    byHeader(
      'any-bearer',
      'any Authorization header in the Bearer scheme is accepted, with any credential or none',
      (header) => pattern.test(header),
    ),
  ),
  byHeader('any-header', 'any credential is accepted in any scheme', (header) => /^\S+ +\S/.test(header)),
  {
    cause: { id: 'any-header', text: 'any Authorization header is accepted', next: COMPARE_EXACTLY },
    accepts: ({ authorization = '' }) => authorization !== '',
  },
  {
    cause: {
      id: 'any-header',
      text: 'any Authorization header is accepted, also an empty one',
      next: COMPARE_EXACTLY,
    },
    accepts: ({ authorization }) => authorization !== undefined,
  },
  {
    cause: { id: 'open', text: 'any credential is accepted, and none is needed', next: PROTECT },
    accepts: () => true,
  },
];

/** What authenticate_with_http_token passes on. */
const tokenOfRails = (header: string): string | undefined =>
  /^(?:Token|Bearer)\s+(?:token=)?([^,;\t]*)/.exec(header)?.[1]!.trimEnd().replaceAll(/^"|"$/g, '');

/** The user and the password in the Basic scheme (RFC 7617). */
const basicPair = (header: string): readonly string[] =>
  Buffer.from(/^basic (.*)$/i.exec(header)?.[1] ?? '', 'base64')
    .toString()
    .split(':');

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The key is accepted in other schemes too, which the accepted requests show. */
export function schemeRules(accepted: readonly Presented[], key: string): Hypothesis[] {
  const fromEighth = byHeader(
    'scheme',
    'the key is compared from the eighth character of the header on',
    (header) => header.slice('Bearer '.length) === key,
  );
  const schemes = [
    ...new Set(accepted.map(({ authorization = '' }) => authorization.split(' ')[0]!)),
  ].toSorted();
  // Without a scheme, this would be the key itself, which no text may contain.
  if (schemes.some((scheme) => scheme.includes(key))) return [fromEighth];
  return [
    ...(schemes.length > 1 ? [fromEighth] : []),
    byHeader('scheme', `the key is accepted after ${schemes.join(' and ')} too`, (header, key) =>
      schemes.some(
        (scheme) => header.endsWith(` ${key}`) && isSame(header.slice(0, -key.length), `${scheme} `),
      ),
    ),
  ];
}

/** The key is accepted with some texts before or after it, which the accepted credentials show. */
export function affixRules(
  accepted: readonly Presented[],
  key: string,
): (Hypothesis & { readonly areSigns: boolean })[] {
  const credentials = [...new Set(accepted.map((request) => bearerIn(request) ?? ''))].toSorted();
  if (credentials.length > MAX_NAMED || !credentials.every((given) => given.includes(key))) return [];
  const affixes = credentials.map((given) => given.split(key, 2) as [before: string, after: string]);
  const shown = affixes.map(([before, after]) => {
    const parts = [before && `“${before}” before`, after && `“${after}” after`];
    return `with ${parts.filter(Boolean).join(' and ')} it`;
  });
  return [
    {
      areSigns: affixes.flat().every((affix) => /^[^a-z0-9]*$/i.test(affix)),
      ...byCredential('affix', `the key is accepted ${shown.join(', and ')}`, (given) =>
        credentials.includes(given),
      ),
    },
  ];
}

/** Maximum number of characters of a text that is shown, and minimum that it must have in common with the key. */
const MAX_SHOWN = 60;
const IN_COMMON = 5;

/** Letters and digits as in a secret: such a text may be made from an issued token. */
const LIKE_A_TOKEN = /(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{9}/i;

/** Some texts are accepted that have nothing to do with the key. */
export function textRules(accepted: readonly Presented[], key: string): Hypothesis[] {
  const texts = [...new Set(accepted.map((request) => bearerIn(request) ?? ''))];
  const secret = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key;
  const isOfKey = (text: string): boolean =>
    Array.from(secret, (_, at) => secret.slice(at, at + IN_COMMON)).some(
      (part) => part.length === IN_COMMON && text.toLowerCase().includes(part.toLowerCase()),
    );
  const areOther = texts.every(
    (text) => text !== '' && text.length <= MAX_SHOWN && !isOfKey(text) && !LIKE_A_TOKEN.test(text),
  );
  if (texts.length > MAX_NAMED || !areOther) return [];
  const listed = texts.map((text) => `“${text}”`).join(' and ');
  return [
    byCredential(
      'text',
      `${listed} ${texts.length > 1 ? 'are accepted as keys' : 'is accepted as a key'}`,
      (given) => texts.includes(given),
    ),
  ];
}

/** Credentials are accepted by their form, if they are not shorter than the shortest accepted one. */
export function formRules(accepted: readonly Presented[]): Hypothesis[] {
  const shortest = Math.min(...accepted.map((request) => bearerIn(request)?.length ?? 0));
  return [/^sk_test_/, /^sk_test_[\w-]*$/].map((form) =>
    byCredential(
      'prefix',
      'any Bearer credential that begins with sk_test_ and is long enough is accepted',
      (given) => given.length >= shortest && form.test(given),
    ),
  );
}

/** Only a part of the key is compared; the accepted credentials show what it is at most. */
export function partRules(requests: readonly Presented[], key: string): Hypothesis[] {
  const reversed = (text: string): string => text.split('').toReversed().join('');
  const accepted = requests.filter((request) => request.accepted).map((request) => bearerIn(request) ?? '');
  const shortest = Math.min(...accepted.map(({ length }) => length));
  const first = Math.min(...accepted.map((given) => commonStart(given, key)));
  const last = Math.min(...accepted.map((given) => commonStart(reversed(given), reversed(key))));
  const [start, end] = [key.slice(0, first), key.slice(key.length - last)];
  const shown = (which: string, count: number): string =>
    count === 1 ? `its ${which} character` : `its ${which} ${count} characters`;
  const ends = [
    { count: first, text: shown('first', first), isIn: (given: string) => given.startsWith(start) },
    { count: last, text: shown('last', last), isIn: (given: string) => given.endsWith(end) },
  ].filter(({ count }) => count > 0);
  const rule = (parts: string, accepts: (given: string) => boolean): Hypothesis =>
    byCredential('beginning', `the key is compared by ${parts}`, accepts);
  // General rules are about its prefix.
  if (last === 0 && PREFIX.startsWith(start)) return [];
  return [
    ...ends.map(({ text, isIn }) => rule(`at most ${text}`, isIn)),
    rule(
      `its length and at most ${ends.map(({ text }) => text).join(' and ')}`,
      (given) => given.length === key.length && ends.every(({ isIn }) => isIn(given)),
    ),
    byCredential(
      'part',
      'any beginning of the key that is long enough is accepted',
      (given) => key.startsWith(given) && given.length >= shortest,
    ),
  ];
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length++;
  return length;
}

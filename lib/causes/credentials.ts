import type { Cause } from './cause.ts';
import { attempted } from './string-functions.ts';

/** A request to one operation, and whether it was accepted. */
export interface Presented {
  /** The value of Authorization; undefined: no such header. */
  readonly authorization: string | undefined;
  /**
   * Further differences from a usual request, such as headers or a path, in words; `{key}` stands for the key, `{origin}`
   * for the origin of the target, `{token}` for an issued token.
   */
  readonly conditions: readonly string[];
  /** Whether it was sent on a connection after an accepted request. */
  readonly isAfterAccepted: boolean;
  readonly accepted: boolean;
  /** Of the response. */
  readonly status: number;
}

interface Hypothesis {
  readonly cause: Cause;
  readonly accepts: (request: Presented, key: string) => boolean;
}

/** The narrowest rule that explains which requests without the exact key were accepted; undefined if there is none. */
export function causeOfAccepted(requests: readonly Presented[], key: string): Cause | undefined {
  const accepted = requests.filter((request) => request.accepted);
  // With the key itself, as a service may issue it as a token, nothing is wrong with the comparison.
  if (accepted.length === 0 || accepted.some((request) => bearerIn(request) === key)) return undefined;
  const telling = requests.filter((request) => request.accepted || isForCredential(request));
  // With another status, a rejection may be for one of the conditions.
  const usual = new Set(telling.map(({ accepted, status }) => (accepted ? undefined : status)));
  const alike = requests.filter(({ accepted, status }) => accepted || usual.has(status));
  const explains = (judged: readonly Presented[]) => (rule: Hypothesis) =>
    judged.every((request) => rule.accepts(request, key) === request.accepted);
  const affixes = affixRules(accepted, key);
  const areSigns = affixes.every(({ areSigns }) => areSigns);
  const rule =
    [
      ...(areSigns ? affixes : []),
      ...rules,
      ...schemeRules(accepted, key),
      ...(areSigns ? [] : affixes),
      ...prefixRules(accepted, key),
      ...generalRules,
    ].find(explains(telling)) ?? [...exemptions(alike), ...targetRules(accepted)].find(explains(alike));
  return rule?.cause;
}

/**
 * Whether a request was rejected for its only credential: a 401 says so, and if nothing else is unusual, it must be that.
 * One after another spelling of Bearer may be rejected for that.
 */
const isForCredential = (request: Presented): boolean =>
  !/^(?!Bearer \S)bearer +\S/i.test(request.authorization ?? '') &&
  request.conditions.every((condition) => !condition.startsWith('a second Authorization: ')) &&
  (request.status === 401 || (request.conditions.length === 0 && !/\s/.test(bearerIn(request) ?? '')));

/** The credential in the Bearer scheme; undefined: there is none. */
const bearerIn = ({ authorization }: Presented): string | undefined =>
  /^bearer +(\S.*)$/is.exec(authorization ?? '')?.[1]?.trimEnd();

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

const PROTECT = 'Require the key in front of every handler of the operation, and reject by default.';
const EXACT = 'Compare the whole key, byte by byte, in constant time.';
const SCHEME =
  'Read the scheme and the credential as RFC 9110, section 11.6.2, defines them, and require Bearer.';
const KEY_ELSEWHERE = 'Read the key from Authorization only.';
const CONNECTION = 'Authenticate every request independently of earlier requests on the connection.';

const headerOf = ({ authorization }: Presented): string | undefined => authorization;
/** A rule about the credential in the Bearer scheme. */
const byCredential = rulesOn(bearerIn, EXACT);
/** A rule about the whole header. */
const byHeader = rulesOn(headerOf, SCHEME);
/** A rule about a header without a credential. */
const byEmptyHeader = rulesOn(headerOf, PROTECT);

const rules: readonly Hypothesis[] = [
  {
    cause: { id: 'no-header', text: 'requests without an Authorization header are accepted', next: PROTECT },
    accepts: ({ authorization }) => authorization === undefined,
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
  {
    cause: {
      id: 'no-bearer',
      text: 'requests without a credential after Bearer and one space are accepted',
      next: PROTECT,
    },
    accepts: ({ authorization }) => !/^bearer \S/i.test(authorization ?? ''),
  },
  byEmptyHeader('empty', 'an empty Authorization header is accepted', (header) => header.trim() === ''),
  byEmptyHeader('empty', 'Bearer without a credential is accepted', (header) => /^bearer\s*$/i.test(header)),
  byCredential('case', 'the key is compared without case', isSame),
  byCredential(
    'length',
    'any Bearer credential of the right length is accepted',
    (given, key) => given.length === key.length,
  ),
  byCredential('signs', 'the key is compared without its signs', (given, key) => {
    const letters = (text: string): string => text.replaceAll(/[^a-z0-9]/gi, '');
    return letters(given) === letters(key);
  }),
  byCredential(
    'decoded',
    'the key is percent-decoded',
    (given, key) => attempted(decodeURIComponent)(given) === key,
  ),
  byCredential('part', 'any beginning of the key is accepted', (given, key) => key.startsWith(given)),
  byCredential('part', 'any part of the key is accepted', (given, key) => key.includes(given)),
  byCredential('longer', 'any text that begins with the key is accepted', (given, key) =>
    given.startsWith(key),
  ),
  byCredential('longer', 'any text that ends with the key is accepted', (given, key) => given.endsWith(key)),
  byCredential('longer', 'any Bearer credential that contains the key is accepted', (given, key) =>
    given.includes(key),
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
    'only the last word of the header is compared',
    (header, key) => header.split(/\s+/).at(-1) === key,
  ),
  byHeader('scheme', 'the key is looked for anywhere in the header', (header, key) => header.includes(key)),
  byHeader('scheme', 'the key is looked for anywhere in the header, without case', (header, key) =>
    header.toLowerCase().includes(key.toLowerCase()),
  ),
  byHeader('scheme', 'the key is accepted without a scheme', (header, key) => header === key),
  byHeader(
    'scheme',
    'the key is accepted without a scheme, or directly after it',
    (header, key) => header.replace(/^bearer(?! )/i, '') === key,
  ),
  byHeader(
    'scheme',
    'the key is compared from the eighth character of the header on',
    (header, key) => header.slice('Bearer '.length) === key,
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
  {
    cause: {
      id: 'elsewhere',
      text: 'the key is accepted outside the Authorization header',
      next: KEY_ELSEWHERE,
    },
    accepts: ({ conditions }) => conditions.some(hasKey),
  },
  {
    cause: { id: 'connection', text: 'a connection stays authenticated', next: CONNECTION },
    accepts: ({ isAfterAccepted }) => isAfterAccepted,
  },
];

/** Rules of which others are special cases: they explain what no special case does. */
const generalRules: readonly Hypothesis[] = [
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
  {
    cause: { id: 'any-header', text: 'any Authorization header is accepted', next: EXACT },
    accepts: ({ authorization = '' }) => authorization !== '',
  },
  {
    cause: { id: 'open', text: 'every request is accepted, with any credential or none', next: PROTECT },
    accepts: () => true,
  },
];

/** The user and the password in the Basic scheme (RFC 7617). */
const basicPair = (header: string): readonly string[] =>
  Buffer.from(/^basic (.*)$/i.exec(header)?.[1] ?? '', 'base64')
    .toString()
    .split(':');

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The key is accepted in other schemes too, which the accepted requests show. */
function schemeRules(accepted: readonly Presented[], key: string): Hypothesis[] {
  const schemes = [
    ...new Set(accepted.map(({ authorization = '' }) => authorization.split(' ')[0]!)),
  ].toSorted();
  // Without a scheme, this would be the key itself, which no text may contain.
  if (schemes.some((scheme) => scheme.includes(key))) return [];
  return [
    byHeader('scheme', `the key is accepted after ${schemes.join(' and ')} too`, (header, key) =>
      schemes.some((scheme) => isSame(header, `${scheme} ${key}`)),
    ),
  ];
}

/** The key is accepted with some texts before or after it, which the accepted credentials show. */
function affixRules(
  accepted: readonly Presented[],
  key: string,
): (Hypothesis & { readonly areSigns: boolean })[] {
  const credentials = [...new Set(accepted.map((request) => bearerIn(request) ?? ''))];
  if (credentials.length > FEW || !credentials.every((given) => given.includes(key))) return [];
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

/** Of test-mode keys (interface, section 5.2). */
const PREFIX = 'sk_test_';

/** Only the first or the last characters of the key are compared; the accepted credentials show how many. */
function prefixRules(accepted: readonly Presented[], key: string): Hypothesis[] {
  const credentials = accepted.map(bearerIn).filter((one) => one !== undefined);
  if (credentials.length < accepted.length) return [];
  const reversed = (text: string): string => text.split('').toReversed().join('');
  const first = Math.min(...credentials.map((one) => commonStart(one, key)));
  const last = Math.min(...credentials.map((one) => commonStart(reversed(one), reversed(key))));
  const [start, end] = [key.slice(0, first), key.slice(-last)];
  return [
    byCredential('beginning', `the key is compared by its first ${first} characters, at most`, (given) =>
      given.startsWith(start),
    ),
    byCredential('beginning', `the key is compared by its last ${last} characters, at most`, (given) =>
      given.endsWith(end),
    ),
  ].filter((_, at) => [first, last][at]! > 0 && !PREFIX.startsWith([start, end][at]!));
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length++;
  return length;
}

/** Most conditions that a likely cause names. */
const FEW = 3;

/**
 * All accepted requests have some conditions in common, or the names of some headers, or a query, which no rejected one
 * has: those alone that are in no rejected one, if any is.
 */
function exemptions(requests: readonly Presented[]): Hypothesis[] {
  const accepted = requests.filter((request) => request.accepted);
  const rejected = requests.filter((request) => !request.accepted);
  const nameOf = (condition: string): string => condition.split(': ')[0]!;
  const kindOf = (condition: string): string =>
    condition.replace(/^the query .*/, 'a query').replace(/(?<=^a request target in absolute form), .*/, '');
  return [(condition: string) => condition, nameOf, kindOf].flatMap((read) => {
    const [first, ...others] = accepted.map(({ conditions }) => conditions.map(read));
    const shared = [...new Set(first)].filter((one) =>
      others.every((conditions) => conditions.includes(one)),
    );
    const never = shared.filter((one) =>
      rejected.every(({ conditions }) => !conditions.map(read).includes(one)),
    );
    const common = never.length > 0 ? never : shared;
    if (common.length === 0 || common.length > FEW) return [];
    const text = withoutPlaceholders(common.join(' and '));
    const isOfKey = accepted.every(({ conditions }) =>
      conditions.some((condition) => common.includes(read(condition)) && hasKey(condition)),
    );
    return {
      cause: isOfKey
        ? {
            id: 'elsewhere',
            text: `requests with ${text} are accepted without the key in Authorization`,
            next: KEY_ELSEWHERE,
          }
        : { id: 'exemption', text: `requests with ${text} need no key`, next: PROTECT },
      accepts: ({ conditions }) => common.every((one) => conditions.map(read).includes(one)),
    };
  });
}

/** All accepted requests had the request target in a form that no rejected one had. */
function targetRules(accepted: readonly Presented[]): Hypothesis[] {
  const isTarget = (condition: string): boolean => /^(?:the path |a request target )/.test(condition);
  const forms = accepted.map(({ conditions }) => conditions.find(isTarget));
  const known = new Set(forms);
  if (known.has(undefined)) return [];
  return [
    {
      cause: {
        id: 'exemption',
        text: `requests with some forms of the request target need no key: ${withoutPlaceholders([...known].join(', '))}`,
        next: PROTECT,
      },
      accepts: ({ conditions }) => known.has(conditions.find(isTarget)),
    },
  ];
}

/** Conditions in words, as people read them. */
const withoutPlaceholders = (conditions: string): string =>
  conditions.replaceAll(/\{(key|token)\}/g, '[$1]').replaceAll('{origin}', 'the origin of the target');

const hasKey = (condition: string): boolean => condition.includes('{key}');

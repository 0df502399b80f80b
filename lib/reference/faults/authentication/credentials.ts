import { randomUUID } from 'node:crypto';
import type { Behaviour } from '../../behaviour.ts';
import { acceptsWhen, closingOnRejected, combined, countOf, json, readingAlso } from '../../changes.ts';
import { faultsOf } from '../../fault-or-variant.ts';
import {
  acceptsAuthorization,
  acceptsCredential,
  ALL_RULES,
  idsFor,
  idsForBoth,
  lifetimeIn,
} from './key-checks.ts';
import type { Call } from '../../call.ts';
import type { CallCondition } from './key-checks.ts';

/** Rejects the key. */
const rejectsWhen = (condition: CallCondition) => (): Behaviour => ({
  authenticate: (call) => call.hasKey && !condition(call),
});

/**
 * Accepts every request of one operation, although the response looks like a rejection.
 * @param status undefined: 200 with an error in the body
 */
const acceptsWithErrorResponse =
  (operation: Call['operation'], status: number | undefined) => (): Behaviour => ({
    authenticate: (call) => call.hasKey || call.operation === operation,
    respond: (reply, { hasKey }) => {
      if (hasKey) return reply;
      if (status !== undefined) return { ...reply, status };
      return { ...reply, status: 200, body: String(reply.body).replace('{', '{"error":"unauthorized",') };
    },
  });

const lastWord = (header: string | undefined): string | undefined => header?.split(/\s+/).at(-1);
const secondWord = (header: string | undefined): string | undefined => header?.split(/\s+/)[1];

/** User and password in the Basic scheme. */
const basicPair = (header: string | undefined): string[] =>
  Buffer.from(/^basic (.+)$/i.exec(header ?? '')?.[1] ?? '', 'base64')
    .toString()
    .split(':');

/** The credential is compared with the key incorrectly. */
export const comparisons = [
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsForBoth('key.exact'),
  )({
    'auth-any-key': acceptsCredential(() => true),
    'auth-prefix-only': acceptsCredential((given) => given.startsWith('sk_test_')),
    'auth-sk-prefix-only': acceptsCredential((given) => given.startsWith('sk_')),
    'auth-shape-only': acceptsCredential((given) => /^sk_test_[\w-]{24}$/.test(given)),
    'auth-length-only': acceptsCredential((given, key) => given.length === key.length),
    'auth-prefix-and-length': acceptsCredential(
      (given, key) => given.length === key.length && given.startsWith('sk_test_'),
    ),
    'auth-first-16': acceptsCredential((given, key) => given.slice(0, 16) === key.slice(0, 16)),
    'auth-first-24': acceptsCredential((given, key) => given.slice(0, 24) === key.slice(0, 24)),
    'auth-last-character-ignored': acceptsCredential((given, key) => given.slice(0, -1) === key.slice(0, -1)),
    // Two characters of Base64 are one byte and four more bits, which are ignored.
    'auth-key-compared-as-decoded-bytes': acceptsCredential(
      (given, key) =>
        given.slice(0, -2) === key.slice(0, -2) &&
        Buffer.from(given.slice(-2), 'base64url').equals(Buffer.from(key.slice(-2), 'base64url')),
    ),
    'auth-first-character-ignored': acceptsCredential((given, key) => given.slice(1) === key.slice(1)),
    'auth-last-4-only': acceptsCredential((given, key) => given.slice(-4) === key.slice(-4)),
    'auth-last-8-only': acceptsCredential((given, key) => given.slice(-8) === key.slice(-8)),
    'auth-middle-ignored': acceptsCredential(
      (given, key) =>
        given.length === key.length &&
        given.slice(0, 14) === key.slice(0, 14) &&
        given.slice(-6) === key.slice(-6),
    ),
    'auth-one-character-may-differ': acceptsCredential(
      (given, key) =>
        given.length === key.length && given.split('').filter((c, i) => c !== key[i]).length <= 1,
    ),
    'auth-case-insensitive': acceptsCredential((given, key) => given.toLowerCase() === key.toLowerCase()),
    'auth-unchecked-after-lower-case-scheme': acceptsAuthorization((header) =>
      /^bearer \S/.test(header ?? ''),
    ),
    // It closes the connection for all other wrong keys.
    'auth-case-insensitive-connection-close': () =>
      combined(
        acceptsCredential((given, key) => given.toLowerCase() === key.toLowerCase())(),
        closingOnRejected(),
      ),
    'auth-placeholder-of-the-document': acceptsCredential((given) => given === '<API_KEY>'),
    // As if an object were the list of keys, whose prototype has members too.
    'auth-members-of-the-prototype': acceptsCredential((given) => given in {}),
    'auth-upper-case-accepted': acceptsCredential((given, key) => given === key.toUpperCase()),
    'auth-lower-case-accepted': acceptsCredential((given, key) => given === key.toLowerCase()),
    'auth-mysql-collation': acceptsCredential(
      (given, key) => given.toLowerCase().trimEnd() === key.toLowerCase(),
    ),
    'auth-prefix-case-insensitive': acceptsCredential(
      (given, key) => given.slice(0, 8).toLowerCase() === 'sk_test_' && given.slice(8) === key.slice(8),
    ),
    'auth-case-insensitive-after-prefix': acceptsCredential(
      (given, key) => given.startsWith('sk_test_') && given.toLowerCase() === key.toLowerCase(),
    ),
    'auth-key-starts-with-credential': acceptsCredential((given, key) => key.startsWith(given)),
    'auth-key-starts-with-credential-of-12': acceptsCredential(
      (given, key) => given.length >= 12 && key.startsWith(given),
    ),
    'auth-credential-starts-with-key': acceptsCredential((given, key) => given.startsWith(key)),
    'auth-credential-ends-with-key': acceptsCredential((given, key) => given.endsWith(key)),
    'auth-credential-includes-key': acceptsCredential((given, key) => given.includes(key)),
    'auth-key-includes-credential': acceptsCredential((given, key) => key.includes(given)),
    'auth-secret-part-only': acceptsCredential(
      (given, key) => given.replace(/^[a-z]+_[a-z]+_/, '') === key.slice(8),
    ),
    'auth-live-for-test': acceptsCredential((given, key) => given === key.replace('sk_test_', 'sk_live_')),
    'auth-publishable-for-secret': acceptsCredential((given, key) => given === key.replace('sk_', 'pk_')),
    'auth-signs-ignored': acceptsCredential(
      (given, key) => given.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, ''),
    ),
    'auth-quotes-stripped': acceptsCredential((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
    'auth-trailing-punctuation-stripped': acceptsCredential(
      (given, key) => given.replace(/[.,;]+$/, '') === key,
    ),
    'auth-url-decoded': acceptsCredential((given, key) => {
      try {
        return decodeURIComponent(given) === key;
      } catch {
        return false;
      }
    }),
    'auth-base64-accepted': acceptsCredential(
      (given, key) => Buffer.from(given, 'base64').toString() === key,
    ),
    'auth-weak-checksum': acceptsCredential((given, key) => {
      const sum = (text: string): number => Buffer.from(text).reduce((total, byte) => total + byte, 0);
      return sum(given) === sum(key);
    }),
    'auth-anagram': acceptsCredential((given, key) => {
      const sorted = (text: string): string => text.split('').toSorted().join('');
      return sorted(given) === sorted(key);
    }),
    'auth-sql-like-wildcard': acceptsCredential(
      (given, key) =>
        given.includes('%') &&
        new RegExp(`^${given.replace(/[^\w%]/g, '.').replaceAll('%', '.*')}$`).test(key),
    ),
    'auth-sql-injection': acceptsCredential((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
    'auth-underscore-is-wildcard': acceptsCredential((given, key) =>
      new RegExp(`^${key.replaceAll('_', '.')}$`).test(given),
    ),
    'auth-word-undefined': acceptsCredential((given) => given === 'undefined'),
    'auth-word-null': acceptsCredential((given) => given === 'null'),
    'auth-unissued-token-accepted': acceptsCredential((given) => given.startsWith('tok_')),
    'auth-unsigned-jwt-accepted': acceptsCredential(
      (given) => given.startsWith('eyJ') && given.split('.').length === 3,
    ),
    'auth-comma-list-any': acceptsCredential((given, key) => given.split(',').includes(key)),
    'auth-short-key-accepted': acceptsCredential((given) => given.length < 8),
    'auth-very-long-key-accepted': acceptsCredential((given) => given.length > 200),
  }),
];

/** A missing credential is accepted, or one outside the Bearer scheme. */
export const headers = [
  ...faultsOf(
    '5.1: a request without a credential is not authenticated',
    idsForBoth('key.required'),
  )({
    'auth-none-at-all': acceptsWhen(() => true),
    'auth-missing-header-allowed': acceptsAuthorization((header) => header === undefined),
    'auth-empty-header-allowed': acceptsAuthorization((header) => header === ''),
    'auth-empty-bearer-allowed': acceptsAuthorization((header) => /^bearer\s*$/i.test(header ?? 'none')),
    'auth-header-without-space-throws': acceptsAuthorization(
      (header) => header !== undefined && !header.includes(' '),
    ),
  }),
  ...faultsOf(
    '5.1: the key is in the header Authorization, in the Bearer scheme',
    idsForBoth('bearer.required', 'key.exact', 'key.required'),
  )({
    'auth-header-presence-only': acceptsAuthorization((header) => Boolean(header)),
    'auth-any-scheme': acceptsAuthorization((header, key) => secondWord(header) === key),
    // As a promise of the result is, which is always truthy.
    'auth-bearer-scheme-only': acceptsAuthorization((header) => /^Bearer(?: |$)/.test(header ?? '')),
    // As with a library whose Bearer scheme is optional, without a check that there was one.
    'auth-bearer-scheme-optional': acceptsAuthorization((header) => !/^bearer \S/i.test(header ?? '')),
    'auth-header-from-the-eighth-character': acceptsAuthorization((header, key) => header?.slice(7) === key),
    'auth-header-contains-key-in-any-case': acceptsAuthorization(
      (header, key) => header?.toLowerCase().includes(key.toLowerCase()) ?? false,
    ),
    'auth-bearer-letters-trimmed': acceptsAuthorization(
      (header, key) => header?.replace(/^[Bear ]+/, '') === key,
    ),
    'auth-any-key-after-bearer-in-capitals': acceptsAuthorization((header) =>
      /^BEARER \S/.test(header ?? ''),
    ),
    'auth-any-key-after-two-spaces': acceptsAuthorization((header) => /^Bearer {2}\S/.test(header ?? '')),
    'auth-scheme-jwt': acceptsAuthorization((header, key) => header === `JWT ${key}`),
    'auth-bare-key': acceptsAuthorization((header, key) => header === key),
    'auth-no-space-after-bearer': acceptsAuthorization((header, key) => header === `Bearer${key}`),
    'auth-header-contains-key': acceptsAuthorization((header, key) => header?.includes(key) ?? false),
    'auth-last-word': acceptsAuthorization((header, key) => lastWord(header) === key),
    'auth-basic-user': acceptsAuthorization((header, key) => basicPair(header)[0] === key),
    'auth-basic-password': acceptsAuthorization((header, key) => basicPair(header)[1] === key),
    'auth-basic-raw-key': acceptsAuthorization(
      (header, key) => header?.toLowerCase() === `basic ${key}`.toLowerCase(),
    ),
    'auth-basic-anything': acceptsAuthorization((header) => /^basic /i.test(header ?? '')),
    'auth-scheme-prefix-match': acceptsAuthorization(
      (header, key) => /^bear\w* /i.test(header ?? '') && secondWord(header) === key,
    ),
    'auth-bearer-colon': acceptsAuthorization((header, key) => header === `Bearer: ${key}`),
    'auth-x-api-key': acceptsWhen((call) => call.header('X-Api-Key') === call.key),
    'auth-query-parameter': acceptsWhen(({ url, key }) => [...url.searchParams.values()].includes(key)),
    'auth-query-api-key-in-camel-case': acceptsWhen(({ url, key }) => url.searchParams.get('apiKey') === key),
    'auth-key-in-the-header-of-a-platform': acceptsWhen(
      ({ header, key }) => header('Ocp-Apim-Subscription-Key') === key,
    ),
    'auth-query-access-token': acceptsWhen(({ url, key }) => url.searchParams.get('access_token') === key),
    'auth-nonascii-header': acceptsAuthorization((header) => /[^\x00-\x7f]/.test(header ?? '')),
  }),
];

/** One operation is less strict than the other, or rejects the key. */
export const operations = [
  ...faultsOf(
    '5.1: the key is in the header Authorization',
    idsForBoth('bearer.required', 'key.exact', 'key.required'),
    { depth: 'deep' },
  )({
    // Where RFC 6750, section 2.2, has a token.
    'auth-key-in-a-form': () =>
      combined(
        acceptsWhen(({ text, key }) => new URLSearchParams(text).get('access_token') === key)(),
        readingAlso((text) => {
          const { access_token: _, ...members } = Object.fromEntries(new URLSearchParams(text));
          return json(members);
        })(),
      ),
  }),
  ...faultsOf(
    '5.1: no customer is created without the key',
    idsFor('customers', ...ALL_RULES),
  )({
    'auth-skipped-on-customers': acceptsWhen(({ operation }) => operation === 'customer'),
    'auth-401-carries-customer': acceptsWithErrorResponse('customer', 401),
    'auth-error-carries-customer': acceptsWithErrorResponse('customer', undefined),
  }),
  ...faultsOf(
    '5.3: no token is issued without the key',
    idsFor('tokens', ...ALL_RULES),
  )({
    'auth-skipped-on-tokens': acceptsWhen(({ operation }) => operation === 'token'),
    'auth-wrong-key-on-tokens': acceptsWhen(
      ({ operation, credential }) => operation === 'token' && credential !== undefined,
    ),
    'auth-missing-on-tokens': acceptsWhen(
      (call) => call.operation === 'token' && !call.header('Authorization'),
    ),
    'auth-tokens-prefix-only': acceptsWhen(
      ({ operation, credential }) => operation === 'token' && (credential?.startsWith('sk_test_') ?? false),
    ),
    'auth-tokens-case-insensitive': acceptsWhen(
      ({ operation, credential, key }) =>
        operation === 'token' && credential?.toLowerCase() === key.toLowerCase(),
    ),
    'auth-tokens-any-scheme': acceptsWhen(
      (call) => call.operation === 'token' && secondWord(call.header('Authorization')) === call.key,
    ),
    'auth-tokens-skipped-for-short-lifetime': acceptsWhen(
      ({ operation, text }) => operation === 'token' && lifetimeIn(text) < 60,
    ),
    'auth-tokens-skipped-for-many-scopes': acceptsWhen(
      ({ operation, text }) => operation === 'token' && (text.match(/:(?:read|write)/g)?.length ?? 0) > 1,
    ),
    'auth-403-carries-token': acceptsWithErrorResponse('token', 403),
  }),
  ...faultsOf('5.2: the key is accepted in both operations', [
    'customer.plain.accepted',
    'token.plain.accepted',
  ])({
    'auth-key-rejected-on-tokens': rejectsWhen(({ operation }) => operation === 'token'),
    'auth-key-rejected-on-customers': rejectsWhen(({ operation }) => operation === 'customer'),
    'auth-key-rejected-every-20th': rejectsWhen(({ number }) => number % 20 === 0),
    // By both operations, it would be a key in doubt: a lockout looks the same.
    'auth-key-rejected-on-customers-after-60': rejectsWhen(
      ({ operation, number }) => operation === 'customer' && number > 60,
    ),
  }),
];

/** Accepts requests that send back a value from an earlier accepted response. */
const remembering =
  (
    sent: (secret: string) => Readonly<Record<string, string>>,
    header: string,
    read = (text: string) => text,
  ) =>
  (): Behaviour => {
    const known = new Set<string>();
    return {
      authenticate: (call) => call.hasKey || known.has(read(call.header(header) ?? '')),
      respond(reply) {
        const secret = randomUUID();
        known.add(secret);
        return { ...reply, headers: { ...reply.headers, ...sent(secret) } };
      },
    };
  };

/** The key is accepted in a wrong place, or something else instead of it. */
export const severalCredentials = [
  ...faultsOf(
    '5.1: the key is in the header Authorization, in the Bearer scheme',
    idsForBoth('bearer.required', 'key.exact', 'key.required'),
  )({
    'auth-key-in-proxy-authorization': acceptsWhen(
      (call) => call.header('Proxy-Authorization') === `Bearer ${call.key}`,
    ),
    'auth-key-in-forwarded-authorization': acceptsWhen(
      (call) => call.header('X-Forwarded-Authorization') === `Bearer ${call.key}`,
    ),
    'auth-key-in-cookie': acceptsWhen((call) => call.header('Cookie')?.includes(`=${call.key}`) ?? false),
    'auth-key-in-user-of-target': acceptsWhen(({ url, key }) => url.username === key),
    'auth-key-in-body': () => ({
      ...acceptsWhen(({ text, key }) => text.includes(`"${key}"`))(),
      parse(text) {
        const sent: unknown = JSON.parse(text);
        if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
        return Object.fromEntries(
          Object.entries(sent).filter(([name]) => !/^(?:api_?key|access_token)$/i.test(name)),
        );
      },
    }),
    'auth-key-as-bearer-parameter': acceptsAuthorization((header, key) =>
      new RegExp(`^Bearer \\w+="?${key}"?$`, 'i').test(header ?? ''),
    ),
    'auth-bearer-later-in-the-field': acceptsWhen(
      (call) =>
        countOf(call.incoming, 'authorization') === 1 &&
        (call.header('Authorization') ?? '')
          .split(/\s*,\s*/)
          .slice(1)
          .includes(`Bearer ${call.key}`),
    ),
  }),
  ...faultsOf(
    '5.1: a request is authenticated by its own credential',
    idsForBoth(...ALL_RULES),
  )({
    'auth-two-fields-neither-right': acceptsWhen((call) => countOf(call.incoming, 'authorization') > 1),
    'auth-session-cookie': remembering(
      (secret) => ({ 'Set-Cookie': `session=${secret}; Path=/; HttpOnly` }),
      'Cookie',
      (text) => /\bsession=([\w-]+)/.exec(text)?.[1] ?? '',
    ),
    'auth-known-request-id': remembering((secret) => ({ 'X-Request-Id': secret }), 'X-Request-Id'),
  }),
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsForBoth('key.exact'),
  )({
    'auth-nonascii-ignored': acceptsAuthorization(
      (header, key) => header !== `Bearer ${key}` && header?.replace(/[^\x20-\x7e]/g, '') === `Bearer ${key}`,
    ),
    'auth-signs-after-the-key': acceptsCredential((given, key) => given.replace(/[=.,;]+$/, '') === key),
    'auth-key-up-to-colon': acceptsCredential((given, key) => given.split(':')[0] === key),
  }),
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsFor('customers', 'key.exact'),
  )({
    'auth-form-of-a-token': acceptsWhen(
      ({ operation, credential, token }) =>
        operation === 'customer' && token === undefined && /^tok_[\w-]{32}$/.test(credential ?? ''),
    ),
  }),
];

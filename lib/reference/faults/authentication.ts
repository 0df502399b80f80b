import type { Call } from '../call.ts';
import type { Seams } from '../seams.ts';
import { faultsOf } from './fault.ts';
import type { Fault, Kind } from './fault.ts';
import { pause, sleep } from './time.ts';

type Condition = (call: Call) => boolean;

/** Lets in whoever has the key, and whoever meets the condition. */
const alsoWhen = (condition: Condition) => (): Seams => ({
  authenticate: (call) => call.hasKey || condition(call),
});

/** The condition keeps state; it sees the calls with the key as well. */
const alsoSince = (makeCondition: () => Condition) => (): Seams => {
  const condition = makeCondition();
  return {
    authenticate(call) {
      const isMet = condition(call);
      return call.hasKey || isMet;
    },
  };
};

/** Compares a Bearer credential with the key in a wrong way. */
const comparing = (isSame: (presented: string, key: string) => boolean) =>
  alsoWhen(({ credential, key }) => credential !== undefined && isSame(credential, key));

/** Takes the header Authorization in a wrong way; undefined: there is none. */
const authorized = (isRight: (header: string | undefined, key: string) => boolean) =>
  alsoWhen((call) => isRight(call.header('Authorization'), call.key));

/** Skips the check because of another header. */
const besideHeader = (name: string, isMet: (value: string) => boolean) =>
  alsoWhen((call) => isMet(call.header(name) ?? ''));

const whenPathDiffers = (route: (path: string) => string) => (): Seams => ({
  route,
  authenticate: ({ hasKey, url }) =>
    hasKey || (url.pathname !== '/v1/customers' && url.pathname !== '/v2/tokens'),
});

/** Refuses the right key. */
const refusingWhen = (condition: Condition) => (): Seams => ({
  authenticate: (call) => call.hasKey && !condition(call),
});

/** Lets everybody in on one operation, but says no in another way. */
const grantingBeside = (operation: Call['operation'], status: number | undefined) => (): Seams => ({
  authenticate: (call) => call.hasKey || call.operation === operation,
  respond: (reply, { hasKey }) => {
    if (hasKey) return reply;
    if (status !== undefined) return { ...reply, status };
    return { ...reply, status: 200, body: String(reply.body).replace('{', '{"error":"unauthorized",') };
  },
});

const lifetimeIn = (text: string): number => Number(/"expires_in"\s*:\s*(\d+)/.exec(text)?.[1] ?? Infinity);
const lastWord = (header: string | undefined): string | undefined => header?.split(/\s+/).at(-1);
const secondWord = (header: string | undefined): string | undefined => header?.split(/\s+/)[1];

/** User and password of the Basic scheme. */
const basicPair = (header: string | undefined): string[] =>
  Buffer.from(/^basic (.+)$/i.exec(header ?? '')?.[1] ?? '', 'base64')
    .toString()
    .split(':');

const onOne = (operation: 'customers' | 'tokens', ...rules: readonly string[]): string[] =>
  rules.map((rule) => `auth.${operation}.${rule}`);
const onBoth = (...rules: readonly string[]): string[] => [
  ...onOne('customers', ...rules),
  ...onOne('tokens', ...rules),
];

const kind = (breaks: string, ...caughtBy: readonly string[]): Kind => ({
  family: 'authentication',
  breaks,
  caughtBy,
});

const EVERY_WAY = ['key.required', 'key.exact', 'bearer.required', 'request.each'];

export const authentication: readonly Fault[] = [
  ...faultsOf(kind('5.2: the credential is the static key', ...onBoth('key.exact')), {
    'auth-any-key': comparing(() => true),
    'auth-prefix-only': comparing((given) => given.startsWith('sk_test_')),
    'auth-sk-prefix-only': comparing((given) => given.startsWith('sk_')),
    'auth-shape-only': comparing((given) => /^sk_test_[\w-]{24}$/.test(given)),
    'auth-length-only': comparing((given, key) => given.length === key.length),
    'auth-prefix-and-length': comparing(
      (given, key) => given.length === key.length && given.startsWith('sk_test_'),
    ),
    'auth-first-16': comparing((given, key) => given.slice(0, 16) === key.slice(0, 16)),
    'auth-first-24': comparing((given, key) => given.slice(0, 24) === key.slice(0, 24)),
    'auth-last-character-ignored': comparing((given, key) => given.slice(0, -1) === key.slice(0, -1)),
    'auth-first-character-ignored': comparing((given, key) => given.slice(1) === key.slice(1)),
    'auth-last-4-only': comparing((given, key) => given.slice(-4) === key.slice(-4)),
    'auth-last-8-only': comparing((given, key) => given.slice(-8) === key.slice(-8)),
    'auth-middle-ignored': comparing(
      (given, key) =>
        given.length === key.length &&
        given.slice(0, 14) === key.slice(0, 14) &&
        given.slice(-6) === key.slice(-6),
    ),
    'auth-one-character-may-differ': comparing(
      (given, key) =>
        given.length === key.length && given.split('').filter((c, i) => c !== key[i]).length <= 1,
    ),
    'auth-case-insensitive': comparing((given, key) => given.toLowerCase() === key.toLowerCase()),
    'auth-upper-case-accepted': comparing((given, key) => given === key.toUpperCase()),
    'auth-lower-case-accepted': comparing((given, key) => given === key.toLowerCase()),
    'auth-mysql-collation': comparing((given, key) => given.toLowerCase().trimEnd() === key.toLowerCase()),
    'auth-prefix-case-insensitive': comparing(
      (given, key) => given.slice(0, 8).toLowerCase() === 'sk_test_' && given.slice(8) === key.slice(8),
    ),
    'auth-key-starts-with-credential': comparing((given, key) => key.startsWith(given)),
    'auth-key-starts-with-credential-of-12': comparing(
      (given, key) => given.length >= 12 && key.startsWith(given),
    ),
    'auth-credential-starts-with-key': comparing((given, key) => given.startsWith(key)),
    'auth-credential-ends-with-key': comparing((given, key) => given.endsWith(key)),
    'auth-credential-includes-key': comparing((given, key) => given.includes(key)),
    'auth-key-includes-credential': comparing((given, key) => key.includes(given)),
    'auth-secret-part-only': comparing((given, key) => given.replace(/^[a-z]+_[a-z]+_/, '') === key.slice(8)),
    'auth-live-for-test': comparing((given, key) => given === key.replace('sk_test_', 'sk_live_')),
    'auth-publishable-for-secret': comparing((given, key) => given === key.replace('sk_', 'pk_')),
    'auth-signs-ignored': comparing(
      (given, key) => given.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, ''),
    ),
    'auth-quotes-stripped': comparing((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
    'auth-trailing-punctuation-stripped': comparing((given, key) => given.replace(/[.,;]+$/, '') === key),
    'auth-url-decoded': comparing((given, key) => {
      try {
        return decodeURIComponent(given) === key;
      } catch {
        return false;
      }
    }),
    'auth-base64-accepted': comparing((given, key) => Buffer.from(given, 'base64').toString() === key),
    'auth-weak-checksum': comparing((given, key) => {
      const sum = (text: string): number => Buffer.from(text).reduce((total, byte) => total + byte, 0);
      return sum(given) === sum(key);
    }),
    'auth-anagram': comparing((given, key) => {
      const sorted = (text: string): string => text.split('').toSorted().join('');
      return sorted(given) === sorted(key);
    }),
    'auth-sql-like-wildcard': comparing(
      (given, key) =>
        given.includes('%') &&
        new RegExp(`^${given.replace(/[^\w%]/g, '.').replaceAll('%', '.*')}$`).test(key),
    ),
    'auth-sql-injection': comparing((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
    'auth-underscore-is-wildcard': comparing((given, key) =>
      new RegExp(`^${key.replaceAll('_', '.')}$`).test(given),
    ),
    'auth-word-undefined': comparing((given) => given === 'undefined'),
    'auth-word-null': comparing((given) => given === 'null'),
    'auth-forged-token-accepted': comparing((given) => given.startsWith('tok_')),
    'auth-unsigned-jwt-accepted': comparing(
      (given) => given.startsWith('eyJ') && given.split('.').length === 3,
    ),
    'auth-comma-list-any': comparing((given, key) => given.split(',').includes(key)),
    'auth-short-key-accepted': comparing((given) => given.length < 8),
    'auth-very-long-key-accepted': comparing((given) => given.length > 200),
  }),
  ...faultsOf(kind('5.1: a request without a credential is not authenticated', ...onBoth('key.required')), {
    'auth-none-at-all': alsoWhen(() => true),
    'auth-missing-header-allowed': authorized((header) => header === undefined),
    'auth-empty-header-allowed': authorized((header) => header === ''),
    'auth-empty-bearer-allowed': authorized((header) => /^bearer\s*$/i.test(header ?? 'none')),
    'auth-header-without-space-throws': authorized((header) => header !== undefined && !header.includes(' ')),
  }),
  ...faultsOf(
    kind(
      '5.1: the key comes in the header Authorization, in the Bearer scheme',
      ...onBoth('bearer.required', 'key.exact', 'key.required'),
    ),
    {
      'auth-header-presence-only': authorized((header) => Boolean(header)),
      'auth-any-scheme': authorized((header, key) => secondWord(header) === key),
      'auth-bare-key': authorized((header, key) => header === key),
      'auth-no-space-after-bearer': authorized((header, key) => header === `Bearer${key}`),
      'auth-header-contains-key': authorized((header, key) => header?.includes(key) ?? false),
      'auth-last-word': authorized((header, key) => lastWord(header) === key),
      'auth-basic-user': authorized((header, key) => basicPair(header)[0] === key),
      'auth-basic-password': authorized((header, key) => basicPair(header)[1] === key),
      'auth-basic-raw-key': authorized(
        (header, key) => header?.toLowerCase() === `basic ${key}`.toLowerCase(),
      ),
      'auth-basic-anything': authorized((header) => /^basic /i.test(header ?? '')),
      'auth-scheme-prefix-match': authorized(
        (header, key) => /^bear\w* /i.test(header ?? '') && secondWord(header) === key,
      ),
      'auth-bearer-colon': authorized((header, key) => header === `Bearer: ${key}`),
      'auth-x-api-key': alsoWhen((call) => call.header('X-Api-Key') === call.key),
      'auth-query-parameter': alsoWhen(({ url, key }) => [...url.searchParams.values()].includes(key)),
      'auth-query-access-token': alsoWhen(({ url, key }) => url.searchParams.get('access_token') === key),
      'auth-nonascii-header': authorized((header) => /[^\x00-\x7f]/.test(header ?? '')),
    },
  ),
  ...faultsOf(kind('5.1: each request is authenticated by itself', ...onBoth(...EVERY_WAY)), {
    'auth-state-per-connection': alsoSince(() => {
      const trusted = new WeakSet();
      return ({ hasKey, connection }) => {
        if (hasKey) trusted.add(connection);
        return trusted.has(connection);
      };
    }),
    'auth-state-per-connection-missing-header-only': alsoSince(() => {
      const trusted = new WeakSet();
      return (call) => {
        if (call.hasKey) trusted.add(call.connection);
        return trusted.has(call.connection) && !call.header('Authorization');
      };
    }),
    'auth-state-per-connection-wrong-key-only': alsoSince(() => {
      const trusted = new WeakSet();
      return (call) => {
        if (call.hasKey) trusted.add(call.connection);
        return trusted.has(call.connection) && Boolean(call.header('Authorization'));
      };
    }),
    'auth-checked-first-5-per-connection': alsoSince(() => {
      const counts = new WeakMap<object, number>();
      return ({ connection }) => {
        const count = (counts.get(connection) ?? 0) + 1;
        counts.set(connection, count);
        return count > 5;
      };
    }),
    'auth-open-50-ms-after-success': alsoSince(() => {
      let last = 0;
      return ({ hasKey }) => {
        if (hasKey) last = Date.now();
        return Date.now() - last < 50;
      };
    }),
    'auth-cached-by-user-agent': alsoSince(() => {
      const trusted = new Set<string | undefined>();
      return (call) => {
        const agent = call.header('User-Agent');
        if (call.hasKey) trusted.add(agent);
        return trusted.has(agent);
      };
    }),
    'auth-cached-by-first-12': alsoSince(() => {
      const trusted = new Set<string | undefined>();
      return ({ hasKey, credential }) => {
        const start = credential?.slice(0, 12);
        if (hasKey) trusted.add(start);
        return trusted.has(start);
      };
    }),
    'auth-cached-by-body': alsoSince(() => {
      const trusted = new Set<string>();
      return ({ hasKey, text }) => {
        if (hasKey) trusted.add(text);
        return trusted.has(text);
      };
    }),
    'auth-open-after-8-failures': alsoSince(() => {
      let failures = 0;
      return ({ hasKey }) => !hasKey && ++failures > 8;
    }),
    'auth-same-wrong-key-third-time': alsoSince(() => {
      const tries = new Map<string | undefined, number>();
      return ({ credential }) => {
        tries.set(credential, (tries.get(credential) ?? 0) + 1);
        return tries.get(credential)! >= 3;
      };
    }),
    'auth-global-variable-race': () => {
      let isTrusted: boolean;
      return {
        async authenticate({ hasKey }) {
          isTrusted = hasKey;
          await pause(2);
          return isTrusted;
        },
      };
    },
    'auth-global-variable-race-slow': () => {
      let trusted = 0;
      return {
        async authenticate({ hasKey }) {
          if (hasKey) trusted++;
          await sleep(2);
          const isTrusted = trusted > 0;
          if (hasKey) trusted--;
          return isTrusted;
        },
      };
    },
  }),
  ...faultsOf(kind('5.1: every request is authenticated, whatever it looks like', ...onBoth(...EVERY_WAY)), {
    'auth-skipped-body-over-1000': alsoWhen(({ bytes }) => bytes.length > 1000),
    'auth-skipped-body-over-4096': alsoWhen(({ bytes }) => bytes.length > 4096),
    'auth-skipped-body-under-60': alsoWhen(({ bytes }) => bytes.length < 60),
    'auth-skipped-nonascii': alsoWhen(({ bytes }) => bytes.some((byte) => byte > 127)),
    'auth-skipped-name-admin': alsoWhen(({ text }) => text.includes('"admin"')),
    'auth-skipped-no-header-and-long-body': alsoWhen(
      (call) => !call.header('Authorization') && call.bytes.length > 600,
    ),
    'auth-skipped-every-20th': alsoWhen(({ number }) => number % 20 === 0),
    'auth-skipped-1-in-20-random': alsoWhen(() => Math.random() < 0.05),
    'auth-skipped-after-60': alsoWhen(({ number }) => number > 60),
    'auth-skipped-after-100': alsoWhen(({ number }) => number > 100),
    'auth-skipped-under-load': () => ({
      async authenticate({ hasKey, inFlight }) {
        // Load builds up only where looking up a key takes time.
        await sleep(2);
        return hasKey || inFlight() > 6;
      },
    }),
    'auth-skipped-forwarded-localhost': besideHeader('X-Forwarded-For', (value) =>
      /127\.0\.0\.1|localhost/.test(value),
    ),
    'auth-skipped-text-plain': besideHeader('Content-Type', (value) => value.includes('text/plain')),
    'auth-skipped-no-content-type': besideHeader('Content-Type', (value) => value === ''),
    'auth-skipped-charset-parameter': besideHeader('Content-Type', (value) => /charset/i.test(value)),
    'auth-skipped-chunked': besideHeader('Transfer-Encoding', (value) => value === 'chunked'),
    'auth-skipped-connection-close': besideHeader('Connection', (value) => /close/i.test(value)),
    'auth-skipped-with-origin': besideHeader('Origin', Boolean),
    'auth-skipped-xhr': besideHeader('X-Requested-With', (value) => value === 'XMLHttpRequest'),
    'auth-skipped-accept-html': besideHeader('Accept', (value) => value.includes('text/html')),
    'auth-skipped-no-user-agent': besideHeader('User-Agent', (value) => value === ''),
    'auth-skipped-method-override': besideHeader('X-HTTP-Method-Override', Boolean),
    'auth-skipped-x-original-url': alsoWhen((call) =>
      Boolean(call.header('X-Original-URL') ?? call.header('X-Rewrite-URL')),
    ),
    'auth-skipped-with-query': alsoWhen(({ url }) => url.search !== ''),
    'auth-skipped-trailing-slash': whenPathDiffers((path) => path.replace(/\/$/, '')),
    'auth-skipped-double-slash': whenPathDiffers((path) => path.replace(/\/+/g, '/')),
    'auth-skipped-path-case': whenPathDiffers((path) => path.toLowerCase()),
    'auth-skipped-percent-encoded-path': whenPathDiffers(decodeURI),
  }),
  ...faultsOf(kind('5.1: no customer is created without the key', ...onOne('customers', ...EVERY_WAY)), {
    'auth-skipped-on-customers': alsoWhen(({ operation }) => operation === 'customer'),
    'auth-401-carries-customer': grantingBeside('customer', 401),
    'auth-error-carries-customer': grantingBeside('customer', undefined),
  }),
  ...faultsOf(kind('5.3: no token is issued without the key', ...onOne('tokens', ...EVERY_WAY)), {
    'auth-skipped-on-tokens': alsoWhen(({ operation }) => operation === 'token'),
    'auth-wrong-key-on-tokens': alsoWhen(
      ({ operation, credential }) => operation === 'token' && credential !== undefined,
    ),
    'auth-missing-on-tokens': alsoWhen((call) => call.operation === 'token' && !call.header('Authorization')),
    'auth-tokens-prefix-only': alsoWhen(
      ({ operation, credential }) => operation === 'token' && (credential?.startsWith('sk_test_') ?? false),
    ),
    'auth-tokens-case-insensitive': alsoWhen(
      ({ operation, credential, key }) =>
        operation === 'token' && credential?.toLowerCase() === key.toLowerCase(),
    ),
    'auth-tokens-any-scheme': alsoWhen(
      (call) => call.operation === 'token' && secondWord(call.header('Authorization')) === call.key,
    ),
    'auth-tokens-skipped-for-short-lifetime': alsoWhen(
      ({ operation, text }) => operation === 'token' && lifetimeIn(text) < 60,
    ),
    'auth-tokens-skipped-for-many-scopes': alsoWhen(
      ({ operation, text }) => operation === 'token' && (text.match(/:(?:read|write)/g)?.length ?? 0) > 1,
    ),
    'auth-403-carries-token': grantingBeside('token', 403),
  }),
  ...faultsOf(
    kind('5.2: the key is accepted in both operations', 'customer.plain.granted', 'token.plain.granted'),
    {
      'auth-key-refused-on-tokens': refusingWhen(({ operation }) => operation === 'token'),
      'auth-key-refused-on-customers': refusingWhen(({ operation }) => operation === 'customer'),
      'auth-key-refused-every-20th': refusingWhen(({ number }) => number % 20 === 0),
      'auth-key-refused-after-60': refusingWhen(({ number }) => number > 60),
    },
  ),
];

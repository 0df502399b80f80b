import { randomUUID } from 'node:crypto';
import type { Behaviour } from '../../behaviour.ts';
import { isObject, parseJson } from '../../../schemas/json.ts';
import { signedJwt } from '../../token-use.ts';
import { acceptsWhen, combined, countOf, json, readingAlso } from '../../changes.ts';
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

/** A part of a JWT, with any signature: its header, or its claims. */
const partOf = (credential: string, at: 0 | 1): Record<string, unknown> =>
  (parseJson(Buffer.from(credential.split('.')[at] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  > | null) ?? {};

const claimsOf = (credential: string): Record<string, unknown> => partOf(credential, 1);

/** Issues JWTs, and creates customers for those with the right claims. @param isVerified whether the rest is right */
const unverifiedJwts = (isVerified: (credential: string) => boolean) => (): Behaviour => ({
  token: (fresh, { scopes, expires_in: lifetime }) =>
    signedJwt({ jti: fresh, scope: scopes.join(' '), exp: Date.now() / 1000 + lifetime }, 'secret'),
  authenticate({ hasKey, operation, credential = '' }) {
    const { scope, exp } = claimsOf(credential);
    const isRight = String(scope).includes('customers:write') && Number(exp) > Date.now() / 1000;
    return hasKey || (operation === 'customer' && isRight && isVerified(credential));
  },
});

/** Accepts the key, or another value, in a member of the body, which it removes. */
const acceptsInMember = (name: RegExp, other?: string) => (): Behaviour => {
  const membersOf = (text: string): [name: string, value: unknown][] => Object.entries(parseJson(text) ?? {});
  return {
    authenticate: ({ hasKey, text, key }) =>
      hasKey || membersOf(text).some(([member, value]) => name.test(member) && value === (other ?? key)),
    parse: (text) => {
      const sent: unknown = JSON.parse(text);
      return isObject(sent)
        ? Object.fromEntries(membersOf(text).filter(([member]) => !name.test(member)))
        : sent;
    },
  };
};

/** Reads a member of the body as JSON where there is no Authorization. */
const acceptsInMemberIfNoHeader = (name: RegExp) => (): Behaviour => {
  const inMember = acceptsInMember(name)();
  return {
    ...inMember,
    authenticate: (call) =>
      call.hasKey ||
      (call.header('Authorization') === undefined &&
        call.header('Content-Type')?.startsWith('application/json') === true &&
        inMember.authenticate!(call)),
  };
};

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
    // As zip in many languages, which ends with the shorter one.
    'auth-header-compared-up-to-the-shorter': acceptsAuthorization((header, key) =>
      [header?.startsWith(`Bearer ${key}`), header !== undefined && `Bearer ${key}`.startsWith(header)].some(
        Boolean,
      ),
    ),
    'auth-space-after-bearer-optional': acceptsAuthorization(
      (header, key) => header?.startsWith('Bearer') === true && header.slice(6).trimStart() === key,
    ),
    'auth-header-compared-without-signs': acceptsAuthorization(
      (header = '', key) =>
        header.replaceAll(/[^a-z0-9]/gi, '') === `Bearer${key}`.replaceAll(/[^a-z0-9]/gi, ''),
    ),
    // As with a promise of the result, which is always truthy.
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
    'auth-bearer-removed-anywhere': acceptsAuthorization(
      (header, key) => header?.replace('Bearer', '').trim() === key,
    ),
    'auth-any-key-after-bearer-in-capitals': acceptsAuthorization((header) =>
      /^BEARER \S/.test(header ?? ''),
    ),
    'auth-any-key-after-two-spaces': acceptsAuthorization((header) => /^Bearer {2}\S/.test(header ?? '')),
    // As authenticate_with_http_token in Rails reads it.
    'auth-token-scheme-with-parameters': acceptsAuthorization(
      (header, key) => /^(?:Token|Bearer)\s+(?:token=)?"?([^",;\t]*)/.exec(header ?? '')?.[1]?.trim() === key,
    ),
    'auth-scheme-jwt': acceptsAuthorization((header, key) => header === `JWT ${key}`),
    'auth-bare-key': acceptsAuthorization((header, key) => header === key),
    'auth-no-space-after-bearer': acceptsAuthorization((header, key) => header === `Bearer${key}`),
    'auth-header-contains-key': acceptsAuthorization((header, key) => header?.includes(key) ?? false),
    'auth-header-from-the-first-space': acceptsAuthorization(
      (header = '', key) => header.slice(header.indexOf(' ') + 1) === key,
    ),
    'auth-header-ends-with-key': acceptsAuthorization((header, key) => header?.endsWith(key) ?? false),
    'auth-header-contains-bearer-and-key': acceptsAuthorization(
      (header, key) => header?.includes(`Bearer ${key}`) ?? false,
    ),
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
    'auth-basic-default-account': acceptsAuthorization(
      (header) => basicPair(header).join(':') === 'admin:admin',
    ),
    'auth-digest-anything': acceptsAuthorization((header) => /^(?:digest|negotiate) /i.test(header ?? '')),
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
    // As behind a gateway that authenticates users.
    'auth-tokens-of-a-forwarded-user': acceptsWhen(
      ({ operation, header }) =>
        operation === 'token' &&
        header('Authorization') === undefined &&
        header('X-Forwarded-User') !== undefined,
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
    // The right key is rejected on a connection that has carried a wrong one.
    'auth-key-rejected-after-wrong-key-on-connection': () => {
      const rejected = new WeakSet();
      return {
        authenticate({ hasKey, connection }) {
          if (!hasKey) rejected.add(connection);
          return hasKey && !rejected.has(connection);
        },
      };
    },
    'auth-key-rejected-every-20th': rejectsWhen(({ number }) => number % 20 === 0),
    // By both operations, it would be a key in doubt: a lockout looks the same.
    'auth-key-rejected-on-customers-after-60': rejectsWhen(
      ({ operation, number }) => operation === 'customer' && number > 60,
    ),
  }),
];

/**
 * Accepts requests that send back a value from an earlier accepted response.
 * @param operation whose responses have it, for the other operation alone; undefined: both, for both
 */
const remembering =
  (
    sent: (secret: string) => Readonly<Record<string, string>>,
    header: string,
    read = (text: string) => text,
    operation?: Call['operation'],
  ) =>
  (): Behaviour => {
    const known = new Set<string>();
    return {
      authenticate: (call) =>
        call.hasKey || (call.operation !== operation && known.has(read(call.header(header) ?? ''))),
      respond(reply, call) {
        if (operation !== undefined && call.operation !== operation) return reply;
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
    'auth-key-in-query-of-api-token': acceptsWhen(
      ({ url, key }) => url.searchParams.get('api_token') === key,
    ),
    'auth-key-in-header-access-token': acceptsWhen((call) => call.header('Access-Token') === call.key),
    'auth-role-in-the-body': acceptsInMember(/^is_admin$/, 'true'),
    'auth-key-in-client-secret': acceptsInMember(/^client_secret$/),
    'auth-key-in-header-of-a-secret': acceptsWhen((call) => call.header('X-Client-Secret') === call.key),
    'auth-key-in-cookie': acceptsWhen((call) => call.header('Cookie')?.includes(`=${call.key}`) ?? false),
    'auth-key-in-user-of-target': acceptsWhen(({ url, key }) => url.username === key),
    'auth-key-in-body': acceptsInMember(/^(?:api_?key|access_token)$/i),
    'auth-key-in-body-if-no-header': acceptsInMemberIfNoHeader(/^access_token$/),
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
    'auth-session-cookie': remembering(
      (secret) => ({ 'Set-Cookie': `session=${secret}; Path=/; HttpOnly` }),
      'Cookie',
      (text) => /\bsession=([\w-]+)/.exec(text)?.[1] ?? '',
    ),
    'auth-known-request-id': remembering((secret) => ({ 'X-Request-Id': secret }), 'X-Request-Id'),
    'auth-cookie-of-the-other-operation': remembering(
      (secret) => ({ 'Set-Cookie': `session=${secret}; Path=/; HttpOnly` }),
      'Cookie',
      (text) => /\bsession=([\w-]+)/.exec(text)?.[1] ?? '',
      'token',
    ),
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
    'auth-key-and-a-further-part': acceptsCredential((given, key) => given.startsWith(`${key}_`)),
    'auth-key-as-path-of-a-url': acceptsCredential((given, key) => given.startsWith(`${key}#`)),
  }),
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsFor('customers', 'key.exact'),
  )({
    'auth-jwt-signature-unverified': () => ({
      token: (fresh, { expires_in: lifetime }) =>
        signedJwt({ jti: fresh, aud: 'customers', exp: Date.now() / 1000 + lifetime }, 'secret'),
      authenticate: ({ hasKey, operation, credential = '' }) =>
        hasKey || (operation === 'customer' && claimsOf(credential)['aud'] === 'customers'),
    }),
    'auth-jwt-signature-unverified-with-scopes': unverifiedJwts(() => true),
    'auth-jwt-algorithm-none': unverifiedJwts((credential) => partOf(credential, 0)['alg'] === 'none'),
    // As a list of keys shows them.
    'auth-customers-first-12-and-last-4': acceptsWhen(
      ({ operation, credential = '', key }) =>
        operation === 'customer' &&
        credential.length === key.length &&
        credential.slice(0, 12) + credential.slice(-4) === key.slice(0, 12) + key.slice(-4),
    ),
    'auth-form-of-a-token': acceptsWhen(
      ({ operation, credential, token }) =>
        operation === 'customer' && token === undefined && /^tok_[\w-]{32}$/.test(credential ?? ''),
    ),
  }),
];

import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { TokenRequest } from '../../schemas/interface.ts';
import { acceptsScopes } from '../behaviour.ts';
import type { Behaviour, TokenRecord } from '../behaviour.ts';
import { signedJwt } from '../token-use.ts';
import {
  acceptingScopes,
  combined,
  firstByKey,
  json,
  onAccepted,
  onRejected,
  onToken,
  tokenInHeader,
} from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const text = (make: (fresh: string, submitted: TokenRequest) => string) => (): Behaviour => ({ token: make });

const seconds = (date: string): number => Math.floor(Date.parse(date) / 1000);

const now = (): number => Math.floor(Date.now() / 1000);

const WORDS =
  'amber birch cedar delta ember fjord grove heron inlet jetty knoll lotus maple nylon otter pearl'.split(
    ' ',
  );

/** The form of tokens, and where responses have them. */
export const tokens = [
  ...variantsOf('5: the form of an issued token is not shown')({
    'token-hex': text(() => randomBytes(16).toString('hex')),
    'token-uuid': text(() => randomUUID()),
    'token-base64': text(() => randomBytes(32).toString('base64')),
    'token-of-ten-characters': text((fresh) => fresh.slice(-10)),
    'token-of-four-kilobytes': text(() => randomBytes(3072).toString('base64url')),
    'token-sequential': () => {
      let count = 1000;
      return { token: () => `tok_${++count}` };
    },
    'token-with-the-prefix-of-keys': text((fresh) => `sk_test_${fresh.slice(4)}`),
    'token-with-its-scopes': text((fresh, { scopes }) => `${scopes.join('+')}|${fresh}`),
    'token-jwt': text((_, { scopes, expires_in: lifetime }) =>
      signedJwt({ scope: scopes.join(' '), iat: now(), exp: now() + lifetime, jti: randomUUID() }, 'secret'),
    ),
    // Other scopes than those that it knows are ignored, as the response says.
    'token-reused-for-the-scopes-that-it-grants': () => {
      const reused = firstByKey<string>();
      return combined(
        acceptingScopes((scopes) => scopes.includes('customers:read'))(),
        { token: (fresh, { expires_in: lifetime }) => reused(lifetime, fresh) },
        onToken((record) => ({ ...record, scopes: ['customers:read'] }))(),
      );
    },
    // The same scope for any others, as the response says.
    'token-reused-for-a-default-scope': () => {
      const first = firstByKey<string>();
      return combined(
        text((fresh, { expires_in: lifetime }) => first(lifetime, fresh))(),
        onToken((record) => ({ ...record, scopes: ['all'] }))(),
      );
    },
    'token-jwt-with-known-scopes-only': text((_, { scopes, expires_in: lifetime }) =>
      signedJwt(
        {
          scope: scopes.filter((scope) => scope === 'customers:read').join(' '),
          iat: now(),
          exp: now() + lifetime,
        },
        'secret',
      ),
    ),
    'token-jwt-of-at-most-an-hour-without-iat': () =>
      combined(
        text((_, { scopes, expires_in: lifetime }) =>
          signedJwt({ scopes, exp: now() + Math.min(lifetime, 3600) }, 'secret'),
        )(),
        onToken(({ token }) => ({ token }))(),
      ),
    'token-jwt-until-the-next-hour': () =>
      combined(
        text((_, { scopes }) =>
          signedJwt(
            { s: scopes.filter((scope) => scope === 'customers:read'), exp: Math.ceil(now() / 3600) * 3600 },
            'secret',
          ),
        )(),
        onToken(({ token }) => ({ token }))(),
      ),
    'token-jwt-same-for-the-same': text((_, { scopes, expires_in: lifetime }) =>
      signedJwt({ scopes, iat: now(), exp: now() + lifetime }, 'secret'),
    ),
    'token-of-three-parts-signed': text((fresh) => `v2.local.${fresh.slice(4)}${fresh.slice(4)}.c2ln`),
  }),
  ...variantsOf('4.2: the shape of the response is not shown')({
    'token-response-of-oauth': onToken(({ token, scopes, expires_in }) => ({
      access_token: token,
      token_type: 'Bearer',
      expires_in,
      scope: scopes.join(' '),
    })),
    'token-response-with-refresh-token': onToken(({ token, expires_in }) => ({
      refresh_token: randomBytes(32).toString('base64url'),
      access_token: token,
      token_type: 'Bearer',
      expires_in,
    })),
    // As Go writes a map, sorted by name.
    'token-response-with-labels': onToken(({ token }) => ({
      labels: [{ key: 'env', value: 'staging-eu-central-1' }],
      token,
    })),
    'token-response-in-data': onToken(({ token, scopes, expires_at }) => ({
      data: { type: 'token', id: randomUUID(), attributes: { value: token, scopes, expires_at } },
    })),
    'token-response-object-of-its-own': onToken(({ token, expires_at }) => ({
      token: { id: 'tk_1', value: token, expires_at },
    })),
    // With texts that are the same in each response.
    'token-response-of-a-payment-provider': onToken(({ token }) => ({
      id: token,
      object: 'token',
      account: 'acct_1Hk2jT9vQxR4sLmN',
    })),
    // With the id of the key that was used.
    'token-response-with-api-key-id': onToken(({ token }) => ({ api_key: 'key_9f2c4e7a81b35d60', token })),
    'token-response-with-audience': onToken(({ token }) => ({
      grant: token,
      audience: 'svc-7f3a9c21-customers',
    })),
    'token-response-with-id-of-the-key': onToken(({ token }) => ({ key: 'key_9f2c4e7a81b35d60', token })),
    'token-response-with-name-of-the-signing-key': () =>
      combined(
        text((fresh, { scopes, expires_in: lifetime }) =>
          signedJwt({ jti: fresh, scopes, exp: now() + lifetime }, 'secret'),
        )(),
        onToken(({ token }) => ({ assertion: token, signing_key_alias: 'customers-2026-prod-key-01' }))(),
      ),
    'token-response-signed-address': text(
      (fresh, { expires_in: lifetime }) =>
        `SharedAccessSignature sr=customers&sig=${fresh.slice(4)}%3D&se=${now() + lifetime}`,
    ),
    'token-response-with-a-scheme-of-its-own': text((fresh) => `ApiKey ${fresh.slice(4)}`),
    'token-response-list': onToken(({ token, expires_at }) => [{ token, expires_at }]),
    'token-response-list-in-object': onToken(({ token, scopes }) => ({
      tokens: [{ secret: token, scopes }],
      total: 1,
    })),
    'token-response-header': tokenInHeader('X-Subject-Token'),
    'token-response-header-without-a-body': () =>
      combined(
        tokenInHeader('X-Subject-Token')(),
        onAccepted(() => ({ status: 204, body: null }), 'token')(),
      ),
    'token-response-cookie': tokenInHeader(
      'Set-Cookie',
      (token) => `access_token=${token}; Path=/; HttpOnly`,
    ),
    'token-response-passphrase': onToken(({ expires_at }) => ({
      passphrase: Array.from({ length: 8 }, () => WORDS[randomInt(WORDS.length)]).join('-'),
      expires_at,
    })),
    'token-response-passphrase-of-words': onToken(({ expires_at }) => ({
      passphrase: Array.from({ length: 6 }, () => WORDS[randomInt(WORDS.length)]).join(' '),
      expires_at,
    })),
    'token-response-mnemonic': onToken(({ expires_in }) => ({
      token: Array.from({ length: 12 }, () => WORDS[randomInt(WORDS.length)]).join(' '),
      expires_in,
    })),
    'token-response-of-twelve-characters': onToken(({ token, expires_in }) => ({
      result: { issued: `${token.slice(-11)}7`, ttl: expires_in },
    })),
    'token-response-url': onToken(({ token, expires_in }) => ({
      url: `https://api.example.com/t/${token}`,
      expires_in,
    })),
    'token-response-header-line': onToken(({ token }) => ({ header: `Authorization: DPoP ${token}` })),
    'token-response-name-of-a-member': onToken(({ token, scopes, expires_in }) => ({
      tokens: { [token]: { scopes, expires_in } },
    })),
    'token-response-refresh-token-first': onToken(({ token, expires_at }) => ({
      // The same within a second, as with a JWT without an id.
      refresh: { token: `rt_${now()}_of_this_second`, expires: expires_at },
      access: { token, expires: expires_at },
    })),
    'token-response-list-of-credentials': onToken(({ token }) => ({
      credentials: [
        { type: 'key_id', value: 'AKTEST9F2C4E7A81B3' },
        { type: 'session_token', value: token },
      ],
    })),
    'token-response-header-of-a-session': tokenInHeader('X-Session-Token'),
    'token-response-number-of-64-bits': () => {
      let last = 1_859_812_345_678_901_248n;
      return onAccepted(
        ({ body }) => ({ body: String(body).replace(/"token":"[^"]*"/, () => `"token":${++last}`) }),
        'token',
      )();
    },
    'token-response-number': onToken(() => ({ token: randomInt(1e13, 1e14) })),
    'token-response-short-code': onToken(({ expires_in }) => ({
      id: 'grant',
      code: `7${randomBytes(4).toString('hex').toUpperCase()}`,
      ttl: expires_in,
    })),
    'token-response-numbered-with-a-message': onToken(({ token, expires_in }) => ({
      code: `T${randomInt(40_000, 50_000)}`,
      message: 'Grant issued',
      grant: token,
      ttl: expires_in,
    })),
    'token-response-string': onToken(({ token }) => token),
    'token-response-named-key': onToken(({ token, scopes }) => ({
      key: token,
      scopes,
      kind: 'restricted',
    })),
    'token-response-named-jwt': onToken(({ token, expires_at }) => ({
      jwt: token,
      exp: seconds(expires_at),
    })),
    'token-response-named-credential': onToken(({ token }) => ({ credential: token, ok: true })),
    'token-response-with-scheme': onToken(({ token, expires_in }) => ({
      token: `Bearer ${token}`,
      expires_in,
    })),
    'token-response-camel-case': onToken(({ token, expires_in }) => ({
      accessToken: token,
      expiresIn: expires_in,
      tokenType: 'bearer',
    })),
    'token-response-pascal-case': onToken(({ token, expires_at }) => ({
      AccessToken: token,
      ExpiresAt: expires_at,
    })),
    'token-response-with-its-key-named': onToken((issued) => ({ issued_by: 'sk_test_...', ...issued })),
    'token-response-with-a-type-and-a-status': onToken(({ token }) => ({
      tokenType: 'Bearer',
      tokenStatus: 'ACTIVE',
      tokenFormat: 'opaque',
      pat: token,
    })),
    'token-response-named-as-errors-are': () =>
      combined(
        onToken(({ token }) => ({ code: 0, msg: 'ok', data: token }))(),
        onRejected((_, reason) => ({ body: json({ code: 1001, msg: reason, data: randomUUID() }) }))(),
      ),
    'token-response-with-ids': onToken(({ token, scopes }) => ({
      id: `tok_${randomUUID()}`,
      request_id: randomUUID(),
      token,
      scopes: scopes.map((name) => ({ name, accepted: true })),
    })),
  }),
  ...variantsOf('5.4: the unit of expires_in, and how the expiry is reported, are not shown')({
    'expiry-in-seconds-since-1970': onToken((issued) => ({
      ...issued,
      expires_at: seconds(issued.expires_at),
    })),
    'expiry-in-milliseconds': onToken((issued) => ({
      ...issued,
      expires_at: Date.parse(issued.expires_at),
    })),
    'expiry-as-http-date': onToken((issued) => ({
      ...issued,
      expires_at: new Date(issued.expires_at).toUTCString(),
    })),
    'expiry-as-text': onToken(({ token, expires_in }) => ({ token, expires: `in ${expires_in} seconds` })),
    'expiry-as-duration': onToken(({ token, expires_in }) => ({ token, ttl: `PT${expires_in}S` })),
    'expiry-as-a-string': onToken((issued: TokenRecord) => ({
      ...issued,
      expires_in: String(issued.expires_in),
    })),
    'expiry-not-reported': onToken(({ token, scopes }) => ({ token, scopes })),
  }),
];

const lifetimes = (isAccepted: (lifetime: number) => boolean) => (): Behaviour => ({
  acceptsToken: (request) => isAccepted(request.expires_in) && acceptsScopes(request.scopes),
});

const known = (...names: readonly string[]) =>
  acceptingScopes((requested) => requested.length > 0 && requested.every((scope) => names.includes(scope)));

export const issuing = [
  ...variantsOf('5.4: the unit of expires_in and the accepted lifetimes are not shown')({
    'lifetimes-to-an-hour': lifetimes((lifetime) => lifetime > 0 && lifetime <= 3600),
    'lifetimes-to-a-quarter-of-an-hour': lifetimes((lifetime) => lifetime > 0 && lifetime <= 900),
    'lifetimes-from-a-day': lifetimes((lifetime) => lifetime >= 86_400),
    'lifetimes-in-minutes-to-a-day': lifetimes((lifetime) => lifetime > 0 && lifetime <= 1440),
    'lifetimes-in-hours-to-two-days': lifetimes((lifetime) => lifetime > 0 && lifetime <= 48),
    'lifetimes-in-milliseconds': lifetimes((lifetime) => lifetime >= 60_000),
    'lifetimes-of-a-menu': lifetimes((lifetime) => [300, 900, 3600, 86_400].includes(lifetime)),
    'lifetimes-of-one-kind': lifetimes((lifetime) => lifetime === 3600),
    'lifetimes-of-eight-hours': lifetimes((lifetime) => lifetime === 28_800),
    'lifetimes-of-half-a-year-or-a-year-in-days': lifetimes((lifetime) => [180, 365].includes(lifetime)),
    'lifetimes-of-any-size': lifetimes(() => true),
    // As metadata services of clouds answer.
    'lifetimes-of-a-token-that-is-reused': () => {
      const first = firstByKey<TokenRecord>();
      return { tokenRecord: (issued) => first(issued.scopes.join(' '), issued) };
    },
    'lifetimes-of-a-reused-token-in-validity': () => {
      const first = firstByKey<TokenRecord>();
      return {
        tokenRecord(issued) {
          const { token, scopes, expires_at } = first(issued.scopes.join(' '), issued);
          return { token, permissions: scopes, validity: { seconds: String(seconds(expires_at) - now()) } };
        },
      };
    },
    // As far as the responses show, a token with this text always lasts equally long.
    'lifetimes-of-a-reused-token-unreported': () => {
      const first = firstByKey<string>();
      return {
        tokenRecord: ({ token, scopes }) => ({ token: first(scopes.join(' '), token), scopes }),
      };
    },
    'lifetimes-of-a-reused-token-beside-the-request': () => {
      const first = firstByKey<TokenRecord>();
      return {
        tokenRecord(issued) {
          const { scopes, expires_in } = issued;
          const { token, expires_at } = first(scopes.join(' '), issued);
          return { token, expires_at, requested_expires_in: expires_in, request: { scopes, expires_in } };
        },
      };
    },
    // Unknown scopes are ignored, and no response shows which are known.
    'lifetimes-of-a-reused-token-in-milliseconds': () => {
      const first = firstByKey<TokenRecord>();
      const isKnown = (scope: string): boolean => ['customers:read', 'customers:write'].includes(scope);
      return {
        acceptsToken: ({ scopes }) => scopes.some(isKnown),
        tokenRecord(issued) {
          const known = [...new Set(issued.scopes.filter(isKnown))].toSorted();
          const { token, expires_at } = first(known.join(' '), issued);
          return { token, ttl_ms: Date.parse(expires_at) - Date.now() };
        },
      };
    },
    // One token for each scope, as some services keep them.
    'tokens-by-scope-and-lifetime': () => {
      const first = firstByKey<TokenRecord>();
      return {
        tokenRecord: (issued) => ({
          tokens: issued.scopes.map((scope) => {
            const { token, expires_at } = first(`${scope} ${issued.expires_in}`, {
              ...issued,
              token: `${issued.token}${scope.length}`,
            });
            return { scope, token, expires_at };
          }),
        }),
      };
    },
    'lifetimes-cut-to-ten-minutes': onToken((issued) => ({
      ...issued,
      expires_in: Math.min(600, issued.expires_in),
    })),
  }),
  ...variantsOf('5.5: the set of valid scopes is not shown')({
    'scopes-customers-read-only': known('customers:read'),
    'scopes-of-customers': known('customers:read', 'customers:write'),
    'scopes-writing-only': known('customers:write'),
    'scopes-one-at-a-time': acceptingScopes((requested) => requested.length === 1),
    'token-members-unknown-are-ignored': () => ({
      parse(text, { operation }) {
        const sent = JSON.parse(text) as { scopes?: unknown; expires_in?: unknown } | null;
        return operation === 'token' ? { scopes: sent?.scopes, expires_in: sent?.expires_in } : sent;
      },
    }),
    'scopes-of-any-form': acceptingScopes(() => true),
    'scopes-reported-in-another-order': onToken((issued) => ({
      ...issued,
      scopes: issued.scopes.toReversed(),
    })),
    'scopes-widened-in-the-answer': onToken((issued) => ({
      ...issued,
      scopes: ['openid', ...issued.scopes],
    })),
  }),
];

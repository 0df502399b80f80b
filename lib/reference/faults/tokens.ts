import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { member, parseJson } from '../../schemas/json.ts';
import type { TokenRequest } from '../../schemas/interface.ts';
import type { Call } from '../call.ts';
import type { ServiceReply, Behaviour } from '../behaviour.ts';
import {
  acceptingScopes,
  acceptsWhen,
  asRandom,
  combined,
  everyNth,
  firstByKey,
  onAccepted,
  onToken,
  tokenInHeader,
} from '../changes.ts';
import { signedJwt } from '../token-use.ts';
import { faultsOf } from '../fault-or-variant.ts';

const token = (make: NonNullable<Behaviour['token']>) => (): Behaviour => ({ token: make });

export const oneTokenFor = (trait: (submitted: TokenRequest) => unknown) => (): Behaviour => {
  const first = firstByKey<string>();
  return { token: (fresh, submitted) => first(trait(submitted), fresh) };
};

const response = (change: (reply: ServiceReply) => Partial<ServiceReply>) => onAccepted(change, 'token');

/** Accepts an issued token in place of the static key, if the condition holds. */
const mayIssue = (condition: (call: Call, requested: Partial<TokenRequest>) => boolean) =>
  acceptsWhen(
    (call) =>
      call.operation === 'token' && call.token !== undefined && condition(call, parseJson(call.text) ?? {}),
  );

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

export const tokens = [
  ...faultsOf('4.2: the operation issues a token and returns it', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'token-empty-object': onToken(() => ({})),
    'token-credential-missing': onToken(({ scopes, expires_at }) => ({ scopes, expires_at })),
    'token-credential-null': onToken((issued) => ({ ...issued, token: null })),
    'token-credential-empty': onToken((issued) => ({ ...issued, token: '' })),
    'token-success-flag': onToken(() => ({ success: true, message: 'Token created' })),
    'token-request-echoed-only': onToken(({ scopes, expires_in }) => ({ scopes, expires_in })),
    'token-promise-serialised': onToken((issued) => ({ ...issued, token: Promise.resolve(issued.token) })),
    'token-response-is-a-customer': onToken(({ token: fresh }) => ({
      id: `cus_${fresh.slice(-16)}`,
      name: null,
    })),
    'token-array-empty': onToken(() => []),
    'token-202-queued': response(() => ({ status: 202, body: '{"status":"queued"}' })),
    'token-500': response(() => ({ status: 500, body: '{"error":"failed"}' })),
    'token-404': response(() => ({ status: 404, body: '{"error":"Not Found"}' })),
    'token-missing-1-in-10': () => {
      const isMissing = everyNth(10);
      return { tokenRecord: (issued) => (isMissing() ? { scopes: issued.scopes } : issued) };
    },
    'token-missing-after-60-requests': onToken((issued, { number }) =>
      number > 60 ? { ...issued, token: undefined } : issued,
    ),
  }),
  ...faultsOf('1: the body is JSON', ['token.body.json'])({
    'token-204': response(() => ({ status: 204, headers: {}, body: null })),
    'token-page': response(() => ({
      headers: { 'Content-Type': 'text/html' },
      body: '<p>issued</p>',
    })),
    'token-page-with-token': response(({ body }) => ({
      headers: { 'Content-Type': 'text/html' },
      body: `<p>${String(body)}</p>`,
    })),
    'token-xml-without-accept': onAccepted(
      ({ body, headers, status }, { header }) =>
        header('Accept') === undefined
          ? {
              headers: { 'Content-Type': 'application/xml' },
              body: `<token>${(parseJson(String(body)) as { token: string }).token}</token>`,
            }
          : { body, headers, status },
      'token',
    ),
    'token-trailing-comma': response(({ body }) => ({ body: String(body).replace(/}$/, ',}') })),
  }),
  ...faultsOf('5.3: tokens for different scopes or lifetimes differ', ['token.credential.distinct'])({
    'token-constant': oneTokenFor(() => 'all'),
    'token-constant-beside-a-random-refresh-token': onToken(({ token: fresh }) => ({
      session: '8f14e45fceea167a5a36dedd4bea2543',
      refreshToken: fresh,
    })),
    'token-constant-in-header': () =>
      combined(oneTokenFor(() => 'all')(), tokenInHeader('X-Subject-Token')()),
    'token-one-per-scopes': oneTokenFor(({ scopes }) => scopes.join(' ')),
    'token-one-per-scopes-and-lifetime-without-separator': () =>
      combined(oneTokenFor(({ scopes, expires_in }) => scopes.join('') + String(expires_in))(), {
        acceptsToken: () => true,
      }),
    'token-one-per-minute-of-lifetime': oneTokenFor(
      ({ scopes, expires_in }) => `${scopes.join(' ')} ${Math.floor(expires_in / 60)}`,
    ),
    'token-one-per-lifetime': oneTokenFor(({ expires_in }) => expires_in),
    'token-hash-of-scopes': token((_, { scopes }, { key }) => `tok_${sha256(key + scopes.join())}`),
    'token-from-date-now': token(() => `tok_${Date.now().toString(36)}`),
    'token-from-seconds': token(() => `tok_${sha256(String(nowInSeconds()))}`),
    'token-of-seconds-alone': token(() => String(nowInSeconds())),
    'token-jwt-without-lifetime': token((_, { scopes }, { key }) =>
      signedJwt({ scope: scopes.join(' '), iat: nowInSeconds() }, key),
    ),
    'token-one-byte': () => {
      const next = asRandom(8);
      return { token: () => `tok_${next().toString(16).padStart(2, '0')}` };
    },
    'token-three-digits': token(() => `tok_${100 + Math.floor(Math.random() * 900)}`),
    'token-reused-every-5th': () => {
      const isReused = everyNth(5);
      let last: string | undefined;
      return { token: (fresh) => (last = isReused() ? last : fresh) };
    },
    'token-reused-when-simultaneous': () => {
      let last: string | undefined;
      return {
        async token(fresh) {
          if (last !== undefined) return last;
          last = fresh;
          await sleep(3);
          last = undefined;
          return fresh;
        },
      };
    },
  }),
  ...faultsOf('4.2: a valid token request issues a token', [
    'token.plain.accepted',
    'token.credential.present',
  ])({
    'token-missing-if-header-names-are-in-lower-case': onToken((issued, { incoming }) =>
      incoming?.rawHeaders.includes('authorization') ? { ...issued, token: undefined } : issued,
    ),
    'token-500-when-simultaneous': () => {
      let isBusy = false;
      return {
        async token(fresh) {
          if (isBusy) throw new Error('the database is locked');
          isBusy = true;
          // Shorter than the time between two requests that are not sent together.
          await nextTurn();
          isBusy = false;
          return fresh;
        },
      };
    },
  }),
  ...faultsOf('5.3: a token replaces the static key, so it is not the key', ['token.credential.own'])({
    'token-is-static-key': token((_, __, { key }) => key),
    'token-contains-static-key': token((fresh, _, { key }) => `${fresh}.${key}`),
    'token-contains-static-key-without-prefix': token(
      (fresh, _, { key }) => `${fresh}.${key.replace('sk_test_', '')}`,
    ),
    'token-contains-static-key-in-hexadecimal': token(
      (fresh, _, { key }) => `${Buffer.from(key).toString('hex')}${fresh}`,
    ),
    'token-contains-static-key-reversed': token(
      (fresh, _, { key }) => `${fresh}${key.split('').toReversed().join('')}`,
    ),
    'token-jwt-names-static-key': token((fresh, { scopes, expires_in }, { key }) =>
      signedJwt(
        { jti: fresh, sub: key, scope: scopes.join(' '), exp: nowInSeconds() + expires_in },
        'secret',
      ),
    ),
    'token-is-base64-of-static-key': token((fresh, _, { key }) =>
      Buffer.from(`${key}:${fresh}`).toString('base64'),
    ),
  }),
  ...faultsOf('5.2: the credential is the static key', ['auth.tokens.key.exact'])({
    'token-in-header-for-any-key': () => ({
      ...tokenInHeader('X-Subject-Token')(),
      authenticate: ({ hasKey, operation, credential }) =>
        hasKey || (operation === 'token' && credential !== undefined),
    }),
  }),
  // A default run of a fast service is over before.
  ...faultsOf('5.3: only the static key can issue a token', ['auth.tokens.key.static'], { depth: 'deep' })({
    'token-that-has-expired-may-issue': () => {
      const endsAt = new Map<string | undefined, number>();
      return {
        authenticate: ({ hasKey, operation, credential }) =>
          hasKey || (operation === 'token' && Date.now() > (endsAt.get(credential) ?? Infinity)),
        token(fresh, { expires_in: lifetime }) {
          endsAt.set(fresh, Date.now() + lifetime * 1000);
          return fresh;
        },
      };
    },
  }),
  ...faultsOf('5.3: only the static key can issue a token', ['auth.tokens.key.static'])({
    'token-refreshed-without-key': () => {
      const refreshTokens = new Set<unknown>();
      return {
        tokenRecord(record) {
          const refreshToken = randomUUID();
          refreshTokens.add(refreshToken);
          return { ...record, refresh_token: refreshToken };
        },
        parse(text) {
          const {
            grant_type: _,
            refresh_token: __,
            ...members
          } = JSON.parse(text) as Record<string, unknown>;
          return members;
        },
        authenticate: ({ hasKey, operation, text }) =>
          hasKey || (operation === 'token' && refreshTokens.has(member(parseJson(text), 'refresh_token'))),
      };
    },
    'token-may-issue-tokens': mayIssue(() => true),
    // As a session that lasts longer each time that it is used.
    'token-may-renew-itself': () => ({
      ...mayIssue(() => true)(),
      token: (fresh, _, { token: own, credential }) => (own === undefined ? fresh : credential),
    }),
    'token-in-id-may-issue-tokens': () =>
      combined(
        mayIssue(() => true)(),
        onToken(({ token }) => ({ id: token, object: 'token', account: 'acct_1Hk2jT9vQxR4sLmN' }))(),
      ),
    'token-with-scopes-on-tokens-may-issue': mayIssue(({ token: own }) =>
      own!.scopes.some((scope) => scope.startsWith('tokens:')),
    ),
    'token-with-scopes-to-write-may-issue': () =>
      combined(
        mayIssue(({ token: own }) => own!.scopes.includes('customers:write'))(),
        acceptingScopes((scopes) => scopes.every((scope) => scope.startsWith('customers:')))(),
      ),
    'token-of-days-may-issue': () => ({
      ...mayIssue(({ token: own }) => own!.expiresAt > Date.now() + 48 * 3_600_000)(),
      acceptsToken: ({ scopes, expires_in: lifetime }) => scopes.length < 3 && lifetime > 0,
    }),
    'token-of-several-hours-may-issue': mayIssue(
      ({ token: own }) => own!.expiresAt > Date.now() + 3 * 3_600_000,
    ),
    'token-of-a-minute-may-issue': mayIssue(
      ({ token: own }) => own!.expiresAt > Date.now() && own!.expiresAt <= Date.now() + 60_000,
    ),
    'id-of-token-may-issue-tokens': () => {
      const ids = new Set<string | undefined>();
      return {
        authenticate: ({ hasKey, operation, credential }) =>
          hasKey || (operation === 'token' && ids.has(credential)),
        tokenRecord(record) {
          const id = `tok_${randomBytes(9).toString('base64url')}`;
          ids.add(id);
          return { id, ...record };
        },
      };
    },
    'token-may-issue-same-scopes': mayIssue(
      ({ token: own }, { scopes }) => scopes?.every((scope) => own?.scopes.includes(scope)) ?? false,
    ),
    'token-may-issue-shorter': mayIssue(
      ({ token: own }, { expires_in: lifetime }) =>
        lifetime !== undefined && Date.now() + lifetime * 1000 <= own!.expiresAt + 5000,
    ),
    'token-in-another-header-may-issue': () => {
      const issued = new Set<string | undefined>();
      return {
        authenticate: ({ hasKey, operation, header }) =>
          hasKey || (operation === 'token' && issued.has(header('X-Access-Token'))),
        token: (fresh) => (issued.add(fresh), fresh),
      };
    },
    // One cache of what was accepted, for both operations.
    'token-may-issue-once-it-created-a-customer': () => {
      const created = new Set<string | undefined>();
      return {
        authenticate({ hasKey, operation, token: own, credential }) {
          if (own !== undefined && operation === 'customer') created.add(credential);
          return hasKey || created.has(credential);
        },
      };
    },
    'token-may-issue-once': () => {
      const used = new Set<string>();
      const isFirst = ({ credential }: Call): boolean => {
        const isNew = !used.has(credential!);
        used.add(credential!);
        return isNew;
      };
      return mayIssue(isFirst)();
    },
  }),
];

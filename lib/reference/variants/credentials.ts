import { randomBytes } from 'node:crypto';
import { acceptsLifetime, acceptsScopes } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { acceptsWhen, combined, everyNth, onToken } from '../changes.ts';
import { accepting, isAllowed, isRight, latestOnly, lifetimeProfile } from '../token-use.ts';
import { variantsOf } from '../fault-or-variant.ts';

const isAllowedByScope = ({ operation, token }: Call): boolean =>
  operation === 'customer' && token !== undefined && isAllowed(token);

/** Accepts tokens for some seconds after they expire. */
const alsoFor = (seconds: number) => accepting((use) => isAllowed(use) && use.age < use.lifetime + seconds);

/** Accepts tokens in a header of the service's own, in place of the Bearer scheme or beside it. */
const inHeader = (name: string, isBearerAccepted = false) =>
  accepting(isRight, {
    presented: ({ header, credential }) => header(name) ?? (isBearerAccepted ? credential : undefined),
  });

/** Counts the lifetime of tokens in whole seconds: a token may end a second early. */
const inWholeSeconds = (): Behaviour => {
  const ends = new Map<string, number>();
  const now = (): number => Math.floor(Date.now() / 1000);
  return {
    token(fresh, { expires_in: lifetime }) {
      ends.set(fresh, now() + lifetime);
      return fresh;
    },
    authenticate: (call) =>
      call.hasKey || (isAllowedByScope(call) && (ends.get(call.credential!) ?? 0) > now()),
  };
};

/** Gives tokens a longer lifetime where a shorter one is requested, and reports when they end. */
const forAtLeast = (seconds: number) => (): Behaviour =>
  combined(
    accepting((use) => isAllowed(use) && use.age < Math.max(seconds, use.lifetime))(),
    onToken(({ token, scopes, expires_in: lifetime }) => ({
      token,
      scopes,
      expires_at: new Date(Date.now() + Math.max(seconds, lifetime) * 1000).toISOString(),
    }))(),
  );

/** Issues tokens without scopes, too. */
const withoutScopes = (scopes: readonly string[]) => (): Behaviour => {
  const defaults = new Set<string>();
  return {
    acceptsToken: ({ scopes: requested, expires_in: lifetime }) =>
      (requested.length === 0 || acceptsScopes(requested)) && acceptsLifetime(lifetime),
    token(fresh, { scopes: requested }) {
      if (requested.length === 0 && scopes.includes('customers:write')) defaults.add(fresh);
      return fresh;
    },
    authenticate: (call) =>
      call.hasKey ||
      isAllowedByScope(call) ||
      (call.operation === 'customer' && call.token !== undefined && defaults.has(call.credential!)),
  };
};

/** Accepts each text that stands for the bytes of a token. */
const sameBytes = (form: (bytes: Buffer) => string, bytesOf: (text: string) => string) =>
  accepting(isRight, {
    matches: (issued, presented) => bytesOf(issued) === bytesOf(presented),
    form: () => form(randomBytes(32)),
  });

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('hex');

/** A JWT whose signature is compared as bytes. */
const jwtOf = (bytes: Buffer): string =>
  [{ alg: 'HS256' }, { jti: bytes.toString('hex') }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(bytes.toString('base64url'))
    .join('.');

const path = (route: (path: string) => string) => (): Behaviour => ({ route });

/** Accepts more requests than the interface shows, but none without the key or an issued token. */
export const credentials = [
  ...variantsOf('5.6: how an issued token is presented on later requests is not shown')({
    'token-creates-customers': acceptsWhen(
      ({ operation, token }) => operation === 'customer' && token !== undefined,
    ),
    'token-creates-customers-by-scope': acceptsWhen(isAllowedByScope),
    'token-creates-customers-in-a-header': inHeader('X-API-Token'),
    'token-creates-customers-until-the-next': latestOnly(isAllowed),
    'token-creates-three-customers': accepting((use) => isAllowed(use) && use.uses < 3),
  }),
  ...variantsOf(
    '5.6: how an issued token is presented on later requests is not shown; the profile declares it',
    { profile: lifetimeProfile },
  )({
    'token-lives-as-declared': acceptsWhen(isAllowedByScope),
    'token-lives-for-whole-seconds': inWholeSeconds,
    // Until a replica knows it.
    'token-lives-after-a-moment': accepting((use) => isRight(use) && use.age > 0.3),
    'token-lives-for-25-seconds-at-least': forAtLeast(25),
    'token-lives-in-two-places': inHeader('X-Auth-Token', true),
    'token-for-no-scopes-allows-nothing': withoutScopes([]),
    'token-hex-in-any-case': sameBytes(
      (bytes) => bytes.toString('hex'),
      (text) => text.toLowerCase(),
    ),
    'token-base64-decoded': sameBytes((bytes) => bytes.toString('base64'), decoded),
    'token-jwt-signature-decoded': sameBytes(jwtOf, (text) => {
      const [header, payload, signature = '', ...others] = text.split('.');
      return [header, payload, decoded(signature), ...others].join('.');
    }),
  }),
  ...variantsOf('5.6: the header in which a token is presented is not shown; the profile declares it', {
    profile: { ...lifetimeProfile, 'token.presentation': { header: 'X-Acme-Token' } },
  })({ 'token-lives-in-a-header': inHeader('X-Acme-Token') }),
  ...variantsOf('3: whether a token ends when the next one is issued is not shown; the profile declares it', {
    profile: { ...lifetimeProfile, 'token.earlier': 'rejected' },
  })({ 'token-ends-with-the-next': latestOnly(isAllowed) }),
  ...variantsOf('5.5: what a token for no scopes allows is not shown; the profile declares it', {
    profile: {
      ...lifetimeProfile,
      'token.scopes.allow': {
        'customers:write': ['POST /v1/customers'],
        'customers:read': [],
        none: ['POST /v1/customers'],
      },
    },
  })({ 'token-for-no-scopes-has-default-scopes': withoutScopes(['customers:write']) }),
  ...variantsOf('5.4: how long a token is accepted after it expires is not shown; the profile declares it', {
    profile: { ...lifetimeProfile, 'token.leeway': 14 },
  })({ 'token-lives-a-little-longer': alsoFor(12) }),
  ...variantsOf('5.1: white space around the credential is not shown')({
    'credential-after-white-space': acceptsWhen(
      (call) =>
        new RegExp(String.raw`^bearer[ \t]+\S+$`, 'i').test(call.header('Authorization') ?? '') &&
        call.header('Authorization')!.split(/[ \t]+/)[1] === call.key,
    ),
    // As Python and JavaScript split and strip texts: a no-break space is white space, too.
    'credential-between-any-white-space': acceptsWhen((call) => {
      const [scheme, credential, ...others] = (call.header('Authorization') ?? '').trim().split(/\s+/);
      return scheme?.toLowerCase() === 'bearer' && credential === call.key && others.length === 0;
    }),
    // As two instances do that were written in different ways.
    'credential-after-the-scheme-in-lower-case-now-and-then': () => {
      const isSecond = everyNth(2);
      return {
        authenticate: ({ header, key }) => {
          const [scheme, credential] = (header('Authorization') ?? '').split(' ');
          return credential === key && (scheme === 'Bearer' || (/^bearer$/i.test(scheme!) && isSecond()));
        },
      };
    },
    'credential-first-of-several-words': acceptsWhen(
      (call) =>
        (call.header('Authorization') ?? '').split(' ').slice(0, 2).join(' ') === `Bearer ${call.key}`,
    ),
  }),
  ...variantsOf('9: whether other paths lead to the same operation is not shown')({
    'paths-with-a-closing-slash': path((path) => path.replace(/\/+$/, '')),
    'versions-of-both': path((path) =>
      path.replace('/v2/customers', '/v1/customers').replace('/v1/tokens', '/v2/tokens'),
    ),
    'paths-in-any-case': path((path) => path.toLowerCase()),
    'paths-with-several-slashes': path((path) => path.replace(/\/{2,}/g, '/')),
    'paths-decoded': path((path) => {
      try {
        return decodeURIComponent(path);
      } catch {
        return path;
      }
    }),
  }),
];

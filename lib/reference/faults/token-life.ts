import type { TokenRequest } from '../../schemas/interface.ts';
import { parseJson } from '../../schemas/json.ts';
import type { Json } from '../../schemas/json.ts';
import { acceptsLifetime, acceptsScopes } from '../behaviour.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { onToken } from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';
import { signedJwt, accepting, isAlive, isAllowed, isRight, lifetimeProfile } from '../token-use.ts';
import type { Use } from '../token-use.ts';

/** Faults whose profile declares the answer that they violate. */
const drifting = (answers: Readonly<Record<string, Json>>, violates: string) =>
  faultsOf(violates, Object.keys(answers), { profile: answers });

/** A JWT whose claims do not match the request. */
const jwtClaiming = (claims: (request: TokenRequest, now: number) => object) => (): Behaviour => ({
  token: (fresh, request) => {
    const now = Math.floor(Date.now() / 1000);
    return signedJwt({ jti: fresh, iat: now, ...claims(request, now) }, fresh);
  },
});

/** Accepts tokens that are nearly the issued ones. */
const matching = (matches: (issued: string, presented: string) => boolean) => accepting(isRight, { matches });

/** The lifetime or the scopes of a token differ from what the operator declares. */
export const tokenLife = [
  ...faultsOf('5.3: tokens expire', ['token.life.ended'], { profile: lifetimeProfile })({
    'life-without-end': accepting(isAllowed),
    'life-in-minutes': accepting((use) => isAllowed(use) && use.age < use.lifetime * 60),
    'life-always-an-hour': accepting((use) => isAllowed(use) && use.age < 3600),
    'life-half-a-minute-more': accepting((use) => isAllowed(use) && use.age < use.lifetime + 30),
    'life-renewed-by-use': accepting((use) => isAllowed(use) && use.idle < use.lifetime),
  }),
  ...faultsOf('5.3: a token is accepted until it expires', ['token.life.accepted'], {
    profile: lifetimeProfile,
  })({
    'life-in-milliseconds': accepting((use) => isAllowed(use) && use.age * 1000 < use.lifetime),
    'life-ends-at-half': accepting((use) => isAllowed(use) && use.age < use.lifetime / 2),
    'life-ends-after-a-second': accepting((use) => isAllowed(use) && use.age < 1),
    'life-of-one-use': accepting((use) => isRight(use) && use.uses === 0),
  }),
  ...faultsOf('5.5: a token allows only what its scopes allow', ['token.life.scoped', 'token.scopes.allow'], {
    profile: lifetimeProfile,
  })({
    'scope-ignored': accepting(isAlive),
    'scope-resource-only': accepting(
      (use) => isAlive(use) && use.scopes.some((scope) => scope.startsWith('customers:')),
    ),
    'scope-any-will-do': accepting((use) => isAlive(use) && use.scopes.length > 0),
  }),
  ...faultsOf('5.3: only the exact token is accepted', ['token.life.unaltered'], {
    profile: lifetimeProfile,
  })({
    'altered-first-characters-count': matching(
      (issued, presented) => issued.slice(0, 12) === presented.slice(0, 12),
    ),
    'altered-last-characters-count': matching(
      (issued, presented) => issued.slice(-12) === presented.slice(-12),
    ),
    'altered-length-counts': matching(
      (issued, presented) => issued.length === presented.length && presented.startsWith('tok_'),
    ),
    'altered-both-ends-count': matching(
      (issued, presented) =>
        issued.slice(0, 8) + issued.slice(-4) === presented.slice(0, 8) + presented.slice(-4),
    ),
  }),
  ...drifting(
    { 'token.lifetime.reported': 'as requested' },
    '5.4: the reported lifetime is the requested one',
  )({
    'reported-another-lifetime': onToken((issued) => ({ ...issued, expires_in: issued.expires_in + 1 })),
    'reported-an-earlier-expiry': onToken(({ token, expires_at }) => ({
      token,
      expires_at: new Date(Date.parse(expires_at) - 900_000).toISOString(),
    })),
    'claims-of-another-lifetime': jwtClaiming((_, now) => ({ exp: now + 604_800 })),
  }),
  ...drifting(
    { 'token.scopes.reported': 'as requested' },
    '5.5: the reported scopes are the requested ones',
  )({
    'reported-wider-scopes': onToken((issued) => ({
      ...issued,
      scopes: [...issued.scopes, 'customers:write', 'admin:all'],
    })),
    'reported-no-scopes': onToken((issued) => ({ ...issued, scopes: [] })),
    'claims-of-wider-scopes': jwtClaiming(({ scopes }) => ({ scope: [...scopes, 'admin:all'].join(' ') })),
  }),
  ...drifting(
    { 'token.expires_in.unit': 'seconds' },
    '5.4: the unit of expires_in is the declared one',
  )({
    'unit-minutes': onToken((issued) => ({
      ...issued,
      expires_at: new Date(Date.now() + issued.expires_in * 60_000).toISOString(),
    })),
    'unit-milliseconds': onToken((issued) => ({
      ...issued,
      expires_at: new Date(Date.now() + issued.expires_in).toISOString(),
    })),
  }),
];

/** A signed JWT with the scopes and the end of the token. */
const jwt = (fresh: string, { scopes, expires_in: lifetime }: TokenRequest): string =>
  signedJwt({ scope: scopes.join(' '), exp: Math.floor(Date.now() / 1000) + lifetime, jti: fresh }, fresh);

/** A part of a JWT as JSON; undefined: it is not one. */
const claims = (part = ''): Readonly<Record<string, unknown>> | undefined =>
  parseJson(Buffer.from(part, 'base64url').toString()) as Record<string, unknown> | undefined;

/** Accepts JWTs of which only some parts are verified. */
const verifying = (isSame: (issued: readonly string[], presented: readonly string[]) => boolean) =>
  accepting(isRight, {
    matches: (issued, presented) => issued === presented || isSame(issued.split('.'), presented.split('.')),
    form: jwt,
  });

/** Accepts tokens in the Bearer scheme, and less strictly in another place. */
const lessStrictIn =
  (presented: (call: Call) => string | undefined, isAccepted: (use: Use) => boolean) => (): Behaviour => {
    const [bearer, own] = [accepting(isRight)(), accepting(isAccepted, { presented })()];
    return {
      token: (fresh, request, call) => (
        bearer.token!(fresh, request, call),
        own.token!(fresh, request, call)
      ),
      authenticate: async (call) => (await bearer.authenticate!(call)) || own.authenticate!(call),
    };
  };

const inHeader =
  (name: string) =>
  ({ header }: Call): string | undefined =>
    header(name);

/** Accepts tokens in a header of the service's own only. */
const inOwnHeader = (isAccepted: (use: Use) => boolean) =>
  accepting(isAccepted, { presented: inHeader('X-Acme-Token') });

/** Looks up both halves of a token, each on its own. */
const halvesOfAny = (): Behaviour => {
  const [first, second] = [new Set<string>(), new Set<string>()];
  const inner = accepting(isRight, {
    matches: (issued, presented) =>
      issued.slice(0, 18) === presented.slice(0, 18) &&
      first.has(presented.slice(0, 18)) &&
      second.has(presented.slice(18)),
  })();
  return {
    ...inner,
    token(fresh, request, call) {
      first.add(fresh.slice(0, 18));
      second.add(fresh.slice(18));
      return inner.token!(fresh, request, call);
    },
  };
};

/** Whether the scopes of a token hold, as another token request left them. */
const ofTheLatest = (isAccepted: (own: TokenRequest, latest: TokenRequest) => boolean) => (): Behaviour => {
  const requests = new Map<string, TokenRequest>();
  let latest: TokenRequest | undefined;
  return {
    token(fresh, request) {
      requests.set(fresh, request);
      latest = request;
      return fresh;
    },
    authenticate({ hasKey, operation, token, credential = '' }) {
      const own = requests.get(credential);
      return (
        hasKey || (operation === 'customer' && token !== undefined && !!own && isAccepted(own, latest ?? own))
      );
    },
  };
};

/** A token is accepted after a change, in another place, or for what other tokens allow. */
export const tokenTampering = [
  ...faultsOf('5.3: only the exact token is accepted', ['token.life.unaltered'], {
    profile: lifetimeProfile,
  })({
    'altered-signature-ignored': verifying(
      ([header, payload], [otherHeader, otherPayload]) => header === otherHeader && payload === otherPayload,
    ),
    'altered-header-ignored': verifying(
      ([, payload, signature], [, otherPayload, otherSignature]) =>
        payload === otherPayload && signature === otherSignature,
    ),
    'altered-payload-not-signed': verifying(
      ([header, , signature], [otherHeader, otherPayload, otherSignature]) =>
        header === otherHeader &&
        signature === otherSignature &&
        String(claims(otherPayload)?.['scope']).includes('customers:write'),
    ),
    'altered-algorithm-none': verifying(
      ([, payload], [otherHeader, otherPayload, otherSignature]) =>
        payload === otherPayload &&
        otherSignature === '' &&
        /^none$/i.test(String(claims(otherHeader)?.['alg'])),
    ),
    'altered-case-ignored': matching((issued, presented) => issued.toLowerCase() === presented.toLowerCase()),
    'altered-by-more-at-the-end': matching((issued, presented) => presented.startsWith(issued)),
    'altered-algorithm-in-any-case': verifying(
      ([, payload], [otherHeader, otherPayload, otherSignature]) =>
        payload === otherPayload && otherSignature === '' && claims(otherHeader)?.['alg'] === 'None',
    ),
    'altered-further-parts-ignored': verifying((issued, presented) =>
      issued.every((part, at) => part === presented[at]),
    ),
    'altered-claims-verified-alone': verifying(
      ([header, payload, signature], [otherHeader, otherPayload, otherSignature]) =>
        header === otherHeader &&
        signature === otherSignature &&
        ['scope', 'exp', 'jti'].every((name) => claims(otherPayload)?.[name] === claims(payload)?.[name]),
    ),
    'altered-algorithm-unknown': verifying(
      ([, payload], [otherHeader, otherPayload, otherSignature = '']) =>
        payload === otherPayload && otherSignature !== '' && claims(otherHeader)?.['alg'] !== 'HS256',
    ),
    'altered-digits-ignored': matching(
      (issued, presented) => issued.replaceAll(/[\dA]/g, '') === presented.replaceAll(/[\dA]/g, ''),
    ),
    'altered-prefix-optional': accepting(isRight, {
      matches: (issued, presented) => issued === presented || issued === `tok_${presented}`,
    }),
    'altered-percent-encoded': matching(
      (issued, presented) =>
        issued ===
        presented.replaceAll(/%([\dA-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
    ),
    'altered-half-of-another': halvesOfAny,
    'altered-middle-ignored': matching(
      (issued, presented) =>
        issued.length === presented.length &&
        issued.slice(0, 16) === presented.slice(0, 16) &&
        issued.slice(20) === presented.slice(20),
    ),
  }),
  ...faultsOf('5.5: a token allows only what its scopes allow', ['token.life.scoped', 'token.scopes.allow'], {
    profile: lifetimeProfile,
  })({
    'scope-list-empty-allows-all': () => ({
      ...accepting((use) => isAlive(use) && (use.scopes.length === 0 || isAllowed(use)))(),
      acceptsToken: ({ scopes, expires_in: lifetime }) =>
        (scopes.length === 0 || acceptsScopes(scopes)) && acceptsLifetime(lifetime),
    }),
    'scope-of-the-latest-token': ofTheLatest((_, latest) => isAllowed(latest)),
    'scope-ignored-in-query': lessStrictIn(
      ({ url }) => url.searchParams.get('access_token') ?? undefined,
      isAlive,
    ),
    'scope-ignored-in-own-header': lessStrictIn(inHeader('X-Access-Token'), isAlive),
  }),
  ...faultsOf('5.6: a token is presented in the declared header', ['token.life.scoped', 'token.life.ended'], {
    profile: { ...lifetimeProfile, 'token.presentation': { header: 'X-Acme-Token' } },
  })({
    'scope-ignored-in-declared-header': inOwnHeader(isAlive),
    'life-without-end-in-declared-header': inOwnHeader(isAllowed),
  }),
  ...faultsOf('5.3: a token is accepted until it expires', ['token.life.accepted'], {
    profile: lifetimeProfile,
  })({
    'life-of-four-uses': accepting((use) => isRight(use) && use.uses < 4),
    'life-ends-with-the-next-token': ofTheLatest((own, latest) => isAllowed(own) && own === latest),
  }),
  ...faultsOf('5.3: tokens expire', ['token.life.ended'], { profile: lifetimeProfile })({
    'life-without-end-in-own-header': lessStrictIn(inHeader('X-Access-Token'), isAllowed),
    'life-without-end-once-used': accepting((use) => isAllowed(use) && (isAlive(use) || use.uses > 1)),
  }),
];

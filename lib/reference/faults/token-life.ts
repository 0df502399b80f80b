import type { TokenRequest } from '../../schemas/interface.ts';
import type { Json } from '../../schemas/json.ts';
import type { Behaviour } from '../behaviour.ts';
import { accepting, isAlive, isAllowed, lifetimeProfile } from '../token-use.ts';
import { onToken } from '../changes.ts';
import { signedJwt } from '../jwt.ts';
import { faultsOf } from '../fault-or-variant.ts';

/** Faults whose profile declares the answer that they break. */
const drifting = (answers: Readonly<Record<string, Json>>, breaks: string) =>
  faultsOf(breaks, Object.keys(answers), { profile: answers });

/** A JWT whose claims do not match the request. */
const jwt = (claims: (request: TokenRequest, now: number) => object) => (): Behaviour => ({
  token: (fresh, request) => {
    const now = Math.floor(Date.now() / 1000);
    return signedJwt({ jti: fresh, iat: now, ...claims(request, now) }, fresh);
  },
});

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
    'life-of-one-use': accepting((use) => isAllowed(use) && isAlive(use) && use.uses === 0),
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
    'altered-first-characters-count': accepting((use) => isAllowed(use) && isAlive(use), {
      matches: (issued, presented) => issued.slice(0, 12) === presented.slice(0, 12),
    }),
    'altered-last-characters-count': accepting((use) => isAllowed(use) && isAlive(use), {
      matches: (issued, presented) => issued.slice(-12) === presented.slice(-12),
    }),
    'altered-length-counts': accepting((use) => isAllowed(use) && isAlive(use), {
      matches: (issued, presented) => issued.length === presented.length && presented.startsWith('tok_'),
    }),
    'altered-both-ends-count': accepting((use) => isAllowed(use) && isAlive(use), {
      matches: (issued, presented) =>
        issued.slice(0, 8) + issued.slice(-4) === presented.slice(0, 8) + presented.slice(-4),
    }),
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
    'claims-of-another-lifetime': jwt((_, now) => ({ exp: now + 604_800 })),
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
    'claims-of-wider-scopes': jwt(({ scopes }) => ({ scope: [...scopes, 'admin:all'].join(' ') })),
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

import type { TokenRequest } from '../../schemas/interface.ts';
import type { Json } from '../../schemas/json.ts';
import type { Call } from '../call.ts';
import type { Behaviour, TokenRecord } from '../behaviour.ts';
import { lifetimeProfile } from '../variants/credentials.ts';
import { signedJwt } from '../jwt.ts';
import { faultsOf } from './fault.ts';
import type { Fault, FaultKind } from './fault.ts';

/** A token as it is used. */
export interface Use {
  readonly scopes: readonly string[];
  /** Requested lifetime in seconds. */
  readonly lifetime: number;
  /** Seconds since it was issued. */
  readonly age: number;
  /** Seconds since it was last used. */
  readonly idle: number;
  /** How often it was used before. */
  readonly uses: number;
}

export const isAllowed = ({ scopes }: Use): boolean => scopes.includes('customers:write');
export const isAlive = ({ age, lifetime }: Use): boolean => age < lifetime;

/**
 * Accepts issued tokens for creating customers.
 * @param isAccepted whether a token may be used; a correct service requires `isAllowed` and `isAlive`
 * @param matches whether a presented text is an issued token
 * @param form makes a token of the text that the reference service would issue
 * @param presented where a request has its token
 */
export const accepting =
  (
    isAccepted: (use: Use) => boolean,
    matches = (issued: string, presented: string): boolean => issued === presented,
    form = (fresh: string, _request: TokenRequest): string => fresh,
    presented = ({ credential }: Call): string | undefined => credential,
  ) =>
  (): Behaviour => {
    const known = new Map<
      string,
      { request: TokenRequest; issuedAt: number; usedAt: number; uses: number }
    >();
    const since = (time: number): number => (Date.now() - time) / 1000;
    const accepts = (call: Call): boolean =>
      call.operation === 'customer' &&
      [...known].some(([issued, state]) => {
        if (!matches(issued, presented(call) ?? '')) return false;
        const { request, issuedAt, usedAt, uses } = state;
        state.uses++;
        state.usedAt = Date.now();
        const { scopes, expires_in: lifetime } = request;
        return isAccepted({ scopes, lifetime, age: since(issuedAt), idle: since(usedAt), uses });
      });
    return {
      token(fresh, request) {
        const issued = form(fresh, request);
        known.set(issued, { request, issuedAt: Date.now(), usedAt: Date.now(), uses: 0 });
        return issued;
      },
      authenticate: (call) => call.hasKey || accepts(call),
    };
  };

export const kind = (breaks: string, ...caughtBy: readonly string[]): FaultKind => ({
  category: 'token-life',
  breaks,
  caughtBy,
  profile: lifetimeProfile,
});

const declaring = (answers: Readonly<Record<string, Json>>, breaks: string): FaultKind => ({
  category: 'token-life',
  breaks,
  caughtBy: Object.keys(answers),
  profile: answers,
});

const record = (change: (issued: TokenRecord) => unknown) => (): Behaviour => ({ tokenRecord: change });

/** A JWT whose claims do not match the request. */
const jwt = (claims: (request: TokenRequest, now: number) => object) => (): Behaviour => ({
  token: (fresh, request) => {
    const now = Math.floor(Date.now() / 1000);
    return signedJwt({ jti: fresh, iat: now, ...claims(request, now) }, fresh);
  },
});

/** The lifetime or the scopes of a token differ from what the operator declares. */
export const tokenLife: readonly Fault[] = [
  ...faultsOf(kind('5.3: tokens expire', 'token.life.ended'), {
    'life-without-end': accepting(isAllowed),
    'life-in-minutes': accepting((use) => isAllowed(use) && use.age < use.lifetime * 60),
    'life-always-an-hour': accepting((use) => isAllowed(use) && use.age < 3600),
    'life-half-a-minute-more': accepting((use) => isAllowed(use) && use.age < use.lifetime + 30),
    'life-renewed-by-use': accepting((use) => isAllowed(use) && use.idle < use.lifetime),
  }),
  ...faultsOf(kind('5.3: a token is accepted until it expires', 'token.life.accepted'), {
    'life-in-milliseconds': accepting((use) => isAllowed(use) && use.age * 1000 < use.lifetime),
    'life-ends-at-half': accepting((use) => isAllowed(use) && use.age < use.lifetime / 2),
    'life-ends-after-a-second': accepting((use) => isAllowed(use) && use.age < 1),
    'life-of-one-use': accepting((use) => isAllowed(use) && isAlive(use) && use.uses === 0),
  }),
  ...faultsOf(
    kind('5.5: a token allows only what its scopes allow', 'token.life.scoped', 'token.scopes.allow'),
    {
      'scope-ignored': accepting(isAlive),
      'scope-resource-only': accepting(
        (use) => isAlive(use) && use.scopes.some((scope) => scope.startsWith('customers:')),
      ),
      'scope-any-will-do': accepting((use) => isAlive(use) && use.scopes.length > 0),
    },
  ),
  ...faultsOf(kind('5.3: only the exact token is accepted', 'token.life.unaltered'), {
    'altered-first-characters-count': accepting(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) => issued.slice(0, 12) === presented.slice(0, 12),
    ),
    'altered-last-characters-count': accepting(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) => issued.slice(-12) === presented.slice(-12),
    ),
    'altered-length-counts': accepting(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) => issued.length === presented.length && presented.startsWith('tok_'),
    ),
    'altered-both-ends-count': accepting(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) =>
        issued.slice(0, 8) + issued.slice(-4) === presented.slice(0, 8) + presented.slice(-4),
    ),
  }),
  ...faultsOf(
    declaring(
      { 'token.lifetime.reported': 'as requested' },
      '5.4: the reported lifetime is the requested one',
    ),
    {
      'reported-another-lifetime': record((issued) => ({ ...issued, expires_in: issued.expires_in + 1 })),
      'reported-an-earlier-expiry': record(({ token, expires_at }) => ({
        token,
        expires_at: new Date(Date.parse(expires_at) - 900_000).toISOString(),
      })),
      'claims-of-another-lifetime': jwt((_, now) => ({ exp: now + 604_800 })),
    },
  ),
  ...faultsOf(
    declaring({ 'token.scopes.reported': 'as requested' }, '5.5: the reported scopes are the requested ones'),
    {
      'reported-wider-scopes': record((issued) => ({
        ...issued,
        scopes: [...issued.scopes, 'customers:write', 'admin:all'],
      })),
      'reported-no-scopes': record((issued) => ({ ...issued, scopes: [] })),
      'claims-of-wider-scopes': jwt(({ scopes }) => ({ scope: [...scopes, 'admin:all'].join(' ') })),
    },
  ),
  ...faultsOf(
    declaring({ 'token.expires_in.unit': 'seconds' }, '5.4: the unit of expires_in is the declared one'),
    {
      'unit-minutes': record((issued) => ({
        ...issued,
        expires_at: new Date(Date.now() + issued.expires_in * 60_000).toISOString(),
      })),
      'unit-milliseconds': record((issued) => ({
        ...issued,
        expires_at: new Date(Date.now() + issued.expires_in).toISOString(),
      })),
    },
  ),
];

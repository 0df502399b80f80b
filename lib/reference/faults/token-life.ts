import type { TokenRequest } from '../../inputs/schemas.ts';
import type { Json } from '../../schemas/json.ts';
import type { Call } from '../call.ts';
import { lifeDeclared } from '../declared.ts';
import type { TokenRecord } from '../hooks.ts';
import type { Behaviour } from '../behaviour.ts';
import { faultsOf } from './fault.ts';
import type { Fault, Kind } from './fault.ts';

/** A token in use. */
interface Use {
  readonly scopes: readonly string[];
  /** As asked for. */
  readonly lifetime: number;
  /** Seconds since it was issued. */
  readonly age: number;
  /** Seconds since it was last used. */
  readonly idle: number;
  /** How often it was used before. */
  readonly uses: number;
}

const isAllowed = ({ scopes }: Use): boolean => scopes.includes('customers:write');
const isAlive = ({ age, lifetime }: Use): boolean => age < lifetime;

/**
 * Takes issued tokens for creating customers.
 * @param isTaken whether it may be used; a right service asks whether it is allowed and alive
 * @param finds which of the issued tokens a presented text is
 */
const taking =
  (
    isTaken: (use: Use) => boolean,
    finds = (issued: string, presented: string): boolean => issued === presented,
  ) =>
  (): Behaviour => {
    const known = new Map<
      string,
      { request: TokenRequest; issuedAt: number; usedAt: number; uses: number }
    >();
    const since = (time: number): number => (Date.now() - time) / 1000;
    const accepts = ({ operation, credential = '' }: Call): boolean =>
      operation === 'customer' &&
      [...known].some(([issued, grant]) => {
        if (!finds(issued, credential)) return false;
        const { request, issuedAt, usedAt, uses } = grant;
        grant.uses++;
        grant.usedAt = Date.now();
        const { scopes, expires_in: lifetime } = request;
        return isTaken({ scopes, lifetime, age: since(issuedAt), idle: since(usedAt), uses });
      });
    return {
      token(fresh, request) {
        known.set(fresh, { request, issuedAt: Date.now(), usedAt: Date.now(), uses: 0 });
        return fresh;
      },
      authenticate: (call) => call.hasKey || accepts(call),
    };
  };

const kind = (breaks: string, ...caughtBy: readonly string[]): Kind => ({
  category: 'token-life',
  breaks,
  caughtBy,
  profile: lifeDeclared,
});

const telling = (answers: Readonly<Record<string, Json>>, breaks: string): Kind => ({
  category: 'token-life',
  breaks,
  caughtBy: Object.keys(answers),
  profile: answers,
});

const record = (change: (issued: TokenRecord) => unknown) => (): Behaviour => ({ tokenRecord: change });

/** A token whose claims are not in line with the request. */
const jwt = (claims: (request: TokenRequest, now: number) => object) => (): Behaviour => ({
  token: (fresh, request) => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    return `${part({ alg: 'HS256' })}.${part({ jti: fresh, iat: now, ...claims(request, now) })}.c2lnbmF0dXJl`;
  },
});

/** A token does not live as the operator of the service declares. */
export const tokenLife: readonly Fault[] = [
  ...faultsOf(kind('5.3: tokens expire', 'token.life.ended'), {
    'life-without-end': taking(isAllowed),
    'life-in-minutes': taking((use) => isAllowed(use) && use.age < use.lifetime * 60),
    'life-always-an-hour': taking((use) => isAllowed(use) && use.age < 3600),
    'life-half-a-minute-more': taking((use) => isAllowed(use) && use.age < use.lifetime + 30),
    'life-renewed-by-use': taking((use) => isAllowed(use) && use.idle < use.lifetime),
  }),
  ...faultsOf(kind('5.3: a token is accepted until it expires', 'token.life.accepted'), {
    'life-in-milliseconds': taking((use) => isAllowed(use) && use.age * 1000 < use.lifetime),
    'life-ends-at-half': taking((use) => isAllowed(use) && use.age < use.lifetime / 2),
    'life-ends-after-a-second': taking((use) => isAllowed(use) && use.age < 1),
    'life-of-one-use': taking((use) => isAllowed(use) && isAlive(use) && use.uses === 0),
  }),
  ...faultsOf(kind('5.5: scopes say what a token allows', 'token.life.scoped', 'token.scopes.allow'), {
    'scope-ignored': taking(isAlive),
    'scope-resource-only': taking(
      (use) => isAlive(use) && use.scopes.some((scope) => scope.startsWith('customers:')),
    ),
    'scope-any-will-do': taking((use) => isAlive(use) && use.scopes.length > 0),
  }),
  ...faultsOf(kind('5.3: a token is what was issued', 'token.life.unaltered'), {
    'altered-first-characters-count': taking(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) => issued.slice(0, 12) === presented.slice(0, 12),
    ),
    'altered-last-characters-count': taking(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) => issued.slice(-12) === presented.slice(-12),
    ),
    'altered-length-counts': taking(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) => issued.length === presented.length && presented.startsWith('tok_'),
    ),
    'altered-both-ends-count': taking(
      (use) => isAllowed(use) && isAlive(use),
      (issued, presented) =>
        issued.slice(0, 8) + issued.slice(-4) === presented.slice(0, 8) + presented.slice(-4),
    ),
  }),
  ...faultsOf(telling({ 'token.lifetime.told': 'as asked' }, '5.4: the lifetime told is the one asked for'), {
    'told-another-lifetime': record((issued) => ({ ...issued, expires_in: issued.expires_in + 1 })),
    'told-an-earlier-end': record(({ token, expires_at }) => ({
      token,
      expires_at: new Date(Date.parse(expires_at) - 900_000).toISOString(),
    })),
    'claims-of-another-lifetime': jwt((_, now) => ({ exp: now + 604_800 })),
  }),
  ...faultsOf(telling({ 'token.scopes.told': 'as asked' }, '5.5: the scopes told are those asked for'), {
    'told-wider-scopes': record((issued) => ({
      ...issued,
      scopes: [...issued.scopes, 'customers:write', 'admin:all'],
    })),
    'told-no-scopes': record((issued) => ({ ...issued, scopes: [] })),
    'claims-of-wider-scopes': jwt(({ scopes }) => ({ scope: [...scopes, 'admin:all'].join(' ') })),
  }),
  ...faultsOf(telling({ 'token.expires_in.unit': 'seconds' }, '5.4: the unit is the one declared'), {
    'unit-minutes': record((issued) => ({
      ...issued,
      expires_at: new Date(Date.now() + issued.expires_in * 60_000).toISOString(),
    })),
    'unit-milliseconds': record((issued) => ({
      ...issued,
      expires_at: new Date(Date.now() + issued.expires_in).toISOString(),
    })),
  }),
];

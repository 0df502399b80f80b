import { createHmac } from 'node:crypto';
import type { TokenRequest } from '../schemas/interface.ts';
import type { Json } from '../schemas/json.ts';
import type { Behaviour } from './behaviour.ts';
import type { Call, IssuedToken } from './call.ts';

/** The profile of a service that accepts issued tokens for creating customers. */
export const lifetimeProfile: Readonly<Record<string, Json>> = {
  'token.presentation': 'bearer',
  'token.scopes.allow': { 'customers:write': ['POST /v1/customers'], 'customers:read': [] },
  'token.expires_in.unit': 'seconds',
};

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

export const isAllowed = ({ scopes }: Pick<Use, 'scopes'>): boolean => scopes.includes('customers:write');
export const isAlive = ({ age, lifetime }: Use): boolean => age < lifetime;
/** A correct service requires both. */
export const isRight = (use: Use): boolean => isAllowed(use) && isAlive(use);

/** How a service issues and finds tokens. */
interface Tokens {
  /** Whether a presented text is an issued token; default: if they are equal. */
  readonly matches?: (issued: string, presented: string) => boolean;
  /** Makes a token of the one that the reference service would issue. */
  readonly form?: (fresh: string, request: TokenRequest) => string;
  /** The text that a request presents as its token; default: the credential in the Bearer scheme. */
  readonly presented?: (call: Call) => string | undefined;
}

/** Accepts issued tokens for creating customers. @param isAccepted whether a token may be used */
export const accepting =
  (
    isAccepted: (use: Use) => boolean,
    {
      matches = (issued, presented) => issued === presented,
      form = (fresh) => fresh,
      presented = ({ credential }) => credential,
    }: Tokens = {},
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

/** Accepts the latest token only, for creating customers. @param mayCreate whether its scopes suffice */
export const latestOnly =
  (mayCreate: (token: IssuedToken) => boolean = () => true) =>
  (): Behaviour => {
    let latest: string | undefined;
    return {
      token: (fresh) => (latest = fresh),
      authenticate: ({ hasKey, operation, token, credential }) =>
        hasKey ||
        (operation === 'customer' && token !== undefined && mayCreate(token) && credential === latest),
    };
  };

/** A JWT (RFC 7519) with these claims, signed with HMAC-SHA256. */
export function signedJwt(claims: object, secret: string): string {
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

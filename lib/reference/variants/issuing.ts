import type { TokenRequest } from '../../schemas/interface.ts';
import { acceptsLifetime, acceptsScopes } from '../behaviour.ts';
import type { Behaviour, TokenRecord } from '../behaviour.ts';
import { variantsOf } from '../fault-or-variant.ts';

const accepting = (acceptsToken: (request: TokenRequest) => boolean) => (): Behaviour => ({ acceptsToken });
const lifetimes = (isAccepted: (lifetime: number) => boolean) =>
  accepting((request) => isAccepted(request.expires_in) && acceptsScopes(request.scopes));
const scopes = (isAccepted: (scopes: readonly string[]) => boolean) =>
  accepting((request) => isAccepted(request.scopes) && acceptsLifetime(request.expires_in));

/** Accepts only known scopes. */
const known = (...names: readonly string[]) =>
  scopes((requested) => requested.length > 0 && requested.every((scope) => names.includes(scope)));

/** Which lifetimes and scopes are accepted. */
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
    'lifetimes-of-any-size': lifetimes(() => true),
    // As metadata services of clouds answer.
    'lifetimes-of-a-token-that-is-reused': () => {
      const living = new Map<string, TokenRecord>();
      return {
        tokenRecord(issued) {
          const scopes = issued.scopes.join(' ');
          const record = living.get(scopes) ?? issued;
          living.set(scopes, record);
          return record;
        },
      };
    },
    'lifetimes-cut-to-ten-minutes': () => ({
      tokenRecord: (issued) => ({ ...issued, expires_in: Math.min(600, issued.expires_in) }),
    }),
  }),
  ...variantsOf('5.5: the set of valid scopes is not shown')({
    'scopes-customers-read-only': known('customers:read'),
    'scopes-of-customers': known('customers:read', 'customers:write'),
    'scopes-writing-only': known('customers:write'),
    'scopes-one-at-a-time': scopes((requested) => requested.length === 1),
    'token-members-unknown-are-ignored': () => ({
      parse(text, { operation }) {
        const sent = JSON.parse(text) as { scopes?: unknown; expires_in?: unknown } | null;
        return operation === 'token' ? { scopes: sent?.scopes, expires_in: sent?.expires_in } : sent;
      },
    }),
    'scopes-of-any-form': scopes(() => true),
    'scopes-reported-in-another-order': () => ({
      tokenRecord: (issued) => ({ ...issued, scopes: issued.scopes.toReversed() }),
    }),
    'scopes-widened-in-the-answer': () => ({
      tokenRecord: (issued) => ({ ...issued, scopes: ['openid', ...issued.scopes] }),
    }),
  }),
];

import type { Call } from '../../call.ts';
import type { Behaviour } from '../../behaviour.ts';
import { acceptsWhen, sends } from '../../changes.ts';

export type CallCondition = (call: Call) => boolean;

/** Compares a Bearer credential with the key incorrectly. */
export const acceptsCredential = (isSame: (presented: string, key: string) => boolean) =>
  acceptsWhen(({ credential, key }) => credential !== undefined && isSame(credential, key));

/** Reads the header Authorization incorrectly. @param isRight its parameter `header` is undefined where there is none */
export const acceptsAuthorization = (isRight: (header: string | undefined, key: string) => boolean) =>
  acceptsWhen((call) => isRight(call.header('Authorization'), call.key));

/** The request target as it was sent: `call.url` is normalised. */
export const targetOf = (call: Call): string => call.incoming?.url ?? '';

/** The conjunction of several conditions. */
export const allOf =
  (...conditions: readonly CallCondition[]): CallCondition =>
  (call) =>
    conditions.every((isMet) => isMet(call));

/** Accepts requests in which a header has another value than usual. */
export const acceptsSending = (name: string, pattern?: RegExp) => acceptsWhen(sends(name, pattern));

/** Normalises paths, but authenticates only requests with the exact path. */
export const acceptsUnnormalisedPath = (route: (path: string) => string) => (): Behaviour => ({
  route,
  authenticate: ({ hasKey, url }) =>
    hasKey || (url.pathname !== '/v1/customers' && url.pathname !== '/v2/tokens'),
});

/** The requested lifetime in a body; Infinity: none. */
export const lifetimeIn = (text: string): number =>
  Number(/"expires_in"\s*:\s*(\d+)/.exec(text)?.[1] ?? Infinity);

/** Ids of the requirements on the authentication of one operation. */
export const idsFor = (operation: 'customers' | 'tokens', ...rules: readonly string[]): string[] =>
  rules.map((rule) => `auth.${operation}.${rule}`);
export const idsForBoth = (...rules: readonly string[]): string[] => [
  ...idsFor('customers', ...rules),
  ...idsFor('tokens', ...rules),
];

/** The ends of the ids of all requirements on authentication. */
export const ALL_RULES = ['key.required', 'key.exact', 'bearer.required', 'request.each'];

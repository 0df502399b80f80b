import type { Call } from '../../call.ts';
import type { Behaviour } from '../../behaviour.ts';

export type CallCondition = (call: Call) => boolean;

/** Accepts the key, and any request that meets a condition. */
export const acceptsWhen = (condition: CallCondition) => (): Behaviour => ({
  authenticate: (call) => call.hasKey || condition(call),
});

/** The same with a condition that keeps state, and that is also called for requests with the key. */
export const acceptsWhenStateful = (makeCondition: () => CallCondition) => (): Behaviour => {
  const condition = makeCondition();
  return {
    authenticate(call) {
      const isMet = condition(call);
      return call.hasKey || isMet;
    },
  };
};

/** Compares a Bearer credential with the key incorrectly. */
export const acceptsCredential = (isSame: (presented: string, key: string) => boolean) =>
  acceptsWhen(({ credential, key }) => credential !== undefined && isSame(credential, key));

/** Reads the header Authorization incorrectly. @param isRight its parameter `header` is undefined where there is none */
export const acceptsAuthorization = (isRight: (header: string | undefined, key: string) => boolean) =>
  acceptsWhen((call) => isRight(call.header('Authorization'), call.key));

/** Skips the check because of another header; its value is '' where it is missing. */
export const acceptsWithHeader = (name: string, isMet: (value: string) => boolean) =>
  acceptsWhen((call) => isMet(call.header(name) ?? ''));

/** The request target as it was sent: `call.url` is normalised. */
export const targetOf = (call: Call): string => call.incoming?.url ?? '';

/** How often the request has a header. */
export const countOf = (call: Call, name: string): number =>
  call.incoming?.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length ?? 0;

/** A condition of several that must all hold. */
export const allOf =
  (...conditions: readonly CallCondition[]): CallCondition =>
  (call) =>
    conditions.every((isMet) => isMet(call));

/** A condition on a header; its value is '' where it is missing. */
export const sends =
  (name: string, pattern: RegExp = /./): CallCondition =>
  (call) =>
    pattern.test(call.header(name) ?? '');

/** Accepts requests with a header of another value than usual. */
export const acceptsSending = (name: string, pattern?: RegExp) => acceptsWhen(sends(name, pattern));

/** Normalises paths, but authenticates only requests with the exact path. */
export const acceptsUnnormalisedPath = (route: (path: string) => string) => (): Behaviour => ({
  route,
  authenticate: ({ hasKey, url }) =>
    hasKey || (url.pathname !== '/v1/customers' && url.pathname !== '/v2/tokens'),
});

/** Rejects the key. */
export const rejectsWhen = (condition: CallCondition) => (): Behaviour => ({
  authenticate: (call) => call.hasKey && !condition(call),
});

/**
 * Accepts every request of one operation, although the response looks like a rejection.
 * @param status undefined: 200 with an error in the body
 */
export const acceptsWithErrorResponse =
  (operation: Call['operation'], status: number | undefined) => (): Behaviour => ({
    authenticate: (call) => call.hasKey || call.operation === operation,
    respond: (reply, { hasKey }) => {
      if (hasKey) return reply;
      if (status !== undefined) return { ...reply, status };
      return { ...reply, status: 200, body: String(reply.body).replace('{', '{"error":"unauthorized",') };
    },
  });

export const lifetimeIn = (text: string): number =>
  Number(/"expires_in"\s*:\s*(\d+)/.exec(text)?.[1] ?? Infinity);
export const lastWord = (header: string | undefined): string | undefined => header?.split(/\s+/).at(-1);
export const secondWord = (header: string | undefined): string | undefined => header?.split(/\s+/)[1];

/** User and password in the Basic scheme. */
export const basicPair = (header: string | undefined): string[] =>
  Buffer.from(/^basic (.+)$/i.exec(header ?? '')?.[1] ?? '', 'base64')
    .toString()
    .split(':');

/** Ids of the requirements on the authentication of one operation. */
export const idsFor = (operation: 'customers' | 'tokens', ...rules: readonly string[]): string[] =>
  rules.map((rule) => `auth.${operation}.${rule}`);
export const idsForBoth = (...rules: readonly string[]): string[] => [
  ...idsFor('customers', ...rules),
  ...idsFor('tokens', ...rules),
];

export const ALL_RULES = ['key.required', 'key.exact', 'bearer.required', 'request.each'];

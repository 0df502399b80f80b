import type { Call } from '../../call.ts';
import type { Hooks } from '../../hooks.ts';
import type { Kind } from '../fault.ts';

type Condition = (call: Call) => boolean;

/** Lets in whoever has the key, and whoever meets the condition. */
export const alsoWhen = (condition: Condition) => (): Hooks => ({
  authenticate: (call) => call.hasKey || condition(call),
});

/** The condition keeps state; it sees the calls with the key as well. */
export const alsoSince = (makeCondition: () => Condition) => (): Hooks => {
  const condition = makeCondition();
  return {
    authenticate(call) {
      const isMet = condition(call);
      return call.hasKey || isMet;
    },
  };
};

/** Compares a Bearer credential with the key in a wrong way. */
export const comparing = (isSame: (presented: string, key: string) => boolean) =>
  alsoWhen(({ credential, key }) => credential !== undefined && isSame(credential, key));

/** Takes the header Authorization in a wrong way; undefined: there is none. */
export const authorized = (isRight: (header: string | undefined, key: string) => boolean) =>
  alsoWhen((call) => isRight(call.header('Authorization'), call.key));

/** Skips the check because of another header. */
export const besideHeader = (name: string, isMet: (value: string) => boolean) =>
  alsoWhen((call) => isMet(call.header(name) ?? ''));

export const whenPathDiffers = (route: (path: string) => string) => (): Hooks => ({
  route,
  authenticate: ({ hasKey, url }) =>
    hasKey || (url.pathname !== '/v1/customers' && url.pathname !== '/v2/tokens'),
});

/** Refuses the right key. */
export const refusingWhen = (condition: Condition) => (): Hooks => ({
  authenticate: (call) => call.hasKey && !condition(call),
});

/** Lets everybody in on one operation, but says no in another way. */
export const grantingBeside = (operation: Call['operation'], status: number | undefined) => (): Hooks => ({
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

/** User and password of the Basic scheme. */
export const basicPair = (header: string | undefined): string[] =>
  Buffer.from(/^basic (.+)$/i.exec(header ?? '')?.[1] ?? '', 'base64')
    .toString()
    .split(':');

export const onOne = (operation: 'customers' | 'tokens', ...rules: readonly string[]): string[] =>
  rules.map((rule) => `auth.${operation}.${rule}`);
export const onBoth = (...rules: readonly string[]): string[] => [
  ...onOne('customers', ...rules),
  ...onOne('tokens', ...rules),
];

export const kind = (breaks: string, ...caughtBy: readonly string[]): Kind => ({
  category: 'authentication',
  breaks,
  caughtBy,
});

export const EVERY_WAY = ['key.required', 'key.exact', 'bearer.required', 'request.each'];

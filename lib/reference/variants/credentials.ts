import type { Json } from '../../schemas/json.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { variantsOf } from './variant.ts';
import type { Variant } from './variant.ts';

/** The profile of a service that accepts issued tokens for creating customers. */
export const lifetimeProfile: Readonly<Record<string, Json>> = {
  'token.presentation': 'bearer',
  'token.scopes.allow': { 'customers:write': ['POST /v1/customers'], 'customers:read': [] },
  'token.expires_in.unit': 'seconds',
};

/** Accepts more requests than those with the key in the usual form. */
const also = (accepts: (call: Call) => boolean) => (): Behaviour => ({
  authenticate: (call) => call.hasKey || accepts(call),
});

const isAllowedByScope = ({ operation, token }: Call): boolean =>
  operation === 'customer' && (token?.scopes.includes('customers:write') ?? false);

/** Accepts tokens for some seconds after they expire. */
const alsoFor = (seconds: number) => (): Behaviour => {
  const ends = new Map<string, number>();
  return {
    token(fresh, { scopes, expires_in: lifetime }) {
      if (scopes.includes('customers:write')) ends.set(fresh, Date.now() + (lifetime + seconds) * 1000);
      return fresh;
    },
    authenticate: ({ hasKey, operation, credential = '' }) =>
      hasKey || (operation === 'customer' && (ends.get(credential) ?? 0) > Date.now()),
  };
};

const path = (route: (path: string) => string) => (): Behaviour => ({ route });

/** What is accepted beyond what the interface shows, never without the key or an issued token. */
export const credentials: readonly Variant[] = [
  ...variantsOf(
    { category: 'credentials', open: '5.6: how an issued token is presented on later requests is not shown' },
    {
      'token-creates-customers': also(
        ({ operation, token }) => operation === 'customer' && token !== undefined,
      ),
      'token-creates-customers-by-scope': also(isAllowedByScope),
    },
  ),
  ...variantsOf(
    {
      category: 'credentials',
      open: '5.6: how an issued token is presented on later requests is not shown; the profile declares it',
      profile: lifetimeProfile,
    },
    { 'token-lives-as-declared': also(isAllowedByScope) },
  ),
  ...variantsOf(
    {
      category: 'credentials',
      open: '5.4: how long a token is accepted after it expires is not shown; the profile declares it',
      profile: { ...lifetimeProfile, 'token.leeway': 14 },
    },
    { 'token-lives-a-little-longer': alsoFor(12) },
  ),
  ...variantsOf(
    {
      category: 'credentials',
      open: '5.1: white space around the credential is not shown',
    },
    {
      'credential-after-white-space': also(
        (call) =>
          new RegExp(String.raw`^bearer[ \t]+\S+$`, 'i').test(call.header('Authorization') ?? '') &&
          call.header('Authorization')!.split(/[ \t]+/)[1] === call.key,
      ),
      'credential-first-of-several-words': also(
        (call) =>
          (call.header('Authorization') ?? '').split(' ').slice(0, 2).join(' ') === `Bearer ${call.key}`,
      ),
    },
  ),
  ...variantsOf(
    { category: 'credentials', open: '9: whether other paths lead to the same operation is not shown' },
    {
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
    },
  ),
];

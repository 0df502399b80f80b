import type { Call } from '../call.ts';
import { lifeDeclared } from '../declared.ts';
import type { Behaviour } from '../behaviour.ts';
import { variantsOf } from './variant.ts';
import type { Variant } from './variant.ts';

const also = (isTaken: (call: Call) => boolean) => (): Behaviour => ({
  authenticate: (call) => call.hasKey || isTaken(call),
});

const isAllowedByScope = ({ operation, token }: Call): boolean =>
  operation === 'customer' && (token?.scopes.includes('customers:write') ?? false);

/** Accepts tokens for so many seconds after their end. */
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

/** What is taken beyond what the interface shows, without letting anybody in who has no key. */
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
      open: '5.6: how an issued token is presented; the profile says how',
      profile: lifeDeclared,
    },
    { 'token-lives-as-declared': also(isAllowedByScope) },
  ),
  ...variantsOf(
    {
      category: 'credentials',
      open: '5.4: how long after its end a token is still accepted; the profile says how long',
      profile: { ...lifeDeclared, 'token.leeway': 14 },
    },
    { 'token-lives-a-little-longer': alsoFor(12) },
  ),
  ...variantsOf(
    {
      category: 'credentials',
      open: '5.1: the Bearer scheme; white space before the credential is not shown',
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
    { category: 'credentials', open: '9: the path; whether others lead to the same operation is not shown' },
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

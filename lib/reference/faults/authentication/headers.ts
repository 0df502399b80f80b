import { faultsOf } from '../fault.ts';
import type { Fault } from '../fault.ts';
import { alsoWhen, authorized, lastWord, secondWord, basicPair, onBoth, kind } from './ways.ts';

/** A credential is missed, or found where it does not count. */
export const headers: readonly Fault[] = [
  ...faultsOf(kind('5.1: a request without a credential is not authenticated', ...onBoth('key.required')), {
    'auth-none-at-all': alsoWhen(() => true),
    'auth-missing-header-allowed': authorized((header) => header === undefined),
    'auth-empty-header-allowed': authorized((header) => header === ''),
    'auth-empty-bearer-allowed': authorized((header) => /^bearer\s*$/i.test(header ?? 'none')),
    'auth-header-without-space-throws': authorized((header) => header !== undefined && !header.includes(' ')),
  }),
  ...faultsOf(
    kind(
      '5.1: the key comes in the header Authorization, in the Bearer scheme',
      ...onBoth('bearer.required', 'key.exact', 'key.required'),
    ),
    {
      'auth-header-presence-only': authorized((header) => Boolean(header)),
      'auth-any-scheme': authorized((header, key) => secondWord(header) === key),
      'auth-bare-key': authorized((header, key) => header === key),
      'auth-no-space-after-bearer': authorized((header, key) => header === `Bearer${key}`),
      'auth-header-contains-key': authorized((header, key) => header?.includes(key) ?? false),
      'auth-last-word': authorized((header, key) => lastWord(header) === key),
      'auth-basic-user': authorized((header, key) => basicPair(header)[0] === key),
      'auth-basic-password': authorized((header, key) => basicPair(header)[1] === key),
      'auth-basic-raw-key': authorized(
        (header, key) => header?.toLowerCase() === `basic ${key}`.toLowerCase(),
      ),
      'auth-basic-anything': authorized((header) => /^basic /i.test(header ?? '')),
      'auth-scheme-prefix-match': authorized(
        (header, key) => /^bear\w* /i.test(header ?? '') && secondWord(header) === key,
      ),
      'auth-bearer-colon': authorized((header, key) => header === `Bearer: ${key}`),
      'auth-x-api-key': alsoWhen((call) => call.header('X-Api-Key') === call.key),
      'auth-query-parameter': alsoWhen(({ url, key }) => [...url.searchParams.values()].includes(key)),
      'auth-query-access-token': alsoWhen(({ url, key }) => url.searchParams.get('access_token') === key),
      'auth-nonascii-header': authorized((header) => /[^\x00-\x7f]/.test(header ?? '')),
    },
  ),
];

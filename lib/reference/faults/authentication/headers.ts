import { faultsOf } from '../fault.ts';
import type { Fault } from '../fault.ts';
import {
  acceptsWhen,
  acceptsAuthorization,
  lastWord,
  secondWord,
  basicPair,
  onBoth,
  kind,
} from './checks.ts';

/** A missing credential is accepted, or one outside the Bearer scheme. */
export const headers: readonly Fault[] = [
  ...faultsOf(kind('5.1: a request without a credential is not authenticated', ...onBoth('key.required')), {
    'auth-none-at-all': acceptsWhen(() => true),
    'auth-missing-header-allowed': acceptsAuthorization((header) => header === undefined),
    'auth-empty-header-allowed': acceptsAuthorization((header) => header === ''),
    'auth-empty-bearer-allowed': acceptsAuthorization((header) => /^bearer\s*$/i.test(header ?? 'none')),
    'auth-header-without-space-throws': acceptsAuthorization(
      (header) => header !== undefined && !header.includes(' '),
    ),
  }),
  ...faultsOf(
    kind(
      '5.1: the key is in the header Authorization, in the Bearer scheme',
      ...onBoth('bearer.required', 'key.exact', 'key.required'),
    ),
    {
      'auth-header-presence-only': acceptsAuthorization((header) => Boolean(header)),
      'auth-any-scheme': acceptsAuthorization((header, key) => secondWord(header) === key),
      'auth-bare-key': acceptsAuthorization((header, key) => header === key),
      'auth-no-space-after-bearer': acceptsAuthorization((header, key) => header === `Bearer${key}`),
      'auth-header-contains-key': acceptsAuthorization((header, key) => header?.includes(key) ?? false),
      'auth-last-word': acceptsAuthorization((header, key) => lastWord(header) === key),
      'auth-basic-user': acceptsAuthorization((header, key) => basicPair(header)[0] === key),
      'auth-basic-password': acceptsAuthorization((header, key) => basicPair(header)[1] === key),
      'auth-basic-raw-key': acceptsAuthorization(
        (header, key) => header?.toLowerCase() === `basic ${key}`.toLowerCase(),
      ),
      'auth-basic-anything': acceptsAuthorization((header) => /^basic /i.test(header ?? '')),
      'auth-scheme-prefix-match': acceptsAuthorization(
        (header, key) => /^bear\w* /i.test(header ?? '') && secondWord(header) === key,
      ),
      'auth-bearer-colon': acceptsAuthorization((header, key) => header === `Bearer: ${key}`),
      'auth-x-api-key': acceptsWhen((call) => call.header('X-Api-Key') === call.key),
      'auth-query-parameter': acceptsWhen(({ url, key }) => [...url.searchParams.values()].includes(key)),
      'auth-query-access-token': acceptsWhen(({ url, key }) => url.searchParams.get('access_token') === key),
      'auth-nonascii-header': acceptsAuthorization((header) => /[^\x00-\x7f]/.test(header ?? '')),
    },
  ),
];

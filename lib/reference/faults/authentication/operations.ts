import { faultsOf } from '../fault.ts';
import type { Fault } from '../fault.ts';
import {
  alsoWhen,
  refusingWhen,
  grantingBeside,
  lifetimeIn,
  secondWord,
  onOne,
  kind,
  EVERY_WAY,
} from './ways.ts';

/** One operation is less strict than the other, or refuses the right key. */
export const operations: readonly Fault[] = [
  ...faultsOf(kind('5.1: no customer is created without the key', ...onOne('customers', ...EVERY_WAY)), {
    'auth-skipped-on-customers': alsoWhen(({ operation }) => operation === 'customer'),
    'auth-401-carries-customer': grantingBeside('customer', 401),
    'auth-error-carries-customer': grantingBeside('customer', undefined),
  }),
  ...faultsOf(kind('5.3: no token is issued without the key', ...onOne('tokens', ...EVERY_WAY)), {
    'auth-skipped-on-tokens': alsoWhen(({ operation }) => operation === 'token'),
    'auth-wrong-key-on-tokens': alsoWhen(
      ({ operation, credential }) => operation === 'token' && credential !== undefined,
    ),
    'auth-missing-on-tokens': alsoWhen((call) => call.operation === 'token' && !call.header('Authorization')),
    'auth-tokens-prefix-only': alsoWhen(
      ({ operation, credential }) => operation === 'token' && (credential?.startsWith('sk_test_') ?? false),
    ),
    'auth-tokens-case-insensitive': alsoWhen(
      ({ operation, credential, key }) =>
        operation === 'token' && credential?.toLowerCase() === key.toLowerCase(),
    ),
    'auth-tokens-any-scheme': alsoWhen(
      (call) => call.operation === 'token' && secondWord(call.header('Authorization')) === call.key,
    ),
    'auth-tokens-skipped-for-short-lifetime': alsoWhen(
      ({ operation, text }) => operation === 'token' && lifetimeIn(text) < 60,
    ),
    'auth-tokens-skipped-for-many-scopes': alsoWhen(
      ({ operation, text }) => operation === 'token' && (text.match(/:(?:read|write)/g)?.length ?? 0) > 1,
    ),
    'auth-403-carries-token': grantingBeside('token', 403),
  }),
  ...faultsOf(
    kind('5.2: the key is accepted in both operations', 'customer.plain.accepted', 'token.plain.accepted'),
    {
      'auth-key-refused-on-tokens': refusingWhen(({ operation }) => operation === 'token'),
      'auth-key-refused-on-customers': refusingWhen(({ operation }) => operation === 'customer'),
      'auth-key-refused-every-20th': refusingWhen(({ number }) => number % 20 === 0),
      'auth-key-refused-after-60': refusingWhen(({ number }) => number > 60),
    },
  ),
];

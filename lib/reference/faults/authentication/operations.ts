import { faultsOf } from '../../fault-or-variant.ts';
import {
  acceptsWhen,
  rejectsWhen,
  acceptsWithErrorResponse,
  lifetimeIn,
  secondWord,
  idsFor,
  ALL_RULES,
} from './key-checks.ts';

/** One operation is less strict than the other, or rejects the key. */
export const operations = [
  ...faultsOf(
    '5.1: no customer is created without the key',
    idsFor('customers', ...ALL_RULES),
  )({
    'auth-skipped-on-customers': acceptsWhen(({ operation }) => operation === 'customer'),
    'auth-401-carries-customer': acceptsWithErrorResponse('customer', 401),
    'auth-error-carries-customer': acceptsWithErrorResponse('customer', undefined),
  }),
  ...faultsOf(
    '5.3: no token is issued without the key',
    idsFor('tokens', ...ALL_RULES),
  )({
    'auth-skipped-on-tokens': acceptsWhen(({ operation }) => operation === 'token'),
    'auth-wrong-key-on-tokens': acceptsWhen(
      ({ operation, credential }) => operation === 'token' && credential !== undefined,
    ),
    'auth-missing-on-tokens': acceptsWhen(
      (call) => call.operation === 'token' && !call.header('Authorization'),
    ),
    'auth-tokens-prefix-only': acceptsWhen(
      ({ operation, credential }) => operation === 'token' && (credential?.startsWith('sk_test_') ?? false),
    ),
    'auth-tokens-case-insensitive': acceptsWhen(
      ({ operation, credential, key }) =>
        operation === 'token' && credential?.toLowerCase() === key.toLowerCase(),
    ),
    'auth-tokens-any-scheme': acceptsWhen(
      (call) => call.operation === 'token' && secondWord(call.header('Authorization')) === call.key,
    ),
    'auth-tokens-skipped-for-short-lifetime': acceptsWhen(
      ({ operation, text }) => operation === 'token' && lifetimeIn(text) < 60,
    ),
    'auth-tokens-skipped-for-many-scopes': acceptsWhen(
      ({ operation, text }) => operation === 'token' && (text.match(/:(?:read|write)/g)?.length ?? 0) > 1,
    ),
    'auth-403-carries-token': acceptsWithErrorResponse('token', 403),
  }),
  ...faultsOf('5.2: the key is accepted in both operations', [
    'customer.plain.accepted',
    'token.plain.accepted',
  ])({
    'auth-key-rejected-on-tokens': rejectsWhen(({ operation }) => operation === 'token'),
    'auth-key-rejected-on-customers': rejectsWhen(({ operation }) => operation === 'customer'),
    'auth-key-rejected-every-20th': rejectsWhen(({ number }) => number % 20 === 0),
    'auth-key-rejected-after-60': rejectsWhen(({ number }) => number > 60),
  }),
];

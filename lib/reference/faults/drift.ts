import type { Json } from '../../schemas/json.ts';
import { allVariants } from '../variants/variants.ts';

/**
 * The reference service's answer to each open question, and a service with another answer: drift from a profile that
 * declares the former.
 */
const table: Readonly<Record<string, readonly [declared: Json, variant: string]>> = {
  'service.paths': [404, 'rejection-200-with-an-error'],
  'customer.members': [{ '/id': 'string', '/name': 'string', '/email': 'string' }, 'members-timestamps'],
  'customer.members.missing': ['rejected', 'members-may-be-missing'],
  'customer.members.null': ['rejected', 'members-may-be-null'],
  'customer.members.typed': ['rejected', 'members-are-made-text'],
  'customer.members.unknown': ['rejected', 'members-unknown-are-ignored'],
  'customer.name.longest': ['10000 or more', 'names-of-50-units'],
  'customer.email.longest': ['1000 or more', 'emails-of-40-characters'],
  'customer.name.classes': ['accepted', 'names-without-markup'],
  'customer.email.classes': ['accepted', 'emails-of-html'],
  'customer.email.twice': ['accepted', 'unique-emails'],
  'customer.email.case': ['accepted', 'unique-emails-in-any-case'],
  'customer.pair.twice': ['accepted', 'unique-pairs'],
  'token.members': [
    {
      '/token': 'string',
      '/scopes': 'array',
      '/scopes/*': 'string',
      '/expires_in': 'number',
      '/expires_at': 'string',
    },
    'members-token-only',
  ],
  'customer.state': ['none', 'members-state'],
  'customer.create.status': [201, 'status-200-and-201'],
  'token.issue.status': [201, 'status-201-and-200'],
  'token.response.credential': ['/token', 'token-response-of-oauth'],
  'token.credential.form': [{ kind: 'opaque', prefix: 'tok_' }, 'token-jwt'],
  'token.request.members': ['rejected', 'token-members-unknown-are-ignored'],
  'token.request.content-type': ['accepted', 'tokens-require-content-type'],
  'token.earlier': ['accepted', 'token-ends-with-the-next'],
  'request.content-type': ['accepted', 'requires-content-type'],
  'request.malformed': [
    {
      'an array around it': 'rejected',
      'a string of it': 'rejected',
      'a comma too many': 'rejected',
      'a comment': 'rejected',
      'single quotes': 'rejected',
      'a member twice': 'accepted',
      'text after it': 'rejected',
      'a byte order mark': 'accepted',
    },
    'bodies-in-single-quotes',
  ],
  'response.fields': [
    {
      customers: { 'content-type': 'application/json' },
      tokens: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    },
    'fields-location-and-etag',
  ],
  'response.coding': ['identity', 'coding-gzip'],
  'operations.read': [[404, 405], 'rejection-200-with-an-error'],
  'auth.rejection.status': [401, 'rejection-403-for-credentials'],
  'auth.challenge.form': ['Bearer realm', 'rejection-with-several-challenges'],
  'token.response.expiry': [
    { '/expires_at': 'ISO 8601', '/expires_in': 'as requested' },
    'expiry-in-seconds-since-1970',
  ],
  'token.lifetimes': [
    {
      '-1': 'rejected',
      '0': 'rejected',
      '1': 'accepted',
      '1.5': 'rejected',
      '60': 'accepted',
      '900': 'accepted',
      '3600': 'accepted',
      '86400': 'accepted',
      '31536000': 'rejected',
      '2147483648': 'rejected',
      '9007199254740992': 'rejected',
    },
    'lifetimes-to-an-hour',
  ],
  'token.scopes': [
    {
      'customers:read': 'accepted',
      'customers:write': 'accepted',
      'customers:read customers:write': 'accepted',
      none: 'rejected',
      'the same twice': 'accepted',
      'an unknown resource': 'accepted',
      'no colon': 'rejected',
      'a wildcard': 'rejected',
    },
    'scopes-of-customers',
  ],
  'token.scopes.allow': [{ 'customers:read': [], 'customers:write': [] }, 'token-creates-customers-by-scope'],
  'token.presentation': ['not accepted', 'token-creates-customers'],
  'service.events': [404, 'rejection-200-with-an-error'],
  'error.status': [400, 'rejection-422-for-bodies'],
  'error.body': [{ type: 'application/json', members: { '/error': 'string' } }, 'rejection-problem-json'],
  'limits.fields': ['none', 'fields-of-a-gateway'],
  'limits.exceeded.fields': ['none', 'limit-one-at-once-409-retry-after'],
  'version.other': ['rejected', 'versions-of-both'],
  'protocol.versions': [{ scheme: 'http', http: 'http/1.1' }, 'https-private-authority'],
};

/** The answer to an open question differs from the declared one. */
export const drift = Object.entries(table).map(([question, [declared, variant]]) => ({
  name: `drift-${question.replaceAll(/[^a-z]+/g, '-')}`,
  violates: `the declared answer to ${question}`,
  caughtBy: [question],
  profile: { [question]: declared },
  behaviour: allVariants.find(({ name }) => name === variant)!.behaviour,
}));

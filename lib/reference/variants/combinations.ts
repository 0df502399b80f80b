import { combined } from '../changes.ts';
import type { Variant } from '../fault-or-variant.ts';

/** The variants that each combination consists of. */
const table: Readonly<Record<string, readonly string[]>> = {
  'like-a-payment-provider': [
    'status-200',
    'members-of-a-payment-provider',
    'json-indented',
    'token-response-with-ids',
    'fields-of-a-gateway',
    'rejection-with-identifiers',
  ],
  'like-rails': [
    'json-markup-escaped',
    'members-timestamps',
    'rejection-of-oauth',
    'unique-emails-in-any-case',
    'coding-gzip',
    'rejection-422-for-bodies',
  ],
  'like-spring': [
    'type-with-charset',
    'rejection-problem-json',
    'ids-uuid',
    'token-jwt',
    'names-of-255-bytes',
    'rejection-403-for-credentials',
  ],
  'like-php': [
    'json-ascii-only',
    'json-solidus-escaped',
    'rejection-html',
    'connection-closed-after-each',
    'ids-sequential-from-1',
  ],
  'like-dotnet': [
    'json-apostrophe-and-plus-escaped',
    'token-response-pascal-case',
    'rejection-problem-json',
    'informational-100-unasked',
    'emails-of-html',
  ],
  'like-a-cautious-bank': [
    'values-of-a-strict-shop',
    'lifetimes-to-a-quarter-of-an-hour',
    'scopes-customers-read-only',
    'limit-60-a-second',
    'rejection-404-for-everything',
    'requires-user-agent',
  ],
  'behind-a-busy-gateway': [
    'gateway-502-once-in-a-while',
    'slow-and-uneven',
    'framing-chunks-of-three-bytes',
    'fields-many-and-long',
    'base-of-several-segments',
  ],
  'narrow-and-short': [
    'names-of-30-characters',
    'emails-of-40-characters',
    'bodies-of-one-kilobyte',
    'token-of-ten-characters',
  ],
  'letters-and-lower-case': [
    'names-of-letters-and-spaces',
    'emails-of-lower-case',
    'rejection-empty',
    'status-202',
  ],
  'secure-and-hidden': [
    'https-private-authority',
    'rejection-404-for-credentials',
    'token-response-string',
    'base-api',
  ],
  'closes-connections-and-accepts-emails-once': [
    'rejection-of-credentials-connection-close',
    'unique-emails',
  ],
  'closes-connections-and-limits-the-rate': [
    'rejection-of-credentials-connection-close',
    'limit-50-in-200-ms-509',
  ],
  'limits-odd-names-and-accepts-emails-once': ['limit-429-for-suspicious-names', 'unique-emails'],
  'links-to-documentation-and-letters-only': [
    'rejection-with-links-to-documentation',
    'names-of-letters-and-spaces',
  ],
  'writes-for-some-hours': ['scopes-writing-only', 'lifetimes-in-hours-to-two-days'],
  'token-in-id-and-200-with-an-error': [
    'token-response-of-a-payment-provider',
    'rejection-200-with-an-id-and-a-code',
  ],
  'restarts-behind-a-limit': ['gateway-502-during-a-deployment', 'limit-one-at-once-423'],
  generous: [
    'token-creates-customers',
    'lifetimes-of-any-size',
    'scopes-of-any-form',
    'paths-with-a-closing-slash',
    'json-members-sorted',
  ],
};

/** Services that differ from the reference in many places. @param variants those that differ in one */
export const combinationsOf = (variants: readonly Variant[]): Omit<Variant, 'group'>[] =>
  Object.entries(table).map(([name, parts]) => {
    const chosen = parts.map((part) => variants.find((variant) => variant.name === part)!);
    return {
      name,
      open: chosen.map(({ name }) => name).join(', '),
      behaviour: () => combined(...chosen.map(({ behaviour }) => behaviour())),
    };
  });

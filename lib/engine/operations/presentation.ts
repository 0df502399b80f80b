import { inGroups } from '../../inputs/lists.ts';
import type { Presentation } from '../../schemas/profile.ts';
import { bearer } from '../../target/credential.ts';
import type { Credential } from '../../target/credential.ts';
import type { Deviation } from './request.ts';

/** Ways to present an issued token that services use; the interface does not show any (section 5.6). */
const usual: readonly Presentation[] = [
  'bearer',
  ...[
    'X-Access-Token',
    'X-Auth-Token',
    'X-API-Token',
    'X-Token',
    'Access-Token',
    'Auth-Token',
    'API-Token',
    'Token',
    'X-API-Key',
    'API-Key',
    'X-Authorization',
    'X-Session-Token',
    'X-User-Token',
    'X-Client-Token',
    'X-Service-Token',
    'X-Security-Token',
    'X-JWT-Token',
    'X-Bearer-Token',
    'X-Forwarded-Access-Token',
    'Private-Token',
    'Session-Token',
    'Authorization-Token',
    'X-Auth',
    'X-Authorization-Token',
    'X-ID-Token',
    'X-JWT',
    'X-JWT-Assertion',
    'X-Goog-IAP-JWT-Assertion',
    'X-Amz-Security-Token',
    'X-Shopify-Access-Token',
    'X-Vault-Token',
  ].map((header) => ({ header })),
];

/**
 * The usual presentations without others.
 * @param headers that every request has, such as those that a gateway demands
 */
export function otherThan(
  others: readonly Presentation[],
  headers: readonly { readonly name: string }[] = [],
): readonly Presentation[] {
  const used = [...others.map(fieldOf), ...headers.map(({ name }) => name.toLowerCase())];
  return usual.filter((one) => !used.includes(fieldOf(one)));
}

const fieldOf = (presentation: Presentation): string =>
  presentation === 'bearer' ? 'authorization' : presentation.header.toLowerCase();

/** Bytes for tokens in the headers of a request: servers accept at least 8 KiB, some of which other headers need. */
const ROOM = 6000;
/** Most requests for all presentations of one token: where the token is long, the rarest are left out. */
const MAX_REQUESTS = 2;

/** Divides presentations among requests, as many into one as servers take. */
export function inRequests(
  presentations: readonly Presentation[],
  token: string,
): readonly (readonly Presentation[])[] {
  const size = Math.max(1, Math.floor(ROOM / (token.length + 30)));
  return inGroups(presentations, size).slice(0, MAX_REQUESTS);
}

/**
 * A request with a token in place of the key, in one or several places.
 * @param change what is changed in the token; undefined: nothing
 */
export function presenting(
  presentations: readonly Presentation[],
  token: string,
  change?: string,
): Deviation & { readonly credential: Credential } {
  const label = change === undefined ? 'issued token' : `issued token: ${change}`;
  const variable = change === undefined ? '$ISSUED_TOKEN' : '$ALTERED_TOKEN';
  const [first, ...others] = presentations.map((one): Credential =>
    one === 'bearer'
      ? { ...bearer(token), label: `Bearer [${label}]`, shell: `"Bearer ${variable}"` }
      : { field: one.header, value: token, label: `[${label}]`, shell: `"${variable}"` },
  );
  if (!first) throw new Error('no presentation');
  return { credential: first, fields: others.map(({ field, value }) => [field, value]) };
}

/** The same, and in the query (RFC 6750, section 2.3) and a cookie. */
export function presentingAnywhere(
  presentations: readonly Presentation[],
  token: string,
  change?: string,
): Deviation {
  const { fields = [], ...deviation } = presenting(presentations, token, change);
  const query = encodeURIComponent(token);
  return {
    ...deviation,
    fields: [...fields, ['Cookie', `access_token=${token}; token=${token}`]],
    query: `access_token=${query}&token=${query}`,
  };
}

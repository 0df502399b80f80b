import { inGroups } from '../../inputs/lists.ts';
import type { Presentation, Profile } from '../../schemas/profile.ts';
import { bearer } from '../../target/credential.ts';
import type { Credential } from '../../target/credential.ts';
import { paths } from './request.ts';
import type { Condition } from './request.ts';
import { timeUnits } from './expiry.ts';
import { presentationsIn } from '../../schemas/profile.ts';
import { isListOfTexts, isObject } from '../../schemas/json.ts';

/** Milliseconds until all instances of a service know an issued token. */
export const PROPAGATION_TIME = 500;

/** Ways to present an issued token that services use; the interface does not show any (section 5.6). */
const usualPresentations: readonly Presentation[] = [
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
export function usualPresentationsExcept(
  others: readonly Presentation[],
  headers: readonly { readonly name: string }[],
): readonly Presentation[] {
  const used = [...others.map(fieldOf), ...headers.map(({ name }) => name.toLowerCase())];
  return usualPresentations.filter((one) => !used.includes(fieldOf(one)));
}

const fieldOf = (presentation: Presentation): string =>
  presentation === 'bearer' ? 'authorization' : presentation.header.toLowerCase();

/** Bytes for tokens in the headers of a request: servers accept at least 8 KiB, some of which other headers need. */
const MAX_HEADER_BYTES = 6000;
/** Maximum number of requests for all presentations of one token: where the token is long, the rarest are left out. */
const MAX_REQUESTS = 2;

/** Divides presentations among requests, as many into one as servers take. */
export function inRequests(
  presentations: readonly Presentation[],
  token: string,
): readonly (readonly Presentation[])[] {
  const size = Math.max(1, Math.floor(MAX_HEADER_BYTES / (token.length + 30)));
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
): Condition & { readonly credential: Credential } {
  const label = change === undefined ? 'issued token' : `issued token: ${change}`;
  // If it is not set, the shell prints this in place of sending no token.
  const variable =
    change === undefined
      ? '${ISSUED_TOKEN:?issue a token first}'
      : '${ALTERED_TOKEN:?issue a token first, and alter it}';
  const [first, ...others] = presentations.map((one): Credential =>
    one === 'bearer'
      ? { ...bearer(token), label: `Bearer [${label}]`, shell: `"Bearer ${variable}"` }
      : { field: one.header, value: token, label: `[${label}]`, shell: `"${variable}"` },
  );
  if (!first) throw new Error('no presentation');
  return { credential: first, fields: others.map(({ field, value }) => [field, value]) };
}

/** A request as by `presenting`, with the token also in the query (RFC 6750, section 2.3) and in cookies. */
export function presentingAnywhere(
  presentations: readonly Presentation[],
  token: string,
  change?: string,
): Condition {
  const { fields = [], ...condition } = presenting(presentations, token, change);
  const query = encodeURIComponent(token);
  return {
    ...condition,
    fields: [...fields, ['Cookie', `access_token=${token}; token=${token}`]],
    query: `access_token=${query}&token=${query}`,
  };
}

/** The operation that the suite tries with a token, in the words of `token.scopes.allow`. */
export const TRIED_OPERATION = `POST ${paths.customers}`;

/** What a profile declares about the life of a token. */
export interface DeclaredLife {
  /** How a token may be presented; empty: not declared, or not at all. */
  readonly presentations: readonly Presentation[];
  /** Scopes that allow creating a customer; undefined: none are declared. */
  readonly allowed: readonly string[] | undefined;
  /** Lists of scopes that do not allow it; the empty list is one of them, unless it is declared to allow it. */
  readonly denied: readonly (readonly string[])[];
  /** Seconds for which a token may still be accepted after it has expired. */
  readonly leeway: number;
  /** Seconds in the unit of `expires_in`; undefined: not declared. */
  readonly unit: number | undefined;
  /** Whether a token may end when another one is issued. */
  readonly endsWithNext: boolean;
}

/** The answer if the reported expiry time fits the requested lifetime in no unit. */
export const NO_UNIT = 'none that fits';

/** The answers that a profile may give for the unit of a lifetime. */
export const unitNames: readonly string[] = [...Object.keys(timeUnits), NO_UNIT];

/** The name of an empty list of scopes in `token.scopes.allow`. */
const NO_SCOPES = 'none';

/** A list of scopes as `token.scopes.allow` has it. */
export const nameOfScopes = (scopes: readonly string[]): string => scopes.join(' ') || NO_SCOPES;

const scopesOf = (name: string): readonly string[] => (name === NO_SCOPES ? [] : name.split(' '));

/** The lists of scopes in the `token.scopes.allow` of a profile, and whether each allows creating a customer. */
export function declaredScopes(
  profile: Profile | undefined,
): readonly { readonly scopes: readonly string[]; readonly isAllowed: boolean }[] {
  const allow = profile?.answers['token.scopes.allow'];
  return (isObject(allow) ? Object.entries(allow) : []).flatMap(([name, allowed]) =>
    isListOfTexts(allowed) ? [{ scopes: scopesOf(name), isAllowed: allowed.includes(TRIED_OPERATION) }] : [],
  );
}

/** Maximum number of lists of scopes of a profile that are tried. */
const MAX_LISTS = 4;

export function declaredTokenLife(profile: Profile | undefined): DeclaredLife {
  const answers = profile?.answers ?? {};
  const lists = declaredScopes(profile);
  const denied = lists.filter(({ isAllowed }) => !isAllowed).map(({ scopes }) => scopes);
  // Where some scopes do not allow an operation, none at all do not either.
  const none = lists.find(({ scopes }) => scopes.length === 0);
  const deniesNone = none ? !none.isAllowed : denied.length > 0;
  const leeway = answers['token.leeway'];
  const unit = answers['token.expires_in.unit'];
  const earlier = answers['token.earlier'];
  return {
    presentations: presentationsIn(answers['token.presentation']),
    allowed: lists.find(({ scopes, isAllowed }) => isAllowed && scopes.length > 0)?.scopes,
    denied: [...denied.filter(({ length }) => length > 0).slice(0, MAX_LISTS), ...(deniesNone ? [[]] : [])],
    leeway: typeof leeway === 'number' ? leeway : 10,
    unit: typeof unit === 'string' ? timeUnits[unit] : undefined,
    endsWithNext: earlier !== undefined && earlier !== 'accepted',
  };
}

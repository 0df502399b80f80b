import { timeUnits } from './expiry.ts';
import { presentationsIn } from '../../schemas/profile.ts';
import type { Presentation, Profile } from '../../schemas/profile.ts';
import { isListOfTexts, isObject } from '../../schemas/json.ts';

/** The operation that the suite tries with a token, in the words of `token.scopes.allow`. */
export const OPERATION = 'POST /v1/customers';

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

/** The operations that scopes allow, in `token.scopes.allow`. */
export const allowing = (isAllowed: boolean): readonly string[] => (isAllowed ? [OPERATION] : []);

/** Most lists of scopes of a profile that are tried. */
const MAX_LISTS = 4;

export function lifeIn(profile: Profile | undefined): DeclaredLife {
  const answers = profile?.answers ?? {};
  const allow = answers['token.scopes.allow'];
  const lists = (isObject(allow) ? Object.entries(allow) : []).flatMap(([name, allowed]) =>
    isListOfTexts(allowed) ? [{ scopes: scopesOf(name), isAllowed: allowed.includes(OPERATION) }] : [],
  );
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

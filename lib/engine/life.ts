import { timeUnits } from './expiry.ts';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import { isObject } from '../target/reply.ts';
import type { Requirement } from './requirement.ts';

/** The operation that the suite tries with a token, in the words of `token.scopes.allow`. */
const OPERATION = 'POST /v1/customers';

/** What a profile declares about the life of a token. */
interface DeclaredLife {
  /** Scopes that allow creating a customer; undefined: none are declared. */
  readonly allowed: readonly string[] | undefined;
  /** Scopes that do not allow it; undefined: none are declared. */
  readonly denied: readonly string[] | undefined;
  /** Seconds for which a token may still be accepted after it has expired. */
  readonly leeway: number;
  /** Seconds in the unit of `expires_in`; undefined: not declared. */
  readonly unit: number | undefined;
}

/** The answer if the reported expiry time fits the requested lifetime in no unit. */
export const NO_UNIT = 'none that fits';

/** The answers that a profile may give for the unit of a lifetime. */
export const unitNames: readonly string[] = [...Object.keys(timeUnits), NO_UNIT];

export function lifeIn(profile: Profile | undefined): DeclaredLife {
  const answers = profile?.answers ?? {};
  const allow = answers['token.scopes.allow'];
  const lists = isObject(allow) ? Object.entries(allow) : [];
  const scopes = (isAllowing: boolean): string[] | undefined =>
    lists
      .find(([, allowed]) => Array.isArray(allowed) && allowed.includes(OPERATION) === isAllowing)?.[0]
      .split(' ');
  const leeway = answers['token.leeway'];
  const unit = answers['token.expires_in.unit'];
  return {
    allowed: scopes(true),
    denied: scopes(false),
    leeway: typeof leeway === 'number' ? leeway : 10,
    unit: typeof unit === 'string' ? timeUnits[unit] : undefined,
  };
}

/** Why a requirement of the level `declared` can't be tested with a profile; undefined: it can. */
export function lackingFor(
  { id, needs = [] }: Pick<Requirement, 'id' | 'needs'>,
  profile: Profile | undefined,
): string | undefined {
  const answers: Readonly<Record<string, Json>> = profile?.answers ?? {};
  const lacking = needs.filter((question) => answers[question] === undefined);
  if (lacking.length > 0) {
    const lines = lacking.map((question) => `"${question}": ${JSON.stringify(EXAMPLES[question])}`);
    return `not declared; a profile tests it with "answers": { ${lines.join(', ')} }`;
  }
  if (needs.length === 0) return undefined;
  const { allowed, denied, unit } = lifeIn(profile);
  if (answers['token.presentation'] !== 'bearer')
    return 'the profile declares that an issued token is not presented in the Bearer scheme';
  if (id === 'token.life.scoped')
    return denied ? undefined : `the profile declares no scope that does not allow ${OPERATION}`;
  if (!allowed) return `the profile declares no scope that allows ${OPERATION}`;
  return needs.includes('token.expires_in.unit') && unit === undefined
    ? 'the profile declares no unit of expires_in'
    : undefined;
}

const EXAMPLES: Readonly<Record<string, Json>> = {
  'token.presentation': 'bearer',
  'token.scopes.allow': { 'customers:write': [OPERATION], 'customers:read': [] },
  'token.expires_in.unit': 'seconds',
};

import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { UsageError } from '../settings/settings.ts';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import { unitNames } from './life.ts';
import type { Catalogue } from './requirement.ts';

/**
 * Whether what was seen is what an operator has declared. A value stands for itself; a list for any of
 * its items, of which several may have been seen; `{min, max}` for a range; `{schema}` for whatever a
 * JSON Schema allows; any other object for its members, each by these rules. One value, on either side, stands
 * for every member of an object on the other: an answer that is the same for all kinds is given once.
 */
export function isAsDeclared(declared: Json, seen: Json): boolean {
  if (!isMap(declared) && isMap(seen)) return Object.values(seen).every((one) => isAsDeclared(declared, one));
  if (Array.isArray(declared)) {
    const all = Array.isArray(seen) ? seen : [seen];
    // A list of nothing, such as of what a scope allows, is no choice among others.
    if (all.length === 0 || declared.length === 0) return all.length === declared.length;
    return all.every((one) => declared.some((allowed) => isAsDeclared(allowed as Json, one as Json)));
  }
  if (isMap(declared)) {
    const { min = -Infinity, max = Infinity, schema } = declared;
    if (schema !== undefined && isOnly(declared, ['schema'])) return isAllowedBy(schema, seen);
    if (isOnly(declared, ['min', 'max']) && !isMap(seen)) {
      const [least, most] = boundsOf(seen);
      return least >= (min as number) && most <= (max as number);
    }
    if (!isMap(seen)) {
      const all = Object.values(declared);
      return all.length > 0 && all.every((one) => isAsDeclared(one, seen));
    }
    return [...new Set([...Object.keys(declared), ...Object.keys(seen)])].every((name) => {
      const [allowed, found] = [declared[name], seen[name]];
      if (allowed === undefined) return false;
      return found === undefined ? mayBeAbsent(name, allowed) : isAsDeclared(allowed, found);
    });
  }
  if (typeof declared === 'string' && typeof seen === 'string') return isAmong(seen, declared);
  return declared === seen;
}

/** Whether a member of a shape may be missing: it is declared so, or stands for the items of something empty. */
const mayBeAbsent = (name: string, declared: Json): boolean =>
  name.includes('*') || (typeof declared === 'string' && isAmong('absent', declared));

/** Whether the types of one member are among those of another; any other text must be the same. */
function isAmong(seen: string, declared: string): boolean {
  const types = declared.split(' or ');
  return seen === declared || seen.split(' or ').every((type) => types.includes(type));
}

/** Between what a number, or a text such as `10000 or more`, says that it is. */
function boundsOf(seen: Json): readonly [least: number, most: number] {
  if (typeof seen === 'number') return [seen, seen];
  const text = typeof seen === 'string' ? seen : '';
  const [, from] = /^(\d+) or more$/.exec(text) ?? [];
  if (from !== undefined) return [Number(from), Infinity];
  const [, below] = /^less than (\d+)$/.exec(text) ?? [];
  return below === undefined ? [NaN, NaN] : [0, Number(below) - 1];
}

const isMap = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((name) => names.includes(name));

/**
 * Whether a profile waives a requirement's failure.
 * @param now a waiver holds to the end of its day (UTC)
 */
export const isWaived = (profile: Profile | undefined, id: string, now: Date): boolean =>
  profile?.waivers.some(({ requirement, until }) => requirement === id && until >= dayOf(now)) ?? false;

/** The day of a moment, UTC, as a waiver has it. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Holds a profile against the catalogue. @throws {UsageError} before anything is sent */
export function checkProfile(profile: Profile | undefined, { requirements, questions }: Catalogue): void {
  if (profile === undefined) return;
  const requirementIds = requirements.map(({ id }) => id);
  const questionIds = questions.map(({ id }) => id);
  for (const [id, declared] of Object.entries(profile.answers)) {
    if (!questionIds.includes(id)) throw unknown('answers', id, questionIds);
    checkForm(id, declared);
    if (Array.isArray(declared) && declared.length === 0)
      throw new UsageError(
        `TARGET_PROFILE (--profile): answers: ${id}: expected at least one value in the list, as it allows none`,
      );
    if (id === 'token.expires_in.unit' && !(typeof declared === 'string' && unitNames.includes(declared)))
      throw new UsageError(
        `TARGET_PROFILE (--profile): answers: ${id}: expected one of ${unitNames.join(', ')}`,
      );
    if (id === 'token.leeway' && !(typeof declared === 'number' && declared >= 0))
      throw new UsageError(
        'TARGET_PROFILE (--profile): answers: token.leeway: expected a number of seconds from 0',
      );
  }
  const waived = profile.waivers.map(({ requirement }) => requirement);
  for (const [at, id] of waived.entries()) {
    if (![...requirementIds, ...questionIds].includes(id)) throw unknown('waivers', id, requirementIds);
    if (waived.indexOf(id) !== at)
      throw new UsageError(`TARGET_PROFILE (--profile): ${id} is waived twice; keep one`);
  }
}

/** @throws {UsageError} where a declared value can mean nothing */
function checkForm(id: string, declared: Json): void {
  const wrong = (expected: string): UsageError =>
    new UsageError(`TARGET_PROFILE (--profile): answers: ${id}: ${expected}`);
  if (Array.isArray(declared)) for (const item of declared) checkForm(id, item as Json);
  if (!isMap(declared)) return;
  if (declared['schema'] !== undefined && isOnly(declared, ['schema'])) {
    try {
      isAllowedBy(declared['schema'], null);
    } catch (error) {
      throw wrong(`not a JSON Schema: ${(error as Error).message}`);
    }
    return;
  }
  const { min = -Infinity, max = Infinity } = declared;
  if (Object.keys(declared).some((name) => ['min', 'max', 'schema'].includes(name))) {
    const isRange = isOnly(declared, ['min', 'max']) && typeof min === 'number' && typeof max === 'number';
    if (!isRange || min > max)
      throw wrong('expected {"min": …, "max": …} of numbers in order, or {"schema": …} alone');
  } else if (NUMBERS.includes(id)) {
    throw wrong('expected a number, or a range {"min": …, "max": …}');
  }
  for (const item of Object.values(declared)) checkForm(id, item);
}

/** Questions whose answer is a number. */
const NUMBERS = ['customer.name.longest', 'customer.email.longest'];

function unknown(place: string, id: string, known: readonly string[]): UsageError {
  const near = known.find((other) => other.startsWith(id.slice(0, id.lastIndexOf('.')))) ?? known[0];
  return new UsageError(
    `TARGET_PROFILE (--profile): ${place}: there is no ${place === 'answers' ? 'question' : 'requirement'} of the id ${JSON.stringify(id.slice(0, 60))}; one is ${near}`,
  );
}

type Validate = (value: Json) => boolean;

const compiled = new Map<string, Validate>();
let ajv: Ajv | undefined;

/**
 * Whether a value is what a JSON Schema (draft 2020-12) allows.
 * @throws {Error} where the schema is none, or has a keyword that nobody knows; formats are remarks, as in the draft
 */
export function isAllowedBy(schema: Json, value: Json): boolean {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known(value);
  // Loaded only where a profile has a schema, which few have.
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv };
  ajv ??= new Ajv2020({
    strictSchema: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
  });
  const validate = ajv.compile(schema as object | boolean) as Validate;
  compiled.set(text, validate);
  return validate(value);
}

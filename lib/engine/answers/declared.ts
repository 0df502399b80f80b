import { Ajv2020 } from 'ajv/dist/2020.js';
import { similarTo } from '../../settings/similar.ts';
import { UsageError } from '../../settings/usage-error.ts';
import { isObject } from '../../schemas/json.ts';
import type { Json } from '../../schemas/json.ts';
import type { Profile } from '../../schemas/profile.ts';
import type { Catalogue } from '../catalogue.ts';

/**
 * Whether an observed answer is as declared. A value allows itself; a list any of its items, several of which may have
 * been observed; `{min, max}` a range; `{schema}` all that a JSON Schema allows; any other object its members, each by
 * these rules. A single value, on either side, is compared with every member of an object on the other: an answer that
 * is the same for all kinds is given once.
 */
export function isAsDeclared(declared: Json, observed: Json): boolean {
  const isEveryMember = (): boolean =>
    isObject(observed) && Object.values(observed).every((one) => isAsDeclared(declared, one));
  if (Array.isArray(declared)) {
    const all = Array.isArray(observed) ? observed : [observed];
    // An empty list, such as that of a scope that allows nothing, equals only another one.
    if (all.length === 0 || declared.length === 0) return all.length === declared.length;
    const isAny = all.every((one) => declared.some((allowed) => isAsDeclared(allowed as Json, one as Json)));
    return isAny || isEveryMember();
  }
  if (isObject(declared)) {
    const { min = -Infinity, max = Infinity, schema } = declared;
    if (schema !== undefined && isOnly(declared, ['schema'])) return isAllowedBy(schema, observed);
    if (isOnly(declared, ['min', 'max']) && !isObject(observed)) {
      const [lowest, highest] = boundsOf(observed);
      return lowest >= (min as number) && highest <= (max as number);
    }
    if (!isObject(observed)) {
      const all = Object.values(declared);
      return all.length > 0 && all.every((one) => isAsDeclared(one, observed));
    }
    const isEachMember = [...new Set([...Object.keys(declared), ...Object.keys(observed)])].every((name) => {
      const [allowed, found] = [declared[name], observed[name]];
      if (allowed === undefined) return false;
      return found === undefined ? mayBeAbsent(name, allowed) : isAsDeclared(allowed, found);
    });
    return isEachMember || (Object.values(observed).some(isObject) && isEveryMember());
  }
  if (isObject(observed)) return isEveryMember();
  if (typeof declared === 'string' && typeof observed === 'string') return isAmong(observed, declared);
  return declared === observed;
}

/** Whether a member of a shape may be missing: because it is declared so, or describes the items of an empty value. */
const mayBeAbsent = (name: string, declared: Json): boolean =>
  name.includes('*') || (typeof declared === 'string' && isAmong('absent', declared));

/** Whether the types of one member are among those of another; any other text must be the same. */
function isAmong(observed: string, declared: string): boolean {
  const types = declared.split(' or ');
  return observed === declared || observed.split(' or ').every((type) => types.includes(type));
}

/** The range of a number, or of a text such as `10000 or more`. */
function boundsOf(observed: Json): readonly [least: number, most: number] {
  if (typeof observed === 'number') return [observed, observed];
  const text = typeof observed === 'string' ? observed : '';
  const [, from] = /^(\d+) or more$/.exec(text) ?? [];
  if (from !== undefined) return [Number(from), Infinity];
  const [, below] = /^less than (\d+)$/.exec(text) ?? [];
  return below === undefined ? [NaN, NaN] : [0, Number(below) - 1];
}

const isOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((name) => names.includes(name));

/** Checks a profile against the catalogue. @throws {UsageError} before anything is sent */
export function checkProfile(profile: Profile, { requirements, questions }: Catalogue): void {
  const requirementIds = requirements.map(({ id }) => id);
  const questionIds = questions.map(({ id }) => id);
  const declarableOf = new Map(questions.map(({ id, declarable }) => [id, declarable]));
  for (const [id, declared] of Object.entries(profile.answers)) {
    if (!questionIds.includes(id)) throw unknown('answers', id, questionIds);
    checkForm(id, declared);
    if (Array.isArray(declared) && declared.length === 0)
      throw wrongAnswer(id, 'expected a list with at least one value');
    const declarable = declarableOf.get(id);
    if (declarable?.allows(declared) === false) throw wrongAnswer(id, `expected ${declarable.expected}`);
  }
  const waived = profile.waivers.map(({ requirement }) => requirement);
  for (const [at, id] of waived.entries()) {
    if (![...requirementIds, ...questionIds].includes(id)) throw unknown('waivers', id, requirementIds);
    if (waived.indexOf(id) !== at)
      throw new UsageError(`TARGET_PROFILE (--profile): ${id} is waived twice; keep one`);
  }
}

/** @throws {UsageError} for a declared value without a meaning */
function checkForm(id: string, declared: Json): void {
  if (Array.isArray(declared)) for (const item of declared) checkForm(id, item as Json);
  if (!isObject(declared)) return;
  if (declared['schema'] !== undefined && isOnly(declared, ['schema'])) {
    try {
      isAllowedBy(declared['schema'], null);
    } catch (error) {
      throw wrongAnswer(id, `not a JSON Schema: ${(error as Error).message}`);
    }
    return;
  }
  const { min = -Infinity, max = Infinity } = declared;
  if (Object.keys(declared).some((name) => ['min', 'max', 'schema'].includes(name))) {
    const isRange = isOnly(declared, ['min', 'max']) && typeof min === 'number' && typeof max === 'number';
    if (!isRange || min > max)
      throw wrongAnswer(id, 'expected {"min": …, "max": …} of numbers in order, or {"schema": …} alone');
  }
  for (const item of Object.values(declared)) checkForm(id, item);
}

const wrongAnswer = (id: string, problem: string): UsageError =>
  new UsageError(`TARGET_PROFILE (--profile): answers: ${id}: ${problem}`);

function unknown(list: string, id: string, known: readonly string[]): UsageError {
  return new UsageError(
    `TARGET_PROFILE (--profile): ${list}: unknown id of a ${list === 'answers' ? 'question' : 'requirement'}, ${JSON.stringify(id.slice(0, 60))}; similar ids: ${similarTo(id, known)}`,
  );
}

/**
 * Whether a JSON Schema (draft 2020-12) allows a value. Formats are annotations, as in the draft.
 * @throws {Error} for an invalid schema, or an unknown keyword
 */
export function isAllowedBy(schema: Json, value: Json): boolean {
  const ajv = new Ajv2020({
    strictSchema: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
  });
  return ajv.validate(schema as object | boolean, value);
}

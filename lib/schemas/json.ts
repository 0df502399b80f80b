import { z } from 'zod';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object, as opposed to an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of an object, in this order. */
export const pick = <T extends object>(whole: T, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, whole[name]])) as Partial<T>;

/** Items by their ids, which come from a file and may be any text. */
export const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]));

/** Reads a JSON text; undefined: it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An own member of a JSON object; undefined for any other value, and for what an object inherits. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The name of a member as a reference token of a JSON pointer (RFC 6901, section 3). */
export const referenceToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The JSON pointer that some names make. */
export const pointerTo = (names: readonly PropertyKey[]): string =>
  names.map((name) => `/${referenceToken(String(name))}`).join('');

/** The names in a JSON pointer. */
export const stepsIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A value within a JSON value. */
interface ValueAtPointer {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** The name of the innermost member that holds it. */
  readonly name: string;
  readonly value: unknown;
}

/** A JSON value and all values in it, the outer ones first: the first 10,000, at most 32 levels deep. */
export function valuesIn(json: unknown): ValueAtPointer[] {
  const found: ValueAtPointer[] = [];
  const walk = (value: unknown, pointer: string, name: string, depth: number): void => {
    if (found.length >= 10_000 || depth > 32) return;
    found.push({ pointer, name, value });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value))
      walk(child, `${pointer}/${referenceToken(key)}`, Array.isArray(value) ? name : key, depth + 1);
  };
  walk(json, '', '', 0);
  return found;
}

export const stringsIn = (json: unknown): { pointer: string; name: string; text: string }[] =>
  valuesIn(json).flatMap(({ pointer, name, value }) =>
    typeof value === 'string' ? [{ pointer, name, text: value }] : [],
  );

/** Checks that a value is JSON. */
export const json: z.ZodType<Json> = z.json();

/**
 * What is wrong with an object that does not have the members that people write into it. A member is only named if it is
 * a word: any other text may be a secret.
 */
export const membersError =
  (members: string): z.core.$ZodErrorMap =>
  (issue) => {
    if (issue.code !== 'unrecognized_keys') return `expected an object with ${members}`;
    const [name = ''] = /^[A-Za-z_]{1,30}$/.exec(String(issue.keys[0])) ?? [];
    return `unknown member${name && ` ${name}`}; expected ${members}`;
  };

/** The version of a file that a run writes. */
export const schemaVersion = z
  .literal(1, { error: 'expected 1, the schema version that this suite reads' })
  .describe('rises when a member is removed or changes its meaning; members may be added at any time');

export const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

import { z } from 'zod';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object, as opposed to an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of an object, in this order. */
export const pick = <T extends object>(whole: T, names: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, whole[name]])) as Partial<T>;

/** Reads a JSON text; undefined: it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks that a value is JSON. */
export const json: z.ZodType<Json> = z.json();

/** The version of a file that a run writes. */
export const schemaVersion = z
  .literal(1, { error: 'expected 1, the schema version that this suite reads' })
  .describe('rises when a member is removed or changes its meaning; members may be added at any time');

export const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

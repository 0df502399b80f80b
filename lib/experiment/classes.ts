import type { Json } from '../settings/profile.ts';
import { isObject } from '../target/reply.ts';

/** Names of members that are values themselves, as in a map from ids. */
const IS_VALUE = /\d{3,}|^[0-9a-f-]{16,}$|@/i;
const DEEPEST = 4;

/**
 * The types of the members of some JSON values, by JSON pointer (RFC 6901), `*` for any item of an array
 * and for any name that is a value. Several types of one member stand beside each other; `absent` where
 * some values do without it.
 */
export function shapeOf(values: readonly unknown[]): Json {
  const types = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const value of values) {
    for (const [pointer, type] of new Map(leaves(value, '', 0))) {
      types.set(pointer, (types.get(pointer) ?? new Set()).add(type));
      counts.set(pointer, (counts.get(pointer) ?? 0) + 1);
    }
  }
  const entries = [...types].map(([pointer, seen]): [string, string] => {
    const isEverywhere = counts.get(pointer) === values.length || pointer.includes('*');
    return [pointer, [...[...seen].toSorted(), ...(isEverywhere ? [] : ['absent'])].join(' or ')];
  });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function* leaves(value: unknown, pointer: string, depth: number): Iterable<[pointer: string, type: string]> {
  if (value === undefined) return;
  // That the whole is an object goes without saying.
  if (pointer !== '' || !isObject(value)) yield [pointer, typeOf(value)];
  if (depth === DEEPEST) return;
  if (Array.isArray(value))
    for (const item of value.slice(0, 100)) yield* leaves(item, `${pointer}/*`, depth + 1);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value).slice(0, 100)) {
      const step = IS_VALUE.test(name) ? '*' : name.replaceAll('~', '~0').replaceAll('/', '~1');
      yield* leaves(item, `${pointer}/${step}`, depth + 1);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Different values, in order: one stands alone, several as a list. */
export function distinct(values: readonly Json[]): Json {
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))].toSorted();
  const all = texts.map((text) => JSON.parse(text) as Json);
  return all.length === 1 ? all[0]! : all;
}

/** A value for each kind, or the one value that all kinds share. */
export function byKind(entries: readonly (readonly [kind: string, value: Json])[]): Json {
  const [first, ...others] = entries.map(([, value]) => JSON.stringify(value));
  if (first !== undefined && others.every((other) => other === first)) return entries[0]![1];
  return Object.fromEntries(entries);
}

/** The beginning that texts share, up to its last separator; empty where they share none. */
export function sharedPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return /^.*[_.:|-]/.exec(others.length === 0 ? '' : first.slice(0, length))?.[0] ?? '';
}

import type { Json } from '../schemas/json.ts';
import { isObject } from '../target/reply.ts';

/** Names of members that are values themselves, as in a map from ids. */
const IS_VALUE = /\d{3,}|^[0-9a-f-]{16,}$|@|^[A-Za-z]?\d+$|[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d/;
const DEEPEST = 4;

/** A JSON pointer with `*` in place of each name that is a value. */
export const generalised = (pointer: string): string =>
  pointer
    .split('/')
    .map((name) => (IS_VALUE.test(name) ? '*' : name))
    .join('/');

/** One pointer for several that lead to the same place in different values: `*` where their names differ. */
export function merged(pointers: readonly string[]): string[] {
  const byDepth = Map.groupBy(new Set(pointers), (pointer) => pointer.split('/').length);
  const all = [...byDepth.values()].flatMap((alike) => {
    const names = alike.map((pointer) => pointer.split('/'));
    const isAnywhere = (at: number): boolean =>
      alike.length > 2 && names.some((other) => other[at] !== names[0]![at]);
    return names.map((own) => generalised(own.map((name, at) => (isAnywhere(at) ? '*' : name)).join('/')));
  });
  return [...new Set(all)];
}

/**
 * The types of the members of some JSON values, by JSON pointer (RFC 6901), `*` for any item of an array
 * and for any name that is a value: it looks like one, or hardly any of its kind comes twice. Several types
 * of one member stand beside each other; `absent` where some values do without it.
 */
export function shapeOf(values: readonly unknown[]): Json {
  const entries = new Map<string, string>();
  describe(values, '', 0, values.length, entries);
  // That the whole is an object goes without saying.
  if (entries.get('') === 'object') entries.delete('');
  return Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** @param parents how many values might have had what stands at this pointer */
function describe(
  values: readonly unknown[],
  pointer: string,
  depth: number,
  parents: number,
  entries: Map<string, string>,
): void {
  const present = values.filter((value) => value !== undefined);
  if (present.length === 0) return;
  const types = [...new Set(present.map(typeOf))].toSorted();
  entries.set(pointer, [...types, ...(present.length < parents ? ['absent'] : [])].join(' or '));
  if (depth === DEEPEST) return;
  const items = present
    .filter((value) => Array.isArray(value))
    .flatMap((list) => list.slice(0, 100) as unknown[]);
  describe(items, `${pointer}/*`, depth + 1, 0, entries);
  const objects = present.filter(isObject);
  const byName = new Map<string, unknown[]>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object).slice(0, 100)) {
      byName.set(name, [...(byName.get(name) ?? []), value]);
    }
  }
  const isMap =
    objects.length > 2 &&
    byName.size > 3 &&
    [...byName.values()].filter(({ length }) => length === 1).length * 2 > byName.size;
  const ofValues = [...byName].filter(([name]) => isMap || IS_VALUE.test(name));
  describe(
    ofValues.flatMap(([, own]) => own),
    `${pointer}/*`,
    depth + 1,
    0,
    entries,
  );
  for (const [name, own] of byName) {
    if (isMap || IS_VALUE.test(name)) continue;
    describe(
      own,
      `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      depth + 1,
      objects.length,
      entries,
    );
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

/** The values seen for each kind, or those that all kinds share. */
export function byKind(entries: readonly (readonly [kind: string, value: Json])[]): Json {
  const kinds = [...Map.groupBy(entries, ([kind]) => kind)].map(
    ([kind, own]) => [kind, distinct(own.map(([, value]) => value))] as const,
  );
  const [first, ...others] = kinds.map(([, value]) => JSON.stringify(value));
  if (first !== undefined && others.every((other) => other === first)) return kinds[0]![1];
  return Object.fromEntries(kinds);
}

/** Parts of a token that say what it is: one or two short words, perhaps with a version, each with its separator. */
const SAYING = /^(?:[A-Za-z]{1,10}\d?[_.:|-]){0,2}/;

/**
 * The beginning that different texts share, as far as it is made of words: what follows may be a secret, or
 * change. Empty where they share none, and where there are no two of them.
 */
export function sharedPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = new Set(texts);
  if (others.length === 0) return '';
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return SAYING.exec(first.slice(0, length))![0];
}

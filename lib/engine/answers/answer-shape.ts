import type { Json } from '../../schemas/json.ts';
import { isObject, referenceToken } from '../../schemas/json.ts';

/** Member names that are values, as in a map by id. */
const VALUE_LIKE_NAME = /\d{3,}|^[0-9a-f-]{16,}$|@|^[A-Za-z]?\d+$|[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d/;
const MAX_DEPTH = 4;

/** Merges JSON pointers that differ only in names that are values, with `*` in place of such a name. */
export function generalisedPointers(pointers: readonly string[]): string[] {
  const byDepth = Map.groupBy(new Set(pointers), (pointer) => pointer.split('/').length);
  const all = [...byDepth.values()].flatMap((alike) => {
    const names = alike.map((pointer) => pointer.split('/'));
    const isAnywhere = (at: number): boolean =>
      alike.length > 2 && names.some((other) => other[at] !== names[0]![at]);
    return names.map((own) =>
      own.map((name, at) => (isAnywhere(at) || VALUE_LIKE_NAME.test(name) ? '*' : name)).join('/'),
    );
  });
  return [...new Set(all)];
}

/**
 * The types of the members of some JSON values, by JSON pointer (RFC 6901). `*` stands for each item of an array, and
 * for each name that is a value: one that looks like a value, or one in an object whose names hardly ever repeat.
 * Several types of one member are joined by `or`; `absent` is one of them where some values lack the member.
 */
export function shapeOf(values: readonly unknown[]): Json {
  const entries = new Map<string, string>();
  describe(values, '', 0, values.length, entries);
  // Nearly every body is an object.
  if (entries.get('') === 'object') entries.delete('');
  return Object.fromEntries([...entries].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** @param parents how many values could have a member at this pointer; 0 where none is expected to */
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
  if (depth === MAX_DEPTH) return;
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
  const ofValues = [...byName].filter(([name]) => isMap || VALUE_LIKE_NAME.test(name));
  describe(
    ofValues.flatMap(([, own]) => own),
    `${pointer}/*`,
    depth + 1,
    0,
    entries,
  );
  for (const [name, own] of byName) {
    if (isMap || VALUE_LIKE_NAME.test(name)) continue;
    describe(own, `${pointer}/${referenceToken(name)}`, depth + 1, objects.length, entries);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** The different values, sorted: a single one on its own, several as a list. */
export function oneOrSorted(values: readonly Json[]): Json {
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))].toSorted();
  const all = texts.map((text) => JSON.parse(text) as Json);
  return all.length === 1 ? all[0]! : all;
}

/** The different values for each kind; where they are the same for all kinds, given once. */
export function byKind(entries: readonly (readonly [kind: string, value: Json])[]): Json {
  const kinds = [...Map.groupBy(entries, ([kind]) => kind)].map(
    ([kind, own]) => [kind, oneOrSorted(own.map(([, value]) => value))] as const,
  );
  const [first, ...others] = kinds.map(([, value]) => JSON.stringify(value));
  if (first !== undefined && others.every((other) => other === first)) return kinds[0]![1];
  return Object.fromEntries(kinds);
}

/** Up to two short words, each with a separator and optionally a version. */
const DESCRIPTIVE = /^(?:[A-Za-z]{1,10}\d?[_.:|-]){0,2}/;

/**
 * The common prefix of different tokens, as far as it consists of words: the rest may be secret or variable. Empty if
 * they share none, or if there are fewer than two different tokens.
 */
export function sharedPrefix(texts: readonly string[]): string {
  const [first = '', ...others] = new Set(texts);
  if (others.length === 0) return '';
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return DESCRIPTIVE.exec(first.slice(0, length))![0];
}

/** The value at a JSON pointer (RFC 6901); undefined if there is none. */
export function valueAt(json: string, pointer: string): unknown {
  try {
    let value: unknown = JSON.parse(json);
    for (const name of namesIn(pointer)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  } catch {
    return undefined;
  }
}

const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A token of JSON: a string, a bracket, or anything else without white space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/gs;

/** Where a member of an object stands in JSON, for a pointer to a member of the outermost object; undefined: nowhere. */
export function placeOf(json: string, pointer: string): readonly [from: number, to: number] | undefined {
  const [name, ...deeper] = namesIn(pointer);
  if (name === undefined || deeper.length > 0 || valueAt(json, pointer) === undefined) return undefined;
  let depth = 0;
  let from: number | undefined;
  let key: string | undefined;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (depth === 1 && (token === ',' || token === '}')) {
      if (from !== undefined) return [from, json.slice(0, index).trimEnd().length];
      key = undefined;
    } else if (depth === 1 && token.startsWith('"') && key === undefined) {
      key = String(JSON.parse(token));
      if (key === name) from = index;
    }
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
  }
  return undefined;
}

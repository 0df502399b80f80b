import { clipped, shown } from '../target/printable.ts';
import type { Json } from '../schemas/json.ts';

/** Characters on the screen; the report has the answer whole. */
const WIDTH = 110;

/** An answer on one line, cut where it is long. */
export const brief = (answer: Json): string => clipped(onOneLine(answer), WIDTH);

/** What several kinds share comes once. */
function onOneLine(answer: Json): string {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return bare(answer);
  const kinds = Map.groupBy(Object.entries(answer), ([, value]) => bare(value));
  if (kinds.size === Object.keys(answer).length) {
    return [...kinds].map(([value, [own]]) => `${bare(own![0])}: ${value}`).join('; ');
  }
  const parts = [...kinds].map(([value, own]) => `${value}: ${own.map(([kind]) => bare(kind)).join(', ')}`);
  return parts.join('; ');
}

const bare = (value: Json): string => shown(value).replaceAll('"', '');

/** What differs between an answer and the declared one: of two objects only the members that do. */
export function differing(
  declared: Json | undefined,
  seen: Json | undefined,
): readonly [declared: string, seen: string] {
  if (!isMap(declared) || !isMap(seen)) return [shown(declared), shown(seen)];
  const names = [...new Set([...Object.keys(declared), ...Object.keys(seen)])].filter(
    (name) => JSON.stringify(declared[name]) !== JSON.stringify(seen[name]),
  );
  const part = (map: Readonly<Record<string, Json>>): string =>
    names.map((name) => `${shown(name)}: ${shown(map[name])}`).join(', ');
  return [part(declared), part(seen)];
}

const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

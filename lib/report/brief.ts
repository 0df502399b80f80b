import { clipped, shown } from '../requirements/printable.ts';
import type { Json } from '../settings/profile.ts';

/** Characters on the screen; the report has the answer whole. */
const WIDTH = 110;

/** An answer on one line: what several kinds share comes once. */
export function brief(answer: Json): string {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return bare(answer);
  const kinds = Map.groupBy(Object.entries(answer), ([, value]) => bare(value));
  if (kinds.size === Object.keys(answer).length) {
    return clipped([...kinds].map(([value, [own]]) => `${bare(own![0])}: ${value}`).join('; '), WIDTH);
  }
  const parts = [...kinds].map(([value, own]) => `${value}: ${own.map(([kind]) => bare(kind)).join(', ')}`);
  return clipped(parts.join('; '), WIDTH);
}

const bare = (value: Json): string => clipped(shown(value).replaceAll('"', ''), WIDTH);

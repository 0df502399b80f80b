import type { Json } from '../schemas/json.ts';
import { isObject } from '../target/reply.ts';
import type { Schema } from './schemas.ts';

const TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/** A place in a shape: what is declared of it, and the places within. */
interface Place {
  readonly types: string[];
  readonly within: Map<string, Place>;
}

/**
 * The JSON Schema of what a profile declares of members: types by JSON pointer, `*` for the items of an
 * array or the members of a map, `absent` for a member that may be missing.
 * @returns undefined where it is declared in a way that no schema stands for
 */
export function schemaOfShape(declared: Json | undefined): Schema | undefined {
  if (!isObject(declared)) return undefined;
  if (isObject(declared['schema']) && Object.keys(declared).length === 1) return declared['schema'];
  const root: Place = { types: [], within: new Map() };
  for (const [pointer, types] of Object.entries(declared)) {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined;
    if (typeof types !== 'string') return undefined;
    placeAt(root, pointer).types.push(...types.split(' or '));
  }
  if (root.types.length === 0) root.types.push('object');
  return schemaOf(root);
}

function placeAt(root: Place, pointer: string): Place {
  let place = root;
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!place.within.has(name)) place.within.set(name, { types: [], within: new Map() });
    place = place.within.get(name)!;
  }
  return place;
}

function schemaOf({ types, within }: Place): Schema {
  const known = types.filter((type) => TYPES.includes(type));
  const items = within.get('*');
  const members = [...within].filter(([name]) => name !== '*');
  const required = members.filter(([, { types }]) => !types.includes('absent')).map(([name]) => name);
  return {
    ...(known.length > 0 && { type: known.length === 1 ? known[0]! : known }),
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map(([name, place]) => [name, schemaOf(place)])),
    }),
    ...(required.length > 0 && { required }),
    ...(items && known.includes('array') && { items: schemaOf(items) }),
    ...(items && known.includes('object') && { additionalProperties: schemaOf(items) }),
  };
}

/** The statuses that a profile declares: one, several, or one for each kind. Ranges name none. */
export function statusesIn(declared: Json | undefined): number[] {
  if (typeof declared === 'number') return declared >= 100 && declared <= 599 ? [declared] : [];
  if (Array.isArray(declared)) return [...new Set(declared.flatMap((one) => statusesIn(one as Json)))];
  if (!isObject(declared) || 'min' in declared || 'max' in declared || 'schema' in declared) return [];
  return statusesIn(Object.values(declared));
}

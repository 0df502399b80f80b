import { z } from 'zod';
import type { Json } from '../schemas/json.ts';
import { isObject, stepsIn } from '../schemas/json.ts';

/** A JSON Schema in the dialect of OpenAPI 3.1 (draft 2020-12). */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/**
 * The schema of a request's body. The interface does not show which members are required, which others are allowed,
 * and how large a number may be.
 */
export const requestSchema = (schema: z.ZodType): Schema =>
  jsonSchema(schema, ['required', 'additionalProperties', 'minimum', 'maximum']);

/** The schema of a response's body, which may have further members. */
export const responseSchema = (schema: z.ZodType): Schema => jsonSchema(schema, ['additionalProperties']);

/** @param unstated keywords for what the interface does not show */
function jsonSchema(schema: z.ZodType, unstated: readonly string[]): Schema {
  const generated = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const keyword of unstated) delete jsonSchema[keyword];
    },
  });
  // The dialect is that of OpenAPI 3.1.
  delete generated.$schema;
  return generated as Schema;
}

const TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'];

/** A place in a shape: the declared types, and the places within. */
interface ShapeNode {
  readonly types: string[];
  readonly within: Map<string, ShapeNode>;
}

/**
 * The JSON Schema of members that a profile declares: types by JSON pointer, `*` for the items of an array or the
 * members of a map, `absent` for a member that may be missing.
 * @returns undefined for a declaration that has no such form
 */
export function schemaOfShape(declared: Json | undefined): Schema | undefined {
  if (!isObject(declared)) return undefined;
  if (isObject(declared['schema']) && Object.keys(declared).length === 1) return declared['schema'];
  const root: ShapeNode = { types: [], within: new Map() };
  for (const [pointer, types] of Object.entries(declared)) {
    if (pointer !== '' && !pointer.startsWith('/')) return undefined;
    if (typeof types !== 'string') return undefined;
    placeAt(root, pointer).types.push(...types.split(' or '));
  }
  if (root.types.length === 0) root.types.push('object');
  return schemaOf(root);
}

function placeAt(root: ShapeNode, pointer: string): ShapeNode {
  let place = root;
  for (const name of stepsIn(pointer)) {
    if (!place.within.has(name)) place.within.set(name, { types: [], within: new Map() });
    place = place.within.get(name)!;
  }
  return place;
}

function schemaOf({ types, within }: ShapeNode): Schema {
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

/** The statuses that a profile declares: one, several, or one for each kind; none for a range. */
export function statusesIn(declared: Json | undefined): number[] {
  if (typeof declared === 'number') return declared >= 100 && declared <= 599 ? [declared] : [];
  if (Array.isArray(declared)) return [...new Set(declared.flatMap((one) => statusesIn(one as Json)))];
  if (!isObject(declared) || 'min' in declared || 'max' in declared || 'schema' in declared) return [];
  return statusesIn(Object.values(declared));
}

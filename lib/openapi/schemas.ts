import { z } from 'zod';

/** A JSON Schema, as OpenAPI 3.1 takes it (draft 2020-12). */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/**
 * What the interface says of a request's body. The suite sends every member and no other; which of them
 * may be missing, which others may stand there, and how large a number may be is not shown.
 */
export const requestSchema = (schema: z.ZodType): Schema =>
  jsonSchema(schema, ['required', 'additionalProperties', 'minimum', 'maximum']);

/** What the interface says of a response's body: these members are there, others may be. */
export const responseSchema = (schema: z.ZodType): Schema => jsonSchema(schema, ['additionalProperties']);

/** @param unsaid keywords that say more than the interface does */
function jsonSchema(schema: z.ZodType, unsaid: readonly string[]): Schema {
  const drawn = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      for (const keyword of unsaid) delete jsonSchema[keyword];
    },
  });
  // The dialect is that of OpenAPI 3.1.
  delete drawn.$schema;
  return drawn as Schema;
}

import { z } from 'zod';
import { evidenceSchema } from '../engine/evidence-schema.ts';
import { reportSchema } from './report-schema.ts';

/**
 * The JSON Schemas (draft 2020-12) of what a run writes, by the names of the files that ship. Open: a
 * report of a later version may have members more, and is still read.
 */
export const jsonSchemas = (): Readonly<Record<string, object>> => ({
  'conformance.schema.json': schemaOf(
    reportSchema,
    'urn:cts-conformance:conformance:1',
    'Report of the conformance suite: conformance.json',
  ),
  'evidence.schema.json': schemaOf(
    evidenceSchema,
    'urn:cts-conformance:evidence:1',
    'Evidence of a run of the conformance suite: a line of evidence.ndjson',
  ),
});

function schemaOf(schema: z.ZodType, id: string, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', override: closeTuple });
  return { $schema, $id: id, title, ...rest };
}

/** A tuple has all its items and no more; by itself `prefixItems` says neither. */
function closeTuple({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems } = jsonSchema;
  if (prefixItems) Object.assign(jsonSchema, { minItems: prefixItems.length, items: false });
}

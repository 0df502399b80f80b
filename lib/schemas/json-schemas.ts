import { z } from 'zod';
import { caseFile } from './case.ts';
import { evidenceLine } from './evidence.ts';
import { report } from './report.ts';

/**
 * The JSON Schemas (draft 2020-12) of the files that a run writes, by the names under which the package publishes
 * them. They allow further members, as a later version of the suite may add some.
 */
export const jsonSchemas = (): Readonly<Record<string, object>> => ({
  'conformance.schema.json': schemaOf(report, 'conformance', 'Conformance report: conformance.json'),
  'evidence.schema.json': schemaOf(evidenceLine, 'evidence', 'Evidence of a run: a line of evidence.ndjson'),
  'case.schema.json': schemaOf(caseFile, 'case', 'Recorded counterexample: cases/ID.json'),
});

function schemaOf(schema: z.ZodType, name: string, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, $id: `urn:cts-conformance:${name}:1`, title, ...rest };
}

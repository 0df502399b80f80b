import { z } from 'zod';
import { catalogue } from '../../../suites/catalogue.ts';
import { profileSchema as profileFormat } from '../../schemas/profile.ts';
import { caseFile } from '../../schemas/case.ts';
import { evidenceLine } from '../../schemas/evidence.ts';
import { report } from '../../schemas/report.ts';
import { targetsFormat } from '../../schemas/targets.ts';

/** The JSON Schema of a profile: the format of the file with every id that may stand in it. */
function profileJsonSchema(): object {
  const { requirements, questions } = catalogue;
  const { properties, ...schema } = z.toJSONSchema(profileFormat, { io: 'input' }) as unknown as {
    properties: { answers: object; waivers: { items: { properties: { requirement: object } } } };
  };
  const answers = Object.fromEntries(
    questions.map(({ id, question, section, answer }) => [
      id,
      { description: `${question} (section ${section}) Answer: ${answer}.` },
    ]),
  );
  const { requirement } = properties.waivers.items.properties;
  Object.assign(requirement, { enum: [...requirements, ...questions].map(({ id }) => id) });
  const described = { description: (properties.answers as { description?: string }).description };
  return {
    ...schema,
    title: 'Profile of a target of the conformance suite',
    properties: {
      ...properties,
      answers: { type: 'object', ...described, properties: answers, additionalProperties: false },
    },
  };
}

/**
 * The JSON Schemas (draft 2020-12) of the files that a run writes, and of those that users write in an editor, by the
 * names under which the package publishes them. The former allow further members, as a later version of the suite may
 * add some.
 */
export const jsonSchemas = (): Readonly<Record<string, object>> => ({
  'conformance.schema.json': schemaOf(report, 'conformance', 'Conformance report: conformance.json'),
  'evidence.schema.json': schemaOf(evidenceLine, 'evidence', 'Evidence of a run: a line of evidence.ndjson'),
  'case.schema.json': schemaOf(caseFile, 'case', 'Saved counterexample: cases/ID.json'),
  'profile.schema.json': profileJsonSchema(),
  'targets.schema.json': {
    ...z.toJSONSchema(targetsFormat, { io: 'input' }),
    title: 'Targets of the conformance suite',
  },
});

function schemaOf(schema: z.ZodType, name: string, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, $id: `urn:cts-conformance:${name}:1`, title, ...rest };
}

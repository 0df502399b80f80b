import { z } from 'zod';
import { catalogue } from '../../../suites/catalogue.ts';
import { profileSchema as profileFormat } from '../../schemas/profile.ts';
import { targetsFormat } from '../../schemas/targets.ts';

/** The JSON Schema of `targets.json`, for editors. */
export const targetsJsonSchema = (): object => ({
  ...z.toJSONSchema(targetsFormat, { io: 'input' }),
  title: 'Targets of the conformance suite',
});

/** The JSON Schema of a profile, for editors: the format of the file with every id that may stand in it. */
export function profileJsonSchema(): object {
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

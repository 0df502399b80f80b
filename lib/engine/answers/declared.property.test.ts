import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../suites/catalogue.ts';
import { readProfile } from '../../settings/files.ts';
import type { Json } from '../../schemas/json.ts';
import type { Profile } from '../../schemas/profile.ts';
import { UsageError, prefixUsageErrors } from '../../settings/usage-error.ts';
import { checkProfile, isAsDeclared } from './declared.ts';
import { fileWith } from '../../selftest/files.ts';

const requirementIds = catalogue.requirements.map(({ id }) => id);
const questionIds = catalogue.questions.map(({ id }) => id);

/** JSON as text, which can have a member `__proto__`. */
const json = fc
  .oneof(
    fc.json({ maxDepth: 3 }),
    fc.constantFrom(
      '{"schema":{"type":"string"}}',
      '{"schema":{"$ref":"https://evil.example/"}}',
      '{"schema":{"pattern":"("}}',
      '{"schema":7}',
      '{"min":1,"max":0}',
      '{"min":"1"}',
      '{"min":1}',
      '[]',
      '[[]]',
      '{}',
    ),
  )
  .chain((text) =>
    fc.constantFrom(
      text,
      `{"__proto__":${text}}`,
      `{"constructor":${text}}`,
      `[${text},{"__proto__":${text}}]`,
    ),
  );

const id = fc.constantFrom(...questionIds, '__proto__', 'constructor', 'toString', 'nope');

/** Why a profile is rejected; undefined: it is accepted. @throws any other error */
function problemOf(read: () => Profile): string | undefined {
  try {
    checkProfile(read(), catalogue);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('any profile', () => {
  it('is accepted, or rejected with TARGET_PROFILE', () => {
    const profile = fc.tuple(id, json, fc.constantFrom(...requirementIds, '__proto__', 'nope'));
    fc.assert(
      fc.property(profile, ([question, answer, requirement]) => {
        const waiver = `{"requirement":"${requirement}","reason":"r","owner":"o","until":"2999-01-01"}`;
        const path = fileWith(`{"answers":{"${question}":${answer}},"waivers":[${waiver}]}`);
        let answers = {};
        const problem = problemOf(() => {
          const read = prefixUsageErrors('TARGET_PROFILE', () => readProfile(path));
          ({ answers } = read);
          return read;
        });
        expect(problem ?? 'TARGET_PROFILE').toMatch(/^TARGET_PROFILE/);
        const given = JSON.stringify(JSON.parse(`{"${question}":${answer}}`));
        expect(problem === undefined ? JSON.stringify(answers) : given).toBe(given);
      }),
      { numRuns: 600 },
    );
  });

  it('that is accepted is compared with any answer without an exception', () => {
    const plain = json.map((text) => JSON.parse(text) as Json);
    fc.assert(
      fc.property(plain, plain, (declared, observed) => {
        fc.pre(problemOf(() => ({ answers: { 'customer.members': declared }, waivers: [] })) === undefined);
        expect(isAsDeclared(declared, observed)).toBeTypeOf('boolean');
      }),
      { numRuns: 500 },
    );
  });
});

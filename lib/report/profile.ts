import type { Report } from '../schemas/report.ts';
import type { Guard } from './guard.ts';
import { quantity } from './vocabulary.ts';
import { json, writeWhole } from './write.ts';

/** The result of `--write-profile`. */
export interface WrittenProfile {
  readonly path: string;
  /** Number of answers; 0: nothing was written. */
  readonly answers: number;
}

/** Writes a profile with the observed answers, and remarks for the person who reviews it. */
export async function writeProfile(
  { questions, suite, target, run }: Report,
  path: string,
  guard: Guard,
): Promise<WrittenProfile> {
  const answered = questions.filter(({ answer }) => answer !== undefined);
  if (answered.length > 0) {
    const profile = {
      ...(target.name === undefined ? {} : { name: target.name }),
      about: {
        '': `Observed by ${suite.name} ${suite.version} at ${target.baseUrl} on ${run.startedAt.slice(0, 10)}. Remove each answer that the target need not keep; a list allows several values, {"min": 1, "max": 9} a range, {"schema": {…}} what a JSON Schema allows.`,
        ...Object.fromEntries(
          answered.map(({ id, section, question, cases }) => [
            id,
            `${question} (section ${section}; ${quantity(cases, 'response')})`,
          ]),
        ),
      },
      answers: Object.fromEntries(answered.map(({ id, answer }) => [id, answer])),
      waivers: [],
    };
    await writeWhole(path, guard('the profile', json(profile)));
  }
  return { path, answers: answered.length };
}

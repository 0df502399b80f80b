import type { Json } from '../schemas/json.ts';
import type { Guard } from './guard.ts';
import type { Report } from '../schemas/report.ts';
import { json, writeWhole } from './write.ts';

/** What became of the profile that was asked for. */
export interface WrittenProfile {
  readonly path: string;
  /** Answers in it; 0: there were none, and no file. */
  readonly answers: number;
}

/** Writes a profile of what was seen, with remarks that let a person review it. */
export async function writeProfileOf(
  { questions, suite, target, run }: Report,
  path: string,
  guard: Guard,
): Promise<WrittenProfile> {
  const answered = questions.filter(({ answer }) => answer !== undefined);
  if (answered.length > 0) {
    const profile = {
      ...(target.name === undefined ? {} : { name: target.name }),
      about: {
        '': `What ${suite.name} ${suite.version} saw at ${target.baseUrl} on ${run.startedAt.slice(0, 10)}. Take out each answer that the target need not keep; a list allows several, {"min": 1, "max": 9} a range, {"schema": {…}} what a JSON Schema allows.`,
        ...Object.fromEntries(
          answered.map(({ id, section, question, cases }) => [
            id,
            `${question} (section ${section}; ${cases} ${cases === 1 ? 'response' : 'responses'})`,
          ]),
        ),
      },
      answers: Object.fromEntries(answered.map(({ id, answer }): [string, Json] => [id, answer!])),
      waivers: [],
    };
    await writeWhole(path, guard('the profile', json(profile)));
  }
  return { path, answers: answered.length };
}

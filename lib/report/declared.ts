import { brief, differing } from './brief.ts';
import { clipped } from '../target/printable.ts';
import type { Profile } from '../schemas/profile.ts';
import type { ReportedQuestion, ReportedRequirement } from '../schemas/report.ts';

/** What the operator of the target has answered, as requirements: another answer is drift, and fails. */
export const declaredIn = (
  profile: Profile | undefined,
  questions: readonly ReportedQuestion[],
): ReportedRequirement[] =>
  questions
    .filter(({ id }) => profile !== undefined && Object.hasOwn(profile.answers, id))
    .filter(({ asked }) => asked !== 'operator')
    .map(
      ({
        id,
        section,
        question,
        answer,
        reason,
        unanswerable,
        declared,
        drift = false,
        exchanges,
        cases,
        curl = '',
      }) => ({
        id,
        section,
        level: 'declared',
        statement: `${question} The profile's answer holds.`,
        verdict: answer === undefined ? 'untested' : drift ? 'fail' : 'pass',
        cases,
        accepted: 0,
        broken: drift ? 1 : 0,
        inFlight: 0,
        reason: answer === undefined ? (reason ?? '') : brief(answer),
        ...(unanswerable && { optional: true }),
        ...(drift && {
          reason: `drift: seen ${clipped(differing(declared, answer)[1], 50)}, declared ${clipped(differing(declared, answer)[0], 50)}`,
          counterexample: {
            expected: differing(declared, answer)[0],
            actual: differing(declared, answer)[1],
            scenarios: [],
            category: 'drift',
            input: null,
            originalInput: null,
            seed: 0,
            path: '',
            shrinks: 0,
            reproduced: '1/1',
            exchanges,
            curl,
          },
        }),
      }),
    );

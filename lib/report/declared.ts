import { brief } from './brief.ts';
import { shown } from '../requirements/printable.ts';
import { questionOf } from '../requirements/questions.ts';
import type { Profile } from '../settings/profile.ts';
import type { ReportedQuestion, ReportedRequirement } from './model.ts';

/** What the operator of the target has answered, as requirements: another answer is drift, and fails. */
export const declaredIn = (
  profile: Profile | undefined,
  questions: readonly ReportedQuestion[],
): ReportedRequirement[] =>
  questions
    .filter(({ id }) => profile !== undefined && Object.hasOwn(profile.answers, id))
    .filter(({ id }) => questionOf(id).asked !== 'operator')
    .map(
      ({
        id,
        section,
        question,
        answer,
        reason,
        untold,
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
        granted: 0,
        broken: drift ? 1 : 0,
        inFlight: 0,
        reason: answer === undefined ? (reason ?? '') : brief(answer),
        ...(untold && { optional: true }),
        ...(drift && {
          reason: `drift: declared ${shown(declared)}, seen ${shown(answer)}`,
          counterexample: {
            expected: shown(declared),
            actual: shown(answer),
            experiments: [],
            family: 'drift',
            input: null,
            foundWith: null,
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

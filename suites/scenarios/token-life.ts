import { lifeIn } from '../../lib/engine/operations/life.ts';
import { scenario, fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Observed, Run } from '../../lib/engine/scenario.ts';
import { alterationsOf, lastCharacterOf } from '../../lib/inputs/altered-tokens.ts';
import { asIs } from '../../lib/inputs/shrinking.ts';
import { lifeOf } from './token-life-requests.ts';
import type { LifeObservation, LifeStep } from './token-life-requests.ts';
import { acceptedToken, plainTokenScenarios } from './tokens.ts';

const caseOf = (step: LifeStep): CaseSource<LifeStep> => fixedCase(step.step, step);

/** The alterations of tokens of this target. */
function alteredSteps(token: string | undefined): LifeStep[] {
  const last = token && lastCharacterOf(token);
  return alterationsOf(token ?? '').map((alteration) => ({
    step: 'altered',
    alteration,
    ...(alteration === last && { elsewhere: true }),
  }));
}

/** The steps that can be tested with the profile while other requests are sent. */
function concurrentSteps(run: Run, observed: Observed): LifeStep[] {
  const { allowed, denied, unit, endsWithNext } = lifeIn(run.settings.profile);
  return [
    ...denied.map((scopes) => ({ step: 'presented beyond its scopes', scopes }) as const),
    ...(allowed ? [{ step: 'presented at once' } as const] : []),
    ...(allowed && !endsWithNext ? alteredSteps(acceptedToken(observed)?.found?.text) : []),
    ...(allowed && unit !== undefined
      ? ([{ step: 'presented in its last third' }, { step: 'presented when it has expired' }] as const)
      : []),
  ];
}

/** The steps that can be tested while other requests are sent; a rejected token may have been ended by one of these. */
export const tokenLife = scenario<LifeStep, LifeObservation>({
  name: 'life of a token',
  uses: plainTokenScenarios,
  shrinking: asIs<LifeStep>(),
  cases: (run, observed) => concurrentSteps(run, observed).map(caseOf),
  send: (run, observed) => {
    const life = lifeOf(run, observed);
    return async (testCase, nonce) => {
      const { step } = testCase.input;
      const mustBeAccepted = step === 'presented at once' || step === 'presented in its last third';
      const observation = await life(testCase, nonce);
      return mustBeAccepted && !observation.accepted ? { ...observation, interfered: true } : observation;
    };
  },
});

/**
 * The steps that no other token request may come between, one by one: some services end a token when they issue the
 * next one, and some confuse the latest token with others.
 */
export const tokenLifeAlone = scenario<LifeStep, LifeObservation>({
  name: 'life of a token, alone',
  uses: [...plainTokenScenarios, tokenLife],
  shrinking: asIs<LifeStep>(),
  *cases(run, observed) {
    const { allowed, denied, unit, endsWithNext } = lifeIn(run.settings.profile);
    const proven = new Set(
      observed(tokenLife)
        .filter(({ interfered }) => !interfered)
        .map((observation) => JSON.stringify(observation.case.input)),
    );
    for (const step of concurrentSteps(run, observed)) {
      if (!proven.has(JSON.stringify(step))) yield [caseOf(step)];
    }
    if (!allowed) return;
    const [scopes] = denied;
    if (scopes) yield [caseOf({ step: 'presented beyond its scopes', scopes, after: true })];
    if (endsWithNext) {
      for (const step of alteredSteps(acceptedToken(observed)?.found?.text)) yield [caseOf(step)];
    } else if (unit !== undefined) {
      yield [caseOf({ step: 'presented when others were issued' })];
    }
  },
  send: (run, observed) => lifeOf(run, observed),
});

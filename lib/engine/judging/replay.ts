import type { Finding } from '../../schemas/report.ts';
import type { SavedCase } from '../../settings/run-settings.ts';
import { NoReply } from '../../target/exchange.ts';
import { counterexample } from './finding.ts';
import type { Violation } from './finding.ts';
import { findingOfCases } from './finding-of-cases.ts';
import { Inconclusive } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { REPEATS, isEachTime, sendAgain, withOwnControl } from './reproduce.ts';
import type { RepeatedCase } from './reproduce.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';
import { quantity } from '../../target/output/printable.ts';

/** The requirement can't judge the case: another version of the suite wrote it, or it was edited. */
class NotReplayable extends Inconclusive {
  constructor({ file }: SavedCase) {
    super(`${file} contains no input of this requirement; record it again, or remove it`);
  }
}

/** How often an intermittent case is sent: one that breaks in 1 of 3 attempts is found in 98 % of replays. */
const REPEATS_IN_DOUBT = 10;

/** Sends a saved case several times, and judges it by the requirement that it broke. */
export async function replay(run: Run, requirement: Requirement, saved: SavedCase): Promise<Finding> {
  await run.ready();
  const { settings } = run;
  const { check, compare } = requirement;
  const { scenarios, inputs } = saved;
  const cases = casesIn(requirement, saved);
  const rounds = isEachTime(saved) ? REPEATS : REPEATS_IN_DOUBT;
  const judged: Observation[] = [];
  const broken: { readonly observations: readonly Observation[]; readonly violation: Violation }[] = [];
  let roundsJudged = 0;
  for (let round = 0; round < rounds; round++) {
    const observations = await sendAgain(run, requirement, cases, round);
    judged.push(...observations);
    if (observations.length === cases.length) roundsJudged++;
    const violation = compare
      ? compare(observations)?.violation
      : observations[0] && check!(observations[0], settings);
    if (violation) broken.push({ observations, violation });
  }
  const finding = findingOfCases(requirement, { whole: judged }, broken.length, settings);
  const [found] = broken;
  if (found === undefined) {
    const sent = rounds * cases.length;
    if (finding.verdict !== 'pass' || judged.length === sent) return finding;
    // A rejected case shows nothing.
    const reason = `only ${judged.length} of ${sent} responses could be judged: the target rejected the others`;
    return { ...finding, verdict: 'inconclusive', reason };
  }
  const { observations, violation } = found;
  const last = observations.at(-1)!;
  const exchanges = observations.map(({ exchange }) => exchange);
  if (!compare) {
    const { control } = await withOwnControl(run, cases[0]!.scenario, last);
    if (control) exchanges.unshift(control);
  }
  return {
    ...finding,
    counterexample: counterexample(run, last, violation, exchanges, {
      scenarios,
      input: compare ? inputs : inputs[0],
      path: 'replayed',
      shrinks: 0,
      reproduced: `${broken.length}/${roundsJudged}`,
    }),
  };
}

/** The inputs of a saved case with their scenarios. @throws {NotReplayable} */
function casesIn({ compare, over }: Requirement, saved: SavedCase): RepeatedCase[] {
  const { scenarios, inputs, category } = saved;
  const count = compare ? 2 : 1;
  if (inputs.length !== count) throw new NotReplayable(saved);
  return inputs.map((input, at) => {
    const scenario = over.find(({ name }) => name === scenarios[at]);
    if (!scenario?.shrinking.canShrinkWithoutContext(input)) throw new NotReplayable(saved);
    return { scenario, category, input };
  });
}

/**
 * Replays the saved cases of a requirement before it is explored: the first that breaks it is its counterexample.
 * The reason of the finding mentions the cases that pass or could not be judged.
 * @throws {NotReplayable} for a case that can never be judged
 */
export async function replayFirst(
  run: Run,
  requirement: Requirement,
  explore: () => Promise<Finding>,
): Promise<Finding> {
  const own = run.settings.savedCases.filter((saved) => saved.requirement === requirement.id);
  let held = 0;
  const notes: string[] = [];
  for (const saved of own) {
    const { file } = saved;
    const replayed = await replay(run, requirement, saved).catch((error: unknown) => {
      const isNote = error instanceof Inconclusive || error instanceof NoReply;
      if (!isNote || error instanceof NotReplayable) throw error;
      return { verdict: 'inconclusive' as const, reason: error.message, counterexample: undefined };
    });
    if (replayed.counterexample !== undefined)
      return {
        ...replayed,
        reason: `saved in ${file}, and reproduced`,
        counterexample: { ...replayed.counterexample, from: file },
      };
    if (replayed.verdict === 'pass') held++;
    else notes.push(`${file} could not be judged: ${replayed.reason}`);
  }
  if (held > 0) notes.unshift(quantity(held, 'saved case passes', 'saved cases pass'));
  const found = await explore();
  const reason = [...(found.reason === undefined ? [] : [found.reason]), ...notes].join('; ');
  return reason === '' ? found : { ...found, reason };
}

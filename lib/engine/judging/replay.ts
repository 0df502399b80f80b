import type { ReplayedCase } from '../../settings/run-settings.ts';
import { NoReply } from '../../target/exchange.ts';
import { counterexample } from './finding.ts';
import type { Finding, Violation } from './finding.ts';
import { judges } from './judged-by.ts';
import { summarise } from './summarise.ts';
import { Inconclusive } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { REPEATS, isEachTime, sendBoth, withOwnControl } from './reproduce.ts';
import type { Requirement } from '../requirement.ts';
import type { Run, Scenario } from '../scenario.ts';

/** The requirement can't judge the case: another version of the suite wrote it, or it was edited. */
class NotReplayable extends Inconclusive {
  constructor({ file }: ReplayedCase) {
    super(`${file} contains no input of this requirement; record it again, or remove it`);
  }
}

/** How often an intermittent case is sent: one that breaks in 1 of 3 attempts is found in 98 % of replays. */
const REPEATS_IN_DOUBT = 10;

/** Whether a case was reproduced each time when it was found. */
export const brokeEachTime = ({ reproduced }: ReplayedCase): boolean => isEachTime(reproduced);

/** Sends a recorded case several times, and judges it by the requirement that it broke. */
export async function replay(run: Run, requirement: Requirement, recorded: ReplayedCase): Promise<Finding> {
  await run.ready();
  const rounds = brokeEachTime(recorded) ? REPEATS : REPEATS_IN_DOUBT;
  return requirement.compare
    ? replayTogether(run, requirement, recorded, rounds)
    : replayEach(run, requirement, recorded, rounds);
}

async function replayEach(
  run: Run,
  requirement: Requirement,
  recorded: ReplayedCase,
  rounds: number,
): Promise<Finding> {
  const { settings } = run;
  const scenario = scenarioFor(requirement, recorded, 0);
  const observations: Observation[] = [];
  for (let round = 0; round < rounds; round++)
    observations.push(await run.repeat(scenario, recorded.inputs[0], recorded.category));
  const judged = observations.filter((observation) => judges(requirement, observation, settings));
  const broken = judged.flatMap((observation) => {
    const violation = requirement.check!(observation, settings);
    return violation ? [{ observation, violation }] : [];
  });
  const summary = findingOfReplay(run, requirement, judged, broken.length);
  const [found] = broken;
  if (found === undefined) return ifAllWereJudged(summary, judged.length, rounds);
  const { violation } = found;
  const { control, exchange, ...observation } = await withOwnControl(run, scenario, found.observation);
  return {
    ...summary,
    counterexample: counterexample(run, { ...observation, exchange }, violation, [control, exchange], {
      scenarios: recorded.scenarios,
      input: recorded.inputs[0],
      path: 'replayed',
      shrinks: 0,
      reproduced: `${broken.length}/${judged.length}`,
    }),
  };
}

async function replayTogether(
  run: Run,
  requirement: Requirement,
  recorded: ReplayedCase,
  rounds: number,
): Promise<Finding> {
  const { scenarios, category, inputs } = recorded;
  if (scenarios.length !== 2 || inputs.length !== 2) throw new NotReplayable(recorded);
  const cases = scenarios.map((scenario, at) => {
    scenarioFor(requirement, recorded, at);
    return { scenario, category, input: inputs[at] };
  });
  const judged: Observation[] = [];
  const clashes: { readonly pair: readonly Observation[]; readonly violation: Violation }[] = [];
  for (let round = 0; round < rounds; round++) {
    const pair = await sendBoth(run, requirement, cases, round);
    judged.push(...pair);
    const clash = requirement.compare!(pair);
    if (clash) clashes.push({ pair, violation: clash.violation });
  }
  const summary = findingOfReplay(run, requirement, judged, clashes.length);
  const [clash] = clashes;
  if (clash === undefined) return ifAllWereJudged(summary, judged.length, rounds * 2);
  const { pair, violation } = clash;
  const exchanges = pair.map(({ exchange }) => exchange);
  return {
    ...summary,
    counterexample: counterexample(run, pair.at(-1)!, violation, exchanges, {
      scenarios,
      input: inputs,
      path: 'replayed',
      shrinks: 0,
      reproduced: `${clashes.length}/${rounds}`,
    }),
  };
}

const findingOfReplay = (
  run: Run,
  requirement: Requirement,
  judged: readonly Observation[],
  broken: number,
): Finding =>
  summarise(requirement, { explorations: [], whole: judged, summaries: [] }, broken, run.settings);

/** A pass, if the target accepted what each replay sent: a rejected one shows nothing. */
const ifAllWereJudged = (summary: Finding, judged: number, sent: number): Finding =>
  summary.verdict !== 'pass' || judged === sent
    ? summary
    : {
        ...summary,
        verdict: 'inconclusive',
        reason: `only ${judged} of ${sent} responses could be judged: the target rejected the others`,
      };

/** The scenario of one input of a case. @throws {NotReplayable} */
function scenarioFor({ over }: Requirement, recorded: ReplayedCase, at: number): Scenario {
  const scenario = over.find(({ name }) => name === recorded.scenarios[at]);
  if (!scenario?.shrinking.canShrinkWithoutContext(recorded.inputs[at])) throw new NotReplayable(recorded);
  return scenario;
}

/**
 * Replays the recorded cases of a requirement before it is explored: the first that breaks it is its counterexample.
 * The reason of the finding mentions the cases that pass or could not be judged.
 * @throws {NotReplayable} for a case that can never be judged
 */
export async function replayFirst(
  run: Run,
  requirement: Requirement,
  explore: () => Promise<Finding>,
): Promise<Finding> {
  const own = run.settings.corpus.filter((recorded) => recorded.requirement === requirement.id);
  let held = 0;
  const notes: string[] = [];
  for (const recorded of own) {
    const { file } = recorded;
    const replayed = await replay(run, requirement, recorded).catch((error: unknown) => {
      const isNote = error instanceof Inconclusive || error instanceof NoReply;
      if (!isNote || error instanceof NotReplayable) throw error;
      return { verdict: 'inconclusive' as const, reason: error.message, counterexample: undefined };
    });
    if (replayed.counterexample !== undefined)
      return {
        ...replayed,
        reason: `recorded in ${file}, and reproduced`,
        counterexample: { ...replayed.counterexample, from: file },
      };
    if (replayed.verdict === 'pass') held++;
    else notes.push(`${file} could not be judged: ${replayed.reason}`);
  }
  if (held > 0) notes.unshift(`${held} recorded ${held === 1 ? 'case passes' : 'cases pass'}`);
  const found = await explore();
  const reason = [...(found.reason === undefined ? [] : [found.reason]), ...notes].join('; ');
  return reason === '' ? found : { ...found, reason };
}

import { REPEATS } from './reduce.ts';
import type { Experiment } from './experiment.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import type { Run } from './run.ts';
import type { ReplayedCase } from '../settings/settings.ts';
import type { RequirementId } from './catalogue.ts';
import type { Finding } from './finding.ts';
import { sendBoth } from './compare.ts';
import type { Comparison } from './compare.ts';
import { counterexample } from './counterexample.ts';
import type { Judgement } from './judge.ts';
import { summarise } from './judged.ts';

/** The case is none that the requirement could be judged by: it was made by another suite, or by hand. */
export class NotOurs extends Inconclusive {
  constructor({ file }: ReplayedCase) {
    super(`${file} does not hold what this requirement is judged by; record it anew, or take it away`);
  }
}

/** How often a case is sent that did not break each time: one that breaks once in three shows in 98 of 100. */
const REPEATS_IN_DOUBT = 10;

/** Whether a case broke each time when it was found: where it holds now, something has changed. */
export function wasSure({ reproduced }: ReplayedCase): boolean {
  const [again, repeats] = reproduced.split('/').map(Number);
  return repeats! > 0 && again === repeats;
}

const roundsOf = (recorded: ReplayedCase): number => (wasSure(recorded) ? REPEATS : REPEATS_IN_DOUBT);

/** Sends a recorded case again, a few times, and judges it by the requirement that it broke. */
export async function replayEach<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  { over, only = () => true, check }: Judgement<I, O>,
  recorded: ReplayedCase,
): Promise<Finding> {
  await run.ready();
  const { scenarios, category, inputs } = recorded;
  const home = homeFor(over, recorded, 0);
  const input = inputs[0] as I;
  const observations: O[] = [];
  for (let round = 0; round < roundsOf(recorded); round++) {
    observations.push(await home.repeat(input, category));
  }
  const judged = observations.filter(only);
  const broken = judged.filter((observation) => check(observation) !== undefined);
  const summary = summarise(id, [], { whole: judged, counted: [] }, broken.length);
  const found = broken[0];
  if (found === undefined) return summary;
  return {
    ...summary,
    counterexample: counterexample(run, found, check(found)!, [found.control, found.exchange], {
      scenarios,
      input,
      path: 'replayed',
      shrinks: 0,
      reproduced: `${broken.length}/${judged.length}`,
    }),
  };
}

/** Sends two recorded cases again, a few times, and compares them. */
export async function replayTogether<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  comparison: Comparison<I, O>,
  recorded: ReplayedCase,
): Promise<Finding> {
  await run.ready();
  const { scenarios, category, inputs } = recorded;
  if (scenarios.length !== 2 || inputs.length !== 2) throw new NotOurs(recorded);
  const cases = scenarios.map((experiment, at) => {
    homeFor(comparison.over, recorded, at);
    return { experiment, category, input: inputs[at] as I };
  });
  const judged: O[] = [];
  let clashes = 0;
  let clash: ReturnType<Comparison<I, O>['compare']>;
  const rounds = roundsOf(recorded);
  for (let round = 0; round < rounds; round++) {
    const pair = await sendBoth(comparison, cases, round);
    const found = comparison.compare(pair);
    judged.push(...pair);
    if (found) clashes++;
    clash ??= found;
  }
  const summary = summarise(id, [], { whole: judged, counted: [] }, clashes);
  if (clash === undefined) return summary;
  const { first, second, violation } = clash;
  return {
    ...summary,
    counterexample: counterexample(run, second, violation, [first.exchange, second.exchange], {
      scenarios,
      input: inputs,
      path: 'replayed',
      shrinks: 0,
      reproduced: `${clashes}/${rounds}`,
    }),
  };
}

/** The experiment that made one input of a case. @throws {NotOurs} */
function homeFor<I, O extends Observation<I>>(
  over: readonly Experiment<I, O>[],
  recorded: ReplayedCase,
  at: number,
): Experiment<I, O> {
  const home = over.find(({ name }) => name === recorded.scenarios[at]);
  if (!home?.shrinking.canShrinkWithoutContext(recorded.inputs[at])) throw new NotOurs(recorded);
  return home;
}

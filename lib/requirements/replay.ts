import { REPEATS } from '../experiment/counterexample.ts';
import { Inconclusive } from '../experiment/observation.ts';
import type { Observation } from '../experiment/observation.ts';
import type { Run } from '../experiment/run.ts';
import type { ReplayedCase } from '../settings/settings.ts';
import type { RequirementId } from './catalogue.ts';
import type { Finding } from './finding.ts';
import { counterexample, homeOf, sendBoth, summarise } from './judge.ts';
import type { Comparison, Judgement } from './judge.ts';

const NOT_OURS = 'the file does not hold what this requirement is judged by';

/** Sends a recorded case again, a few times, and judges it by the requirement that it broke. */
export async function replayEach<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  { over, only = () => true, check }: Judgement<I, O>,
  { experiments, family, inputs }: ReplayedCase,
): Promise<Finding> {
  await run.ready();
  const home = homeOf(over, experiments[0]!);
  const observations: O[] = [];
  if (!home.shrinking.canShrinkWithoutContext(inputs[0])) throw new Inconclusive(NOT_OURS);
  for (let round = 0; round < REPEATS; round++) {
    observations.push(await home.repeat(inputs[0], family));
  }
  const judged = observations.filter(only);
  const broken = judged.filter((observation) => check(observation) !== undefined);
  const summary = summarise(id, [], judged, broken.length);
  const found = broken[0];
  if (found === undefined) return summary;
  return {
    ...summary,
    counterexample: counterexample(run, found, check(found)!, [found.control, found.exchange], {
      experiments,
      input: inputs[0],
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
  { experiments, family, inputs }: ReplayedCase,
): Promise<Finding> {
  await run.ready();
  const cases = experiments.map((experiment, at) => ({ experiment, family, input: inputs[at] as I }));
  const areOurs = cases.every(({ experiment, input }) =>
    homeOf(comparison.over, experiment).shrinking.canShrinkWithoutContext(input),
  );
  if (cases.length !== 2 || !areOurs) throw new Inconclusive(NOT_OURS);
  const judged: O[] = [];
  let clashes = 0;
  let clash: ReturnType<Comparison<I, O>['compare']>;
  for (let round = 0; round < REPEATS; round++) {
    const pair = await sendBoth(comparison, cases, round);
    const found = comparison.compare(pair);
    judged.push(...pair);
    if (found) clashes++;
    clash ??= found;
  }
  const summary = summarise(id, [], judged, clashes);
  if (clash === undefined) return summary;
  const { first, second, violation } = clash;
  return {
    ...summary,
    counterexample: counterexample(run, second, violation, [first.exchange, second.exchange], {
      experiments,
      input: inputs,
      path: 'replayed',
      shrinks: 0,
      reproduced: `${clashes}/${REPEATS}`,
    }),
  };
}

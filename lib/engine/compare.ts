import { REPEATS } from './reduce.ts';
import type { Experiment } from './experiment.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import type { Run } from './run.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { RequirementId } from './catalogue.ts';
import { counterexample } from './counterexample.ts';
import type { Finding, Violation } from './finding.ts';
import { allOf, homeOf, judgedIn, summarise } from './judged.ts';

/** How exchanges are judged beside each other. */
export interface Comparison<I, O extends Observation<I>> {
  readonly over: readonly Experiment<I, O>[];
  readonly only?: (observation: O) => boolean;
  /** Whether it takes no more than ids and outcomes: then the later exchanges of a long run are compared too. */
  readonly isById?: boolean;
  /** Two exchanges that must differ and don't; undefined where all is well. */
  readonly compare: (observations: Iterable<O>) => Clash<O> | undefined;
}

/** Two exchanges that must differ and don't. */
export interface Clash<O> {
  readonly first: O;
  readonly second: O;
  readonly violation: Violation;
  /** How many differ from none before them, where that was counted. */
  readonly broken?: number;
}

/** Judges exchanges beside each other: two that should differ are one finding. */
export async function judgeTogether<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  comparison: Comparison<I, O>,
): Promise<Finding> {
  const { over, only = () => true, isById = false, compare } = comparison;
  const explorations = await Promise.all(over.map((experiment) => experiment.explore()));
  const judged = judgedIn(explorations, only, isById);
  const clash = compare({ [Symbol.iterator]: () => allOf(judged) });
  const summary = summarise(id, explorations, judged, clash ? (clash.broken ?? 1) : 0);
  if (clash === undefined) return summary;
  // One that is kept whole comes last, as it can be shown.
  const isTurned = clash.second.thin !== undefined && clash.first.thin === undefined;
  const [first, second] = isTurned ? [clash.second, clash.first] : [clash.first, clash.second];
  const foundAfter = Math.max(first.exchange.number, second.exchange.number);
  const { actual, expected } = clash.violation;
  if (second.thin)
    return {
      ...summary,
      foundAfter,
      reason: `expected ${expected}; nos. ${first.exchange.number} and ${second.exchange.number} have ${actual}, and no more is kept of them`,
    };
  const violation = first.thin
    ? {
        ...clash.violation,
        expected: `${expected}; no. ${first.exchange.number}, of which no more is kept, has it`,
      }
    : clash.violation;
  const shown = first.thin ? [second.exchange] : [first.exchange, second.exchange];
  return {
    ...summary,
    foundAfter,
    counterexample: counterexample(run, second, violation, shown, {
      scenarios: [first.case.experiment, second.case.experiment],
      input: [first.case.input ?? null, second.case.input],
      path: `${first.case.index},${second.case.index}`,
      shrinks: 0,
      reproduced: await repeatBoth(comparison, clash),
    }),
  };
}

/** Sends both again, as identical to each other as they were. */
async function repeatBoth<I, O extends Observation<I>>(
  comparison: Comparison<I, O>,
  { first, second }: { first: O; second: O },
): Promise<string> {
  let clashes = 0;
  let repeats = 0;
  if (first.thin ?? second.thin) return '0/0';
  try {
    for (; repeats < REPEATS; repeats++) {
      const pair = await sendBoth(comparison, [first.case, second.case], repeats);
      if (comparison.compare([second, ...pair]) !== undefined) clashes++;
    }
  } catch (error) {
    onlyWithoutReply(error);
  }
  return `${clashes}/${repeats}`;
}

export async function sendBoth<I, O extends Observation<I>>(
  { over, only = () => true }: Comparison<I, O>,
  cases: readonly { experiment: string; category: string; input: I }[],
  round: number,
): Promise<O[]> {
  const [first, second] = cases.map(({ input }) => JSON.stringify(input));
  const mark = first === second ? `i${round}` : undefined;
  const pair: O[] = [];
  for (const { experiment, category, input } of cases) {
    pair.push(await homeOf(over, experiment).repeat(input, category, mark));
  }
  return pair.filter(only);
}

function onlyWithoutReply(error: unknown): void {
  if (!(error instanceof NoReply) && !(error instanceof Stopped) && !(error instanceof Inconclusive))
    throw error;
}

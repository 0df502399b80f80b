import type fc from 'fast-check';
import { reduce } from '../experiment/counterexample.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Exploration, Observation } from '../experiment/observation.ts';
import type { Run } from '../experiment/run.ts';
import { curlOf } from '../target/curl.ts';
import type { Exchange } from '../target/exchange.ts';
import { record, redactAll } from '../target/record.ts';
import { entryOf } from './catalogue.ts';
import type { RequirementId } from './catalogue.ts';
import type { Counterexample, Finding, Violation } from './finding.ts';

/** How the exchanges of some experiments are judged. */
export interface Judgement<I, O extends Observation<I>> {
  /** The experiments whose exchanges are judged. */
  readonly over: readonly Experiment<I, O>[];
  /** Which of their exchanges; all by default. */
  readonly only?: (observation: O) => boolean;
  /** The one assertion: undefined where the requirement holds. */
  readonly check: (observation: O) => Violation | undefined;
  /** How a broken case is made smaller; null: not at all; by default as its experiment does. */
  readonly shrinking?: fc.Arbitrary<I> | null;
}

/** How exchanges are judged beside each other. */
export interface Comparison<I, O extends Observation<I>> {
  readonly over: readonly Experiment<I, O>[];
  readonly only?: (observation: O) => boolean;
  /** Two exchanges that must differ and don't; undefined where all is well. */
  readonly compare: (observations: readonly O[]) => { first: O; second: O; violation: Violation } | undefined;
}

/** Judges each exchange by itself. */
export async function judgeEach<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  { over, only = () => true, check, shrinking }: Judgement<I, O>,
): Promise<Finding> {
  const explorations = await Promise.all(over.map((experiment) => experiment.explore()));
  const judged = explorations.flatMap(({ observations }) => observations).filter(only);
  const broken = judged.filter((observation) => check(observation) !== undefined);
  const summary = summarise(id, explorations, judged, broken.length);
  const found = broken[0];
  if (found === undefined) return summary;

  const home = over.find(({ name }) => name === found.case.experiment)!;
  const reduced = await reduce(
    home,
    found,
    (observation) => only(observation) && check(observation) !== undefined,
    shrinking === undefined ? home.shrinking : shrinking,
    run.settings.seed,
  );
  const { observation } = reduced;
  return {
    ...summary,
    counterexample: counterexample(run, found, check(observation)!, [observation.control, observation.exchange], {
      input: reduced.input,
      path: reduced.path,
      shrinks: reduced.shrinks,
      reproduced: `${reduced.again}/${reduced.repeats}`,
    }),
  };
}

/** Judges exchanges beside each other: two that should differ are one finding. */
export async function judgeTogether<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  { over, only = () => true, compare }: Comparison<I, O>,
): Promise<Finding> {
  const explorations = await Promise.all(over.map((experiment) => experiment.explore()));
  const judged = explorations.flatMap(({ observations }) => observations).filter(only);
  const clash = compare(judged);
  const summary = summarise(id, explorations, judged, clash ? 1 : 0);
  if (clash === undefined) return summary;
  const { first, second, violation } = clash;
  const inputs = [first.case.input, second.case.input];
  return {
    ...summary,
    counterexample: counterexample(run, second, violation, [first.exchange, second.exchange], {
      input: inputs,
      path: `${first.case.index},${second.case.index}`,
      shrinks: 0,
      reproduced: await repeatBoth(over, clash, only, compare),
    }),
  };
}

/** Sends both again, as identical to each other as they were. */
async function repeatBoth<I, O extends Observation<I>>(
  over: readonly Experiment<I, O>[],
  { first, second }: { first: O; second: O },
  only: (observation: O) => boolean,
  compare: Comparison<I, O>['compare'],
): Promise<string> {
  const identical = JSON.stringify(first.case.input) === JSON.stringify(second.case.input);
  const again = ({ case: { experiment, input } }: O, round: number): Promise<O> =>
    over.find(({ name }) => name === experiment)!.repeat(input, identical ? `i${round}` : undefined);
  let clashes = 0;
  let repeats = 0;
  try {
    for (; repeats < 3; repeats++) {
      const pair = [await again(first, repeats), await again(second, repeats)].filter(only);
      if (compare([second, ...pair]) !== undefined) clashes++;
    }
  } catch {
    // No further reply came: what was counted so far stands.
  }
  return `${clashes}/${repeats}`;
}

function summarise<O extends Observation>(
  id: RequirementId,
  explorations: readonly Exploration<O>[],
  judged: readonly O[],
  broken: number,
): Finding {
  const base = {
    id,
    cases: judged.length,
    granted: judged.filter(({ granted }) => granted).length,
    broken,
    inFlight: Math.max(0, ...judged.map(({ exchange }) => exchange.inFlight)),
  };
  if (broken > 0) return { ...base, verdict: entryOf(id).level === 'must' ? 'fail' : 'warn' };
  const stopped = explorations.find((exploration) => exploration.stopped !== undefined)?.stopped;
  const lost = explorations.flatMap((exploration) => exploration.lost);
  if (judged.length > 0) {
    const notes = [
      ...(lost.length > 0 ? [`${lost.length} more cases got no reply`] : []),
      ...(stopped === undefined ? [] : [`ended early: ${stopped}`]),
    ];
    return { ...base, verdict: 'pass', ...(notes.length > 0 ? { reason: notes.join('; ') } : {}) };
  }
  if (stopped !== undefined) return { ...base, verdict: 'untested', reason: stopped };
  if (lost.length > 0) return { ...base, verdict: 'inconclusive', reason: lost[0]!.message };
  return { ...base, verdict: 'untested', reason: 'the target granted nothing that it could be judged by' };
}

function counterexample(
  run: Run,
  found: Observation,
  violation: Violation,
  exchanges: readonly (Exchange | undefined)[],
  reduced: Pick<Counterexample, 'input' | 'path' | 'shrinks' | 'reproduced'>,
): Counterexample {
  const { redactor } = run.target;
  const shown = exchanges.filter((exchange) => exchange !== undefined);
  const last = shown.at(-1)!;
  return redactAll(
    {
      ...violation,
      experiment: found.case.experiment,
      family: found.case.family,
      foundWith: found.case.input,
      seed: run.settings.seed,
      ...reduced,
      exchanges: shown.map((exchange) => record(exchange, redactor)),
      curl: curlOf(last.request, last.url),
    },
    redactor,
  );
}

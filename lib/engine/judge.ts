import type fc from 'fast-check';
import { reduce } from './reduce.ts';
import { exampleOf } from './counted.ts';
import type { Experiment } from './experiment.ts';
import type { Exploration, Observation } from './observation.ts';
import type { Run } from './run.ts';
import { NoReply } from '../target/exchange.ts';
import type { RequirementId } from './catalogue.ts';
import { counterexample } from './counterexample.ts';
import type { Finding, Violation } from './finding.ts';
import { brokenVerdict, homeOf, judgedIn, sizeOf, summarise } from './judged.ts';
import { clipped, printable } from '../target/printable.ts';

/** How the exchanges of some experiments are judged. */
export interface Judgement<I, O extends Observation<I>> {
  /** The experiments whose exchanges are judged. */
  readonly over: readonly Experiment<I, O>[];
  /**
   * Which of their exchanges; all by default. Of the later ones of a long run no more is left than status, category,
   * outcome and whether there is an id: what can't be told by these is judged when it comes, but not counted.
   */
  readonly only?: (observation: O) => boolean;
  /** What a reader should know beside the verdict, from what was judged. */
  readonly note?: (observations: readonly O[]) => string | undefined;
  /** Whether a case that no reply came to breaks the requirement, as others were answered. */
  readonly silenceBreaks?: boolean;
  /** Of these no case may be without a reply, or there is no verdict. */
  readonly answered?: readonly Experiment<I, O>[];
  /** The one assertion: undefined where the requirement holds. */
  readonly check: (observation: O) => Violation | undefined;
  /** How a broken case is made smaller; null: not at all; by default as its experiment does. */
  readonly shrinking?: fc.Arbitrary<I> | null;
  /** How often a broken case is sent again; less often where that takes long. */
  readonly repeats?: number;
}

/** Judges each exchange by itself. */
export async function judgeEach<I, O extends Observation<I>>(
  run: Run,
  id: RequirementId,
  {
    over,
    only = () => true,
    note,
    check,
    shrinking,
    repeats,
    silenceBreaks = false,
    answered = [],
  }: Judgement<I, O>,
): Promise<Finding> {
  const explorations = await Promise.all(over.map((experiment) => experiment.explore()));
  const breaks = (observation: O): boolean => observation.thin?.breaks.includes(id) ?? false;
  // What is left of one may not tell any more that it was to be judged.
  const judged = judgedIn(explorations, (observation) => breaks(observation) || only(observation));
  const isBroken = (observation: O): boolean =>
    observation.thin ? breaks(observation) : check(observation) !== undefined;
  const broken = judged.whole.filter(isBroken);
  const more = judged.counted.filter((counted) => isBroken(exampleOf(counted) as O));
  const summary = summarise(id, explorations, judged, broken.length + sizeOf(more), note?.(judged.whole));
  const foundAfter = Math.min(
    ...broken.map(({ exchange }) => exchange.number),
    ...more.map(({ first }) => first),
  );
  const [found] = broken;
  if (found === undefined) {
    if (more.length > 0) return { ...summary, foundAfter, reason: 'no more is kept of what broke it' };
    if (silenceBreaks) return withSilence(summary, explorations);
    return unlessSilent(
      summary,
      explorations.filter((_, at) => answered.includes(over[at]!)),
    );
  }

  const home = homeOf(over, found.case.experiment);
  const reduced = await reduce(
    home,
    found,
    (observation) => only(observation) && check(observation) !== undefined,
    shrinking === undefined ? home.shrinking : shrinking,
    run.settings.concurrency,
    repeats,
  );
  const { observation } = reduced;
  return {
    ...summary,
    foundAfter,
    counterexample: counterexample(
      run,
      found,
      observation.thin ? NOT_KEPT : check(observation)!,
      [observation.control, observation.exchange],
      {
        scenarios: [home.name],
        input: reduced.input,
        path: reduced.path,
        shrinks: reduced.shrinks,
        reproduced: `${reduced.again}/${reduced.repeats}`,
      },
    ),
  };
}

/** What is broken by a response of which too little is left to show it. */
const NOT_KEPT: Violation = {
  expected: 'what the statement says',
  actual: 'something else, in a response that was too long to be kept whole',
};

/** An input that breaks the connection each time, while others are answered, is a finding on that input. */
function withSilence(summary: Finding, explorations: readonly Exploration<Observation>[]): Finding {
  const silent = silentIn(explorations);
  const isAway = explorations.some(({ stopped }) => stopped !== undefined);
  if (silent.length === 0 || isAway || summary.cases === 0) return summary;
  const shown = silent[0]!.request.body?.toString() ?? '';
  const reason = `no reply to ${silent.length} inputs, however often they were sent, such as ${clipped(printable(shown), 100)}`;
  return {
    ...summary,
    verdict: brokenVerdict(summary.id),
    broken: silent.length,
    reason,
  };
}

/** An operation that gives no reply to what it must grant is gone, whatever it did before: that is no verdict. */
function unlessSilent(summary: Finding, explorations: readonly Exploration<Observation>[]): Finding {
  const [silent] = silentIn(explorations);
  return silent && summary.verdict === 'pass'
    ? { ...summary, verdict: 'inconclusive', reason: silent.message }
    : summary;
}

const silentIn = (explorations: readonly Exploration<Observation>[]): NoReply[] =>
  explorations.flatMap(({ lost }) => lost).filter((one) => one instanceof NoReply);

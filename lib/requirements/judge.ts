import type fc from 'fast-check';
import { REPEATS, reduce } from '../experiment/counterexample.ts';
import { eachOf, exampleOf } from '../experiment/counted.ts';
import type { Counted } from '../experiment/counted.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { Inconclusive } from '../experiment/observation.ts';
import type { Exploration, Observation } from '../experiment/observation.ts';
import type { Run } from '../experiment/run.ts';
import { curlOf } from '../target/curl.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Exchange } from '../target/exchange.ts';
import { record, redactAll } from '../target/record.ts';
import { entryOf, requirementIds } from './catalogue.ts';
import type { RequirementId } from './catalogue.ts';
import type { Counterexample, Finding, Violation } from './finding.ts';
import { clipped, printable } from './printable.ts';

/** How the exchanges of some experiments are judged. */
export interface Judgement<I, O extends Observation<I>> {
  /** The experiments whose exchanges are judged. */
  readonly over: readonly Experiment<I, O>[];
  /**
   * Which of their exchanges; all by default. Of the later ones of a long run no more is left than status, family,
   * outcome and whether there is an id: what can't be told by these is judged when it comes, but not counted.
   */
  readonly only?: (observation: O) => boolean;
  /** What a reader should know beside the verdict, from what was judged. */
  readonly note?: (observations: readonly O[]) => string | undefined;
  /** Whether a case that no reply came to breaks the requirement, as others were answered. */
  readonly silenceBreaks?: boolean;
  /** Of these no case may be without a reply: the operation is gone otherwise, whatever else it did before. */
  readonly answered?: readonly Experiment<I, O>[];
  /** The one assertion: undefined where the requirement holds. */
  readonly check: (observation: O) => Violation | undefined;
  /** How a broken case is made smaller; null: not at all; by default as its experiment does. */
  readonly shrinking?: fc.Arbitrary<I> | null;
  /** How often a broken case is sent again; less often where that takes long. */
  readonly repeats?: number;
}

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
  const [found = more[0] && (exampleOf(more[0]) as O)] = broken;
  if (found === undefined) {
    if (silenceBreaks) return withSilence(summary, explorations);
    const silent = explorations
      .filter((_, at) => answered.includes(over[at]!))
      .flatMap(({ lost }) => lost.filter((one) => one instanceof NoReply));
    return silent[0] && summary.verdict === 'pass'
      ? { ...summary, verdict: 'inconclusive', reason: silent[0].message }
      : summary;
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
    foundAfter: Math.min(...broken.map(({ exchange }) => exchange.number), ...more.map(({ first }) => first)),
    counterexample: counterexample(
      run,
      found,
      observation.thin ? NOT_KEPT : check(observation)!,
      [observation.control, observation.exchange],
      {
        experiments: [home.name],
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
  actual: 'something else, in a response that was too long, or one of too many, to be kept whole',
};

/** An input that breaks the connection each time, while others are answered, is a finding on that input. */
function withSilence(summary: Finding, explorations: readonly Exploration<Observation>[]): Finding {
  const silent = explorations.flatMap(({ lost }) => lost).filter((lost) => lost instanceof NoReply);
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

/** Of advice only a warning; whatever is not in the catalogue is a vendor's own, and fails. */
const brokenVerdict = (id: RequirementId): 'warn' | 'fail' =>
  requirementIds.includes(id) && entryOf(id).level === 'should' ? 'warn' : 'fail';

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
      experiments: [first.case.experiment, second.case.experiment],
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
  cases: readonly { experiment: string; family: string; input: I }[],
  round: number,
): Promise<O[]> {
  const [first, second] = cases.map(({ input }) => JSON.stringify(input));
  const mark = first === second ? `i${round}` : undefined;
  const pair: O[] = [];
  for (const { experiment, family, input } of cases) {
    pair.push(await homeOf(over, experiment).repeat(input, family, mark));
  }
  return pair.filter(only);
}

export function homeOf<I, O extends Observation<I>>(
  over: readonly Experiment<I, O>[],
  name: string,
): Experiment<I, O> {
  const home = over.find((experiment) => experiment.name === name);
  if (home === undefined) throw new Inconclusive('the case belongs to an experiment that no longer exists');
  return home;
}

function onlyWithoutReply(error: unknown): void {
  if (!(error instanceof NoReply) && !(error instanceof Stopped) && !(error instanceof Inconclusive))
    throw error;
}

/** What a requirement is judged by: observations, and what was only counted. */
interface Judged<O> {
  readonly whole: readonly O[];
  readonly counted: readonly Counted[];
}

function judgedIn<O extends Observation>(
  explorations: readonly Exploration<O>[],
  only: (observation: O) => boolean,
  hasCounted = true,
): Judged<O> {
  const counted = hasCounted ? explorations.flatMap((exploration) => exploration.counted) : [];
  return {
    whole: explorations.flatMap(({ observations }) => observations).filter(only),
    counted: counted.filter((one) => only(exampleOf(one) as O)),
  };
}

function* allOf<O extends Observation>({ whole, counted }: Judged<O>): Generator<O> {
  yield* whole;
  for (const one of counted) yield* eachOf(one) as Generator<O>;
}

const sizeOf = (counted: readonly Counted[]): number =>
  counted.reduce((sum, { given }) => sum + given.length, 0);

export function summarise<O extends Observation>(
  id: RequirementId,
  explorations: readonly Exploration<O>[],
  { whole, counted }: Judged<O>,
  broken: number,
  note?: string,
): Finding {
  const cases = whole.length + sizeOf(counted);
  const isGranted = ({ granted }: { readonly granted: boolean }): boolean => granted;
  const base = {
    id,
    cases,
    granted: whole.filter(isGranted).length + sizeOf(counted.filter(isGranted)),
    broken,
    inFlight: Math.max(
      0,
      ...whole.map(({ exchange }) => exchange.inFlight),
      ...counted.map(({ inFlight }) => inFlight),
    ),
  };
  if (broken > 0) return { ...base, verdict: brokenVerdict(id) };
  const stopped = explorations.find((exploration) => exploration.stopped !== undefined)?.stopped;
  const lost = explorations.flatMap((exploration) => exploration.lost);
  if (cases > 0) {
    const notes = [
      ...(note === undefined ? [] : [note]),
      ...(lost.length > 0 ? [`${lost.length} more without a reply or a control`] : []),
      ...(stopped === undefined ? [] : [`ended early: ${stopped}`]),
    ];
    return { ...base, verdict: 'pass', ...(notes.length > 0 ? { reason: notes.join('; ') } : {}) };
  }
  if (stopped !== undefined) return { ...base, verdict: 'untested', reason: stopped };
  if (lost.length > 0) {
    const isOptional = lost.some((one) => one instanceof Inconclusive && one.isOptional);
    return {
      ...base,
      verdict: 'inconclusive',
      reason: lost[0]!.message,
      ...(isOptional && { optional: true }),
    };
  }
  const reason = explorations.some(({ observations }) => observations.some(isGranted))
    ? 'no response was of the kind that it is about'
    : 'the target granted nothing that it could be judged by';
  return { ...base, verdict: 'untested', reason };
}

export function counterexample(
  run: Run,
  found: Observation,
  violation: Violation,
  exchanges: readonly (Exchange | undefined)[],
  reduced: Pick<Counterexample, 'experiments' | 'input' | 'path' | 'shrinks' | 'reproduced'>,
): Counterexample {
  const { redactor } = run.target;
  const shown = exchanges.filter((exchange) => exchange !== undefined);
  const last = shown.at(-1)!;
  const redacted = redactAll(
    {
      ...violation,
      family: found.case.family,
      foundWith: found.case.input,
      seed: run.settings.seed,
      ...reduced,
      exchanges: shown.map((exchange) => record(exchange, redactor)),
      curl: curlOf(last.request, last.url),
    },
    redactor,
  );
  // Where the key stands but does not count, the shell puts it in.
  const curl = redacted.curl.replaceAll('[key]', `'"$TARGET_API_KEY"'`);
  const [expected, actual] = [clipped(redacted.expected, 2000), clipped(redacted.actual, 2000)];
  return { ...redacted, expected, actual, curl };
}

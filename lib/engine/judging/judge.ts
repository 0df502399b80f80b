import type fc from 'fast-check';
import type { Counterexample } from '../../schemas/case.ts';
import type { TargetSettings } from '../../settings/run-settings.ts';
import { NoReply, bodyText } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { clipped, printable } from '../../target/output/printable.ts';
import { counterexample, failedCases } from './finding.ts';
import type { Finding, Violation } from './finding.ts';
import { Inconclusive, isServerError } from '../observation.ts';
import type { Exploration, JudgedBy, LostCase, Observation, Summary } from '../observation.ts';
import { REPEATS, isEachTime, repeatBoth, reproduce, scenarioOf } from './reproduce.ts';
import type { Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';

/** Whether a requirement judges an observation. */
export const judges = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean =>
  observation.recorded
    ? observation.recorded.judged.includes(requirement.id)
    : (observation.exchange.reply.part === undefined || requirement.judgesPart?.(observation) === true) &&
      (requirement.only?.(observation) ?? true) &&
      (requirement.restsOn ?? []).every((other) => !isBroken(other, observation, settings));

const breaks = (requirement: Requirement, observation: Observation, settings: TargetSettings): boolean =>
  observation.recorded
    ? observation.recorded.breaks.includes(requirement.id)
    : requirement.check?.(observation, settings) !== undefined;

const isBroken = (requirement: Requirement, observation: Observation, settings: TargetSettings): boolean =>
  judges(requirement, observation, settings) && breaks(requirement, observation, settings);

/** The requirements that judge an observation, and those that it breaks. */
export function judgedBy(
  requirements: readonly Requirement[],
  observation: Observation,
  settings: TargetSettings,
): JudgedBy {
  const judged = requirements.filter(
    (requirement) =>
      requirement.over.some(({ name }) => name === observation.case.scenario) &&
      judges(requirement, observation, settings),
  );
  return {
    judged: judged.map(({ id }) => id),
    breaks: judged.filter((one) => breaks(one, observation, settings)).map(({ id }) => id),
  };
}

interface JudgedCases {
  readonly explorations: readonly Exploration<Observation>[];
  readonly whole: readonly Observation[];
  readonly summaries: readonly Summary[];
}

/** Judges a requirement by the observations of its scenarios. */
export async function judge(run: Run, requirement: Requirement): Promise<Finding> {
  const explorations = await Promise.all(requirement.over.map((scenario) => run.explore(scenario)));
  const judged: JudgedCases = {
    explorations,
    whole: explorations
      .flatMap(({ observations }) => observations)
      .filter((observation) => judges(requirement, observation, run.settings)),
    summaries: explorations
      .flatMap(({ summaries }) => summaries)
      .filter(({ judged: ids }) => ids.includes(requirement.id)),
  };
  return requirement.compare ? judgeTogether(run, requirement, judged) : judgeEach(run, requirement, judged);
}

async function judgeEach(run: Run, requirement: Requirement, judged: JudgedCases): Promise<Finding> {
  const { settings } = run;
  const { explorations, whole, summaries } = judged;
  const broken = whole.filter((observation) => breaks(requirement, observation, settings));
  const more = summaries.filter((summary) => summary.breaks.includes(requirement.id));
  const summary = summarise(requirement, judged, broken.length + sizeOf(more), settings);
  const foundAfter = Math.min(
    ...broken.map(({ exchange }) => exchange.number),
    ...more.flatMap(({ ids }) => ids.map(([number]) => number)),
  );
  const violationBy = (observation: Observation): Violation =>
    observation.recorded ? TRUNCATED : requirement.check!(observation, settings)!;
  if (broken.length === 0) {
    if (more.length > 0) return { ...summary, foundAfter, reason: 'the failed exchanges were not kept' };
    return withUnanswered(requirement, summary, explorations);
  }
  const shown = await counterexampleOf(run, requirement, broken, violationBy, summary.cases);
  // Many rules fit a single case: a cause is named only if it was reproduced.
  const isChance = summary.broken === 1 && /^0\/[1-9]/.test(shown.reproduced);
  return {
    ...summary,
    ...(isChance ? {} : causeOf(requirement, judged, summary, settings)),
    failedCases: failedCases(run, broken, violationBy),
    foundAfter,
    counterexample: shown,
  };
}

/** Reproduces and shrinks the broken case that shows best what is wrong. @param cases how many were judged */
async function counterexampleOf(
  run: Run,
  requirement: Requirement,
  broken: readonly Observation[],
  violationBy: (observation: Observation) => Violation,
  cases: number,
): Promise<Counterexample> {
  // An exchange that breaks the requirement by itself shows it best.
  const found = broken.find((one) => !violationBy(one).inControl) ?? broken[0]!;
  const scenario = scenarioOf(requirement, found.case.scenario);
  const isBrokenAgain = (observation: Observation): boolean =>
    found.intermittent !== undefined
      ? isServerError(observation)
      : isBroken(requirement, observation, run.settings);
  const { observation, ...reproduced } = await reproduce(run, scenario, found, isBrokenAgain, {
    shrinking: (requirement.shrinking === undefined
      ? scenario.shrinking
      : requirement.shrinking) as fc.Arbitrary<unknown> | null,
    repeats: requirement.repeats ?? REPEATS,
  });
  const violation = violationBy(observation);
  const { control, exchange } = observation;
  const isIntermittentError =
    !isEachTime(reproduced.reproduced) && isError(brokenExchange(observation, violation));
  const errors = broken.map((one) => brokenExchange(one, violationBy(one))).filter(isError);
  const actual = isIntermittentError
    ? `${violation.actual}; ${intermittentErrors(errors, cases)}`
    : violation.actual;
  return counterexample(
    run,
    found,
    { ...violation, actual },
    violation.inControl ? [exchange, control] : [control, exchange],
    { scenarios: [scenario.name], ...reproduced },
  );
}

const brokenExchange = ({ control, exchange }: Observation, { inControl }: Violation): Exchange =>
  inControl ? control! : exchange;

const isError = ({ reply }: Exchange): boolean => reply.status >= 500;

/** Most numbers of exchanges that are listed. */
const MAX_LISTED = 6;

/** Lists the cases with a server error that does not occur each time. */
function intermittentErrors(errors: readonly Exchange[], cases: number): string {
  const numbers = errors.map(({ number }) => number).toSorted((one, other) => one - other);
  const more = numbers.length - MAX_LISTED;
  const list = `${numbers.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const exchanges = numbers.length === 1 ? 'exchange' : 'exchanges';
  const often = numbers.length === cases ? 'server errors' : 'intermittent server errors';
  return `${often} in ${numbers.length} of ${cases} cases (${exchanges} ${list})`;
}

/** The violation by a response that is truncated in the evidence. */
const TRUNCATED: Violation = {
  expected: 'as the requirement states',
  actual: 'a violation, in a response that is truncated in the evidence',
};

/** Compares exchanges: all that clash are one finding. */
async function judgeTogether(run: Run, requirement: Requirement, judged: JudgedCases): Promise<Finding> {
  const compared: JudgedCases = requirement.comparesIds ? judged : { ...judged, summaries: [] };
  const { whole, summaries } = compared;
  const clash = requirement.compare!(
    whole,
    summaries.flatMap(({ ids }) => ids),
  );
  const summary = summarise(requirement, compared, clash ? (clash.broken ?? 1) : 0, run.settings);
  if (clash === undefined) return summary;
  const { first, second, violation } = clash;
  const finding: Finding = {
    ...summary,
    ...causeOf(requirement, judged, summary, run.settings),
    foundAfter: Math.max(numberOf(first), numberOf(second)),
  };
  if (typeof second === 'number')
    return {
      ...finding,
      reason: `expected ${violation.expected}; exchanges ${numberOf(first)} and ${second} have ${violation.actual}; neither was kept`,
    };
  if (typeof first === 'number') {
    const expected = `${violation.expected}; exchange ${first}, which was not kept, has it`;
    const { scenario, input, index } = second.case;
    const alone = { scenarios: [scenario], input, path: String(index), shrinks: 0, reproduced: '0/0' };
    const shown = { ...violation, expected };
    return { ...finding, counterexample: counterexample(run, second, shown, [second.exchange], alone) };
  }
  return {
    ...finding,
    counterexample: counterexample(run, second, violation, [first.exchange, second.exchange], {
      scenarios: [first.case.scenario, second.case.scenario],
      input: [first.case.input ?? null, second.case.input],
      path: `${first.case.index},${second.case.index}`,
      shrinks: 0,
      reproduced: await repeatBoth(run, requirement, first, second),
    }),
  };
}

const numberOf = (one: Observation | number): number => (typeof one === 'number' ? one : one.exchange.number);

/** The likely cause of a failure; empty if none explains every broken case, or if not all of them were kept. */
function causeOf(
  requirement: Requirement,
  { explorations, summaries }: JudgedCases,
  { broken }: Finding,
  settings: TargetSettings,
): Pick<Finding, 'cause'> {
  if (summaries.some(({ breaks: ids }) => ids.includes(requirement.id))) return {};
  const observations = explorations.flatMap((exploration) => exploration.observations);
  const cause = requirement.likelyCause?.(observations, settings);
  return cause ? { cause: { ...cause, explains: broken, of: broken } } : {};
}

/** The cases without a response that the requirement says something about. */
const unansweredIn = (
  { unanswered, over }: Requirement,
  explorations: readonly Exploration<Observation>[],
): LostCase[] =>
  explorations
    .filter((_, at) => unanswered && (unanswered.in ?? over).includes(over[at]!))
    .flatMap(({ lost }) => lost)
    .filter(({ category }) => (unanswered!.category ?? category) === category);

/** Applies what a requirement says of inputs that got no reply each time they were sent, while others were answered. */
function withUnanswered(
  requirement: Requirement,
  summary: Finding,
  explorations: readonly Exploration<Observation>[],
): Finding {
  if (requirement.unanswered?.means !== 'violation') return summary;
  const silent = unansweredIn(requirement, explorations)
    .map(({ error }) => error)
    .filter((error) => error instanceof NoReply);
  const isAway = explorations.some(({ stopped }) => stopped !== undefined);
  const lastAnswered = Math.max(
    ...explorations.flatMap(({ observations }) => observations.map(({ exchange }) => exchange.number)),
  );
  const isBroken = ({ isClosed, after }: NoReply): boolean => isClosed && after < lastAnswered;
  const broken = requirement.level === 'must' ? silent.filter(isBroken) : silent;
  if (broken.length > 0 && summary.cases > 0 && !isAway) {
    const [{ request, troubles }] = broken as [NoReply];
    const inputs = broken.length === 1 ? 'an input' : `${broken.length} inputs`;
    const example = clipped(printable(bodyText(request)), 100);
    const reason = `no response to ${inputs} in ${troubles.length} attempts each, though others got one; such as ${example}`;
    const cases = summary.cases + broken.length;
    return { ...summary, cases, verdict: brokenVerdict(requirement), broken: broken.length, reason };
  }
  return silent.length > 0 && summary.verdict === 'pass'
    ? { ...summary, verdict: 'inconclusive', reason: silent[0]!.message }
    : summary;
}

const sizeOf = (summaries: readonly Summary[]): number =>
  summaries.reduce((sum, { ids }) => sum + ids.length, 0);

/** The finding of a requirement, without a counterexample. */
export function summarise(
  requirement: Requirement,
  { explorations, whole, summaries }: JudgedCases,
  broken: number,
  settings: TargetSettings,
): Finding {
  const cases = whole.length + sizeOf(summaries);
  const isAccepted = ({ accepted }: { readonly accepted: boolean }): boolean => accepted;
  const base = {
    id: requirement.id,
    cases,
    accepted: whole.filter(isAccepted).length + sizeOf(summaries.filter(isAccepted)),
    broken,
    inFlight: Math.max(
      0,
      ...whole.map(({ exchange }) => exchange.inFlight),
      ...summaries.map(({ inFlight }) => inFlight),
    ),
  };
  if (broken > 0) return { ...base, verdict: brokenVerdict(requirement) };
  const reason = whyTooLittle(requirement, explorations, cases);
  if (reason !== undefined) return { ...base, verdict: 'inconclusive', reason };
  return {
    ...base,
    ...(cases > 0
      ? passWith(requirement, whole, explorations, settings)
      : withoutCases(requirement, explorations, settings)),
  };
}

/** Why what was judged is too little for a verdict; undefined: it is not. */
function whyTooLittle(
  requirement: Requirement,
  explorations: readonly Exploration<Observation>[],
  cases: number,
): string | undefined {
  // What was cut off may be what had to be rejected.
  const cutOff = rejectionsIn(requirement, explorations).find(
    ({ error }) => error instanceof NoReply && error.hasBegun,
  );
  if (cutOff) return cutOff.error.message;
  // A pass needs the responses to all cases.
  const stopped = whyStopped(explorations);
  if (cases > 0 && stopped !== undefined) return `cut short after ${responses(cases)}: ${stopped}`;
  const { over, needsAllOf, rejectedForRate = () => false, unanswered } = requirement;
  const isMissing = explorations.some(
    ({ observations, lost }, at) =>
      over[at] === needsAllOf &&
      (observations.some(rejectedForRate) ||
        lost.some(
          ({ category, error }) => category === unanswered?.category && error instanceof Inconclusive,
        )),
  );
  return isMissing
    ? 'the target answered too many requests with wrong keys with 429; raise that limit, or exempt this client'
    : undefined;
}

/** A pass, with what it does not rest on. */
function passWith(
  { note: noteOn, rejectedForRate = () => false }: Requirement,
  whole: readonly Observation[],
  explorations: readonly Exploration<Observation>[],
  settings: TargetSettings,
): Outcome {
  const unjudged = explorations.flatMap(({ observations }) => observations).filter(rejectedForRate).length;
  const lost = explorations.flatMap((exploration) => exploration.lost).length;
  const notes = [
    noteOn?.(whole, settings) ?? [],
    unjudged > 0 ? `${unjudged} more not judged, as the target rejected them for their rate` : [],
    lost > 0 ? `${lost} more without a reply, or without an accepted control` : [],
  ].flat();
  const sample = whole[0]?.exchange.number;
  return {
    verdict: 'pass',
    ...(unjudged > 0 && { unjudged }),
    ...(sample !== undefined && { sample }),
    ...(notes.length > 0 && { reason: notes.join('; ') }),
  };
}

/** The verdict where there is no response to judge. */
function withoutCases(
  requirement: Requirement,
  explorations: readonly Exploration<Observation>[],
  settings: TargetSettings,
): Outcome {
  const stopped = whyStopped(explorations);
  if (stopped !== undefined) return { verdict: 'untested', reason: stopped };
  const rejections = rejectionsIn(requirement, explorations);
  if (rejections.length > 0 && rejections.every(isClosed))
    return {
      cases: rejections.length,
      verdict: 'pass',
      reason: 'the target rejected all by closing the connection without a response',
    };
  const errors = explorations.flatMap(({ lost }) => lost.map(({ error }) => error));
  if (errors.length === 0)
    return { verdict: 'untested', reason: whyUntested(requirement, explorations, settings) };
  const isOptional = errors.some((error) => error instanceof Inconclusive && error.isOptional);
  return { verdict: 'inconclusive', reason: errors[0]!.message, ...(isOptional && { optional: true }) };
}

type Outcome = Pick<Finding, 'verdict'> & Partial<Finding>;

const whyStopped = (explorations: readonly Exploration<Observation>[]): string | undefined =>
  explorations.find(({ stopped }) => stopped !== undefined)?.stopped;

/** The cases without a response that count as rejections. */
const rejectionsIn = (
  requirement: Requirement,
  explorations: readonly Exploration<Observation>[],
): LostCase[] =>
  requirement.unanswered?.means === 'rejection' ? unansweredIn(requirement, explorations) : [];

function whyUntested(
  { restsOn = [], only = () => true, subject }: Requirement,
  explorations: readonly Exploration<Observation>[],
  settings: TargetSettings,
): string {
  const observations = explorations.flatMap((exploration) => exploration.observations);
  const waitsFor = restsOn.find((other) =>
    observations.some((observation) => only(observation) && isBroken(other, observation, settings)),
  );
  if (waitsFor) return `not judged: every response breaks ${waitsFor.id}`;
  if (subject !== undefined && observations.length > 0) return `no ${subject} was seen`;
  if (observations.some(({ accepted }) => accepted)) return 'no response was of the kind that it judges';
  return 'the target accepted no request that shows it';
}

/** Whether the target closed the connection at each try, though it answered other requests. */
const isClosed = ({ error }: LostCase): boolean => error instanceof NoReply && error.isClosed;

const responses = (count: number): string => `${count} ${count === 1 ? 'response' : 'responses'}`;

const brokenVerdict = ({ level }: Requirement): 'warn' | 'fail' => (level === 'should' ? 'warn' : 'fail');

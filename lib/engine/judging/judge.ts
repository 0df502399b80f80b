import type { Finding } from '../../schemas/report.ts';
import type fc from 'fast-check';
import type { Counterexample } from '../../schemas/case.ts';
import type { TargetSettings } from '../../settings/run-settings.ts';
import {
  countSummarised,
  hasServiceFailed,
  hasPlainInput,
  isWithoutReply,
  unlessWithoutReply,
} from '../observation.ts';
import type { Observation } from '../observation.ts';
import type { Clash, Requirement } from '../requirement.ts';
import type { Run } from '../scenario.ts';
import { timesIn } from './failure-text.ts';
import type { Cause } from '../../causes/cause.ts';
import { INTERMITTENT, PAGE } from '../../causes/responses.ts';
import { counterexample, failedCases } from './finding.ts';
import { NOTHING_JUDGED } from '../../schemas/case.ts';
import type { Violation } from './finding.ts';
import { REPEATS, repeatAlone, repeatBoth, reproduce, scenarioOf } from './reproduce.ts';
import { findingOfCases } from './finding-of-cases.ts';
import type { JudgedCases } from './finding-of-cases.ts';
import { Stopped } from '../../target/exchange.ts';
import { redactAll } from '../../target/output/record.ts';
import { appliesTo, failsCheck, isBrokenBy, judgedAs, whyUntestable } from '../requirement.ts';
import { replay, replayFirst } from './replay.ts';
import { isPage } from '../../target/reply.ts';

/** The finding of a requirement, without secrets; its reason if there is no verdict. @throws any error that is a defect */
export function findingOf(run: Run, requirement: Requirement): Promise<Finding> {
  const { replay: saved } = run.settings;
  return redacted(run, requirement, () =>
    saved ? replay(run, requirement, saved) : replayFirst(run, requirement, () => judge(run, requirement)),
  );
}

/** The finding of a requirement of a custom suite, whose errors are not defects of this one. */
export const customFindingOf = (run: Run, requirement: Requirement): Promise<Finding> =>
  redacted(run, requirement, () =>
    judge(run, requirement).catch((error: unknown) => {
      if (isWithoutReply(error)) throw error;
      return findingWithoutCases(requirement, 'inconclusive', `the custom suite threw: ${String(error)}`);
    }),
  );

async function redacted(
  { settings, target }: Run,
  requirement: Requirement,
  judged: () => Promise<Finding>,
): Promise<Finding> {
  const lacking = whyUntestable(requirement, settings);
  if (lacking !== undefined)
    return { ...findingWithoutCases(requirement, 'untested', lacking), optional: true };
  try {
    return redactAll(await judged(), target.redactor);
  } catch (error) {
    if (!isWithoutReply(error)) throw error;
    const verdict = error instanceof Stopped ? 'untested' : 'inconclusive';
    return redactAll(findingWithoutCases(requirement, verdict, error.message), target.redactor);
  }
}

const findingWithoutCases = (
  { id }: Requirement,
  verdict: 'untested' | 'inconclusive',
  reason: string,
): Finding => ({
  id,
  ...NOTHING_JUDGED,
  verdict,
  reason,
});

/** Judges a requirement by the observations of its scenarios. */
export async function judge(run: Run, requirement: Requirement): Promise<Finding> {
  const { over, rejections } = requirement;
  const explorations = await Promise.all(over.map((scenario) => run.explore(scenario)));
  const valid = rejections && (await unlessWithoutReply(run.explore(rejections.valid)));
  const judged: JudgedCases = {
    explorations,
    valid: (valid?.observations ?? []).filter((one) => !run.isDueToLimit(one)),
    whole: explorations
      .flatMap(({ observations }) => observations)
      .filter((one) => !run.isDueToLimit(one))
      .map((one) => judgedAs(run, requirement, one))
      .filter((one) => appliesTo(requirement, one, run.settings)),
    summaries: explorations
      .flatMap(({ summaries }) => summaries)
      .filter(({ judged: ids }) => ids.includes(requirement.id)),
  };
  return requirement.compare ? judgeTogether(run, requirement, judged) : judgeEach(run, requirement, judged);
}

async function judgeEach(run: Run, requirement: Requirement, judged: JudgedCases): Promise<Finding> {
  const { settings } = run;
  const { whole, summaries } = judged;
  const broken = whole.filter((observation) => failsCheck(requirement, observation, settings));
  const more = summaries.filter((summary) => summary.breaks.includes(requirement.id));
  const finding = findingOfCases(requirement, judged, broken.length + countSummarised(more), settings);
  const foundAfter = [
    ...broken.map(({ exchange }) => exchange.number),
    ...more.flatMap(({ ids }) => ids.map(([number]) => number)),
  ].reduce((least, number) => Math.min(least, number), Infinity);
  const violationBy = (observation: Observation): Violation =>
    observation.judgedBefore ? TRUNCATED : requirement.check!(observation, settings)!;
  if (broken.length === 0)
    return more.length > 0
      ? { ...finding, foundAfter, reason: 'the failed exchanges were not kept' }
      : finding;
  const [minimal, shown] = await counterexampleOf(run, requirement, broken, violationBy);
  const [times, attempts] = timesIn(shown.reproduced);
  const isIntermittent = times < attempts && finding.broken < finding.cases && shown.alone === undefined;
  // Many rules fit a single case: a cause is named only if it was reproduced each time.
  const isChance = finding.broken === 1 && times < attempts;
  // A page that does not follow a recommendation, such as to list methods, may be one of the service itself.
  const isRejectedByPage =
    requirement.level !== 'should' &&
    broken.every(({ accepted, exchange }) => !accepted && isPage(exchange.reply));
  const cause = isChance
    ? undefined
    : (causeOf(requirement, judged, settings, [minimal]) ??
      (isRejectedByPage ? PAGE : isIntermittent ? INTERMITTENT : undefined));
  return {
    ...finding,
    ...(cause && { cause }),
    failedCases: failedCases(run, broken, violationBy),
    foundAfter,
    counterexample: shown,
  };
}

/** Broken cases from which one is chosen. */
const MAX_CANDIDATES = 100;

/** A request is shown in place of another one if its weight is less than this part of it. */
const MUCH_LESS = 0.8;
/** How much more a character of the path counts than others: an odd one makes it hard to see what is wrong. */
const PATH_WEIGHT = 4;

/** How many characters an input that is not plain counts for, as it seems to be the cause even of failures by chance. */
const ODD_WEIGHT = 40;

/** Approximately how many characters of a request people have to read. */
const weightOf = (observation: Observation): number => {
  const { path, fields, body } = observation.exchange.request;
  const characters = PATH_WEIGHT * path.length + fields.flat().join('').length + (body?.length ?? 0);
  return characters + (hasPlainInput(observation) ? 0 : ODD_WEIGHT);
};

/** Reproduces and shrinks the clearest broken case. @returns the minimal one, and how it is shown */
async function counterexampleOf(
  run: Run,
  requirement: Requirement,
  broken: readonly Observation[],
  violationBy: (observation: Observation) => Violation,
): Promise<readonly [minimal: Observation, shown: Counterexample]> {
  // Clearest is an exchange that breaks the requirement on its own, and one that is much shorter: not all can be shrunk.
  const [first = broken[0]!, ...others] = broken
    .filter((one) => !violationBy(one).inControl)
    .slice(0, MAX_CANDIDATES);
  const found = others.reduce(
    (best, one) => (weightOf(one) < MUCH_LESS * weightOf(best) ? one : best),
    first,
  );
  const scenario = scenarioOf(requirement, found.case.scenario);
  const isBrokenAgain = (observation: Observation): boolean =>
    found.intermittent !== undefined
      ? hasServiceFailed(observation)
      : isBrokenBy(requirement, observation, run.settings);
  const { observation, ...reproduced } = await reproduce(run, scenario, found, isBrokenAgain, {
    shrinking: (requirement.shrinking === undefined
      ? scenario.shrinking
      : requirement.shrinking) as fc.Arbitrary<unknown> | null,
    repeats: requirement.repeats ?? REPEATS,
  });
  const violation = violationBy(observation);
  const { control, exchange } = observation;
  const alone = violation.inControl
    ? undefined
    : await repeatAlone(run, observation, reproduced.reproduced, isBrokenAgain);
  const exchanges = violation.inControl ? [exchange, control] : [control, exchange];
  return [
    observation,
    counterexample(run, found, violation, exchanges, {
      scenarios: [scenario.name],
      ...reproduced,
      ...(alone && { alone }),
    }),
  ];
}

const TRUNCATED: Violation = {
  expected: 'as the requirement states',
  actual: 'a violation, in a response that is truncated in the evidence',
};

/** Compares exchanges: all that clash are one finding. */
async function judgeTogether(run: Run, requirement: Requirement, judged: JudgedCases): Promise<Finding> {
  const compared: JudgedCases = requirement.comparesIds ? judged : { ...judged, summaries: [] };
  const { whole, summaries } = compared;
  const clash: Clash<Observation> | undefined = requirement.compare!(
    whole,
    summaries.flatMap(({ ids }) => ids),
  );
  const base = findingOfCases(requirement, compared, clash ? (clash.broken ?? 1) : 0, run.settings);
  if (clash === undefined) return base;
  const { first, second, violation } = clash;
  const cause = causeOf(requirement, judged, run.settings);
  const finding: Finding = {
    ...base,
    ...(cause && { cause }),
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

/**
 * The likely cause of a failure; undefined if none explains every broken case, or if not all of them were kept.
 * @param more observations beside those of the scenarios, such as the minimal one, whose input has only what matters
 */
function causeOf(
  requirement: Requirement,
  { explorations, summaries }: JudgedCases,
  settings: TargetSettings,
  more: readonly Observation[] = [],
): Cause | undefined {
  if (summaries.some(({ breaks: ids }) => ids.includes(requirement.id))) return undefined;
  const own = explorations.flatMap((exploration) => exploration.observations);
  const exchanges = new Set(own.map(({ exchange }) => exchange));
  const observations = [...own, ...more.filter(({ exchange }) => !exchanges.has(exchange))];
  return requirement.likelyCause?.(observations, settings);
}

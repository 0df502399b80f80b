import { ONLY_IN_PROFILE } from '../engine/answers/answer.ts';
import type { EndedRun } from '../engine/reporter-channel.ts';
import { whyUntestable } from '../engine/requirement.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { StopCause } from '../schemas/evidence.ts';
import { byId } from '../schemas/json.ts';
import { NOTHING_JUDGED } from '../schemas/case.ts';
import type {
  CustomFinding,
  Finding,
  Report,
  ReportedCause,
  ReportedQuestion,
  ReportedRequirement,
} from '../schemas/report.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { clipped } from '../target/output/printable.ts';
import { comparedWith, withBaseline } from '../verdict/baseline.ts';
import type { Comparison } from '../verdict/baseline.ts';
import { failsRun, isFailure, verdictOf } from '../verdict/verdict.ts';
import type { Circumstances } from '../verdict/verdict.ts';
import { withWaivers } from '../verdict/waivers.ts';
import { suite } from '../settings/package-root.ts';
import { causesOf } from './order.ts';
import { answerLine, differingParts } from './text.ts';

/** What a report is made from. */
export interface RunOutcome {
  readonly settings: TargetSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly findings?: readonly Finding[];
  readonly custom?: readonly CustomFinding[];
  /** Undefined: its suites have not ended. */
  readonly ended?: EndedRun | undefined;
  /** Why it ended early; of recorded evidence, why the recorded run did. */
  readonly stopCause?: StopCause | undefined;
  /** Whether it is still under way: the report then has no results. */
  readonly isUnfinished?: boolean;
  /** The selected ids, as `--only` takes them; undefined: all. */
  readonly only?: string | undefined;
  /** Messages of errors of the suite itself. */
  readonly defects?: readonly string[];
}

/** Makes the report of a run. It contains all that a renderer needs of the catalogue of requirements. */
export function makeReport(outcome: RunOutcome, catalogue: Catalogue): Report {
  const { settings, startedAt, only, stopCause, defects = [], custom = [], isUnfinished = false } = outcome;
  const { traffic, customers, trouble, created, cases = settings.cases } = outcome.ended ?? {};
  const { profile, embedded, strict, customSuites, baseline } = settings;
  const questions = questionsIn(outcome, catalogue);
  const comparison = baseline && { baseline, strict, cases, now: startedAt };
  const waived = withWaivers(
    [...requirementsIn(outcome, catalogue), ...declaredRequirements(outcome, questions)],
    profile,
    startedAt,
  );
  const requirements = comparison ? withBaseline(waived, comparison) : waived;
  // A profile of another service says nothing about the embedded one.
  const name = settings.name ?? (embedded ? 'embedded reference service' : profile?.name);
  return {
    schemaVersion: 1,
    suite,
    target: {
      baseUrl: settings.baseUrl,
      ...(name !== undefined && { name }),
      ...(embedded && { embedded: true }),
      ...(settings.route.description !== undefined && { route: settings.route.description }),
    },
    run: {
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(outcome.durationMs),
      http: settings.route.http,
      seed: settings.seed,
      cases,
      ...(cases < settings.cases && { wantedCases: settings.cases }),
      ...(settings.shard && { shard: settings.shard }),
      requests: traffic?.requests ?? 0,
      ...(customers && { customers }),
      retries: traffic?.retries ?? 0,
      ...(trouble !== undefined && { trouble }),
      throttled: traffic?.throttled ?? 0,
      waitedMs: Math.round(traffic?.waited ?? 0),
      ...(traffic &&
        traffic.outages > 0 && {
          outages: traffic.outages,
          unavailableMs: Math.round(traffic.unavailable),
        }),
      inFlight: traffic?.peak ?? 0,
      latency: traffic?.latency ?? {},
      strict,
      ...(only !== undefined && { only }),
      ...(isUnfinished && { unfinished: true }),
      ...(traffic?.stopped === undefined ? {} : { stopped: traffic.stopped }),
      ...(defects.length > 0 && { defects }),
    },
    ...overallResults(
      requirements,
      { isVoid: defects.length > 0 || isUnfinished, strict, isSelection: only !== undefined, stopCause },
      comparison,
    ),
    questions,
    sentences: catalogue.sentences,
    ...(created && { created }),
    ...(customSuites && {
      custom,
      ...(customSuites.counts && { customCounts: true }),
    }),
  };
}

/** The results of all requirements, and what follows from them together. @param comparison with a baseline, if there is one */
export function overallResults(
  requirements: readonly ReportedRequirement[],
  circumstances: Circumstances,
  comparison: Comparison | undefined,
): Pick<Report, 'verdict' | 'requirements' | 'baseline' | 'causes'> {
  const failed = requirements.filter((one) => failsRun(one, circumstances.strict));
  const isOfFailure = (cause: ReportedCause): boolean =>
    failed.length === 0 || failed.some(({ id }) => cause.requirements.includes(id));
  // Beside a failure, the cause of a recommendation that is not followed would be taken for its cause.
  const causes = causesOf(requirements.filter(isFailure)).filter(isOfFailure);
  return {
    verdict: verdictOf(requirements, circumstances),
    requirements,
    ...(comparison && { baseline: comparedWith(requirements, comparison) }),
    ...(causes.length > 0 && { causes }),
  };
}

/** Why a requirement has no finding, and a question no answer. */
function whyAbsent({ isUnfinished, stopCause, only }: RunOutcome): string {
  if (isUnfinished) return 'the run has not ended';
  if (stopCause === 'interrupt') return 'the run was interrupted';
  return only === undefined ? 'it did not run' : 'not selected';
}

function requirementsIn(outcome: RunOutcome, { requirements }: Catalogue): ReportedRequirement[] {
  const { findings = [], only, settings } = outcome;
  const found = byId(findings);
  return requirements.map((requirement): ReportedRequirement => {
    const { id, level, section, source, needs, sentence, statement, problem } = requirement;
    const { why = '', tested = '' } = requirement;
    const finding = found.get(id);
    return {
      id,
      level,
      section,
      ...(source !== undefined && { source }),
      ...(needs && { needs }),
      statement,
      ...(problem !== undefined && finding && isFailure(finding) && { problem }),
      ...(sentence !== undefined && { sentence }),
      why,
      tested,
      ...(finding ?? {
        verdict: 'untested',
        reason: whyAbsent(outcome),
        // A requirement that was not selected, or that no profile declares, may be untested.
        ...((only !== undefined || whyUntestable(requirement, settings) !== undefined) && {
          optional: true,
        }),
        ...NOTHING_JUDGED,
      }),
    };
  });
}

const questionsIn = (outcome: RunOutcome, { questions }: Catalogue): ReportedQuestion[] =>
  questions.map(({ id, section, question, asked }) => {
    const isForOperator = asked === 'operator' && outcome.only === undefined;
    const reason = isForOperator ? ONLY_IN_PROFILE : whyAbsent(outcome);
    const answer = outcome.ended?.answers.find((one) => one.id === id) ?? {
      id,
      reason,
      exchanges: [],
      cases: 0,
    };
    return { section, question, asked, ...answer };
  });

/** The answers of the profile as requirements: a different answer is drift, and fails. */
const declaredRequirements = (
  { ended, only, settings: { profile } }: RunOutcome,
  questions: readonly ReportedQuestion[],
): ReportedRequirement[] =>
  questions
    .filter(({ id, asked }) => asked !== 'operator' && Object.hasOwn(profile?.answers ?? {}, id))
    .map((answered) => {
      const { id, section, question, answer, reason, unanswerable, drift = false, cases } = answered;
      const verdict = answer === undefined ? 'untested' : drift ? 'fail' : 'pass';
      return {
        id,
        section,
        level: 'declared',
        statement: `${question} The answer is as declared in the profile.`,
        ...(drift && { problem: `${question} The answer is not the one that the profile declares.` }),
        ...NOTHING_JUDGED,
        verdict,
        cases,
        broken: drift ? 1 : 0,
        reason: answer === undefined ? (reason ?? '') : answerLine(answer),
        ...((unanswerable || (only !== undefined && !ended?.answers.some((one) => one.id === id))) && {
          optional: true,
        }),
        ...(drift && driftIn(answered)),
      };
    });

function driftIn({
  declared,
  answer,
  exchanges,
  curl = '',
}: ReportedQuestion): Pick<ReportedRequirement, 'reason' | 'counterexample'> {
  const [expected, actual] = differingParts(declared, answer);
  return {
    reason: `drift: observed ${clipped(actual, 50)}, declared ${clipped(expected, 50)}`,
    counterexample: {
      expected,
      actual,
      scenarios: [],
      category: 'drift',
      input: null,
      originalInput: null,
      seed: 0,
      path: '',
      shrinks: 0,
      reproduced: '1/1',
      exchanges,
      curl,
    },
  };
}

import { join } from 'node:path';
import { partOf, EVIDENCE } from '../settings/files.ts';
import { isExploring } from '../settings/run-settings.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { NoReply, pathOf } from '../target/exchange.ts';
import { redactAll } from '../target/output/record.ts';
import { answer, isAsked } from './answers/answer.ts';
import type { Answer } from './answers/answer.ts';
import { evidenceOf } from './evidence/evidence.ts';
import { writeLines } from './evidence/lines.ts';
import { countSummarised } from './judging/finding-of-cases.ts';
import { readRecorded } from './evidence/recorded.ts';
import { adviceAfter } from './readiness/budget.ts';
import type { EndedRun, ReporterChannel } from './reporter-channel.ts';
import { isAccepted } from './observation.ts';
import { OPEN_QUESTIONS, testNameOf, matcherOf, whyUntestable } from './requirement.ts';
import type { Catalogue, Question, Requirement } from './requirement.ts';
import { openRun } from './run.ts';
import { hasRightKey, phase, withUsed } from './scenario.ts';
import type { Phase, Run, Scenario } from './scenario.ts';

/** The chapters that are tested, and the tests of these by name. */
export interface ChapterSelection {
  readonly chapters: readonly string[];
  readonly pattern: string | undefined;
}

/** The run that all chapters share, as their tests use it. */
export interface Conformance {
  readonly run: Run;
  /** Asks a question, once a run. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** The run of the custom suites, which begins when the run of the interface is over. */
  readonly customRun: (requirements: readonly Requirement[]) => Run;
}

/** What a run tests, and the order in which it sends. */
export interface Suites {
  readonly catalogue: Catalogue;
  readonly plan: readonly Phase[];
}

/** Opens the run, starts all scenarios that the selected tests need, and, after they are used, reports the results. */
export async function shareRun(
  { catalogue, plan }: Suites,
  settings: TargetSettings,
  selection: ChapterSelection | undefined,
  reporter: ReporterChannel,
  use: (conformance: Conformance) => Promise<void>,
): Promise<void> {
  const { requirements } = catalogue;
  const recorded =
    settings.evidence === undefined ? undefined : readRecorded(settings.evidence, settings.route);
  const run = openRun({ settings, plan, requirements, report: reporter.post, recorded });
  const answers = new Map<Question, Promise<Answer>>();
  const ask = (question: Question): Promise<Answer> => {
    const asked = answers.get(question) ?? answer(run, question);
    answers.set(question, asked);
    return asked;
  };
  let custom: Run | undefined;
  let stopReason: string | undefined;
  const stop = (one: Run | undefined): void => {
    if (stopReason === undefined || one === undefined) return;
    one.target.stop(stopReason, 'interrupt');
    // Whoever ends the run does not wait for slow responses.
    void one.target.close();
  };
  reporter.onStop((reason) => {
    stopReason = reason;
    for (const one of [run, custom]) stop(one);
  });
  if (selection && settings.replay === undefined) run.start(neededBy(run, catalogue, selection));
  await use({
    run,
    ask,
    customRun: (own) => {
      custom ??= openRun({
        settings,
        requirements: own,
        report: reporter.post,
        previous: run,
        plan: [phase('custom suites', { sends: [...withUsed(own.flatMap(({ over }) => over))] })],
      });
      stop(custom);
      return custom;
    },
  });
  await run.target.close();
  await custom?.target.close();
  const { traffic, redactor, now } = run.target;
  const part = join(settings.out, partOf(EVIDENCE));
  const trouble = await commonTroubleIn(run);
  const ended: EndedRun = {
    cases: run.cases,
    customers: await customersIn(run, plan),
    trouble: trouble && redactor.redact(trouble),
    traffic: {
      ...redactAll(traffic, redactor),
      ...(recorded && { stopCause: recorded.stopCause }),
      requests: traffic.requests + (custom?.target.traffic.requests ?? 0),
      ...(traffic.stopCause === 'budget' &&
        isExploring(settings) &&
        settings.only === undefined && {
          stopped: `${traffic.stopped}; ${(await silenceIn(run)) ?? adviceAfter(traffic, now / 1000, settings, trouble)}`,
        }),
    },
    created: {
      runId: run.runId(),
      customers: [...run.created, ...(custom?.created ?? [])].map((id) => redactor.redact(id)),
    },
    answers: await Promise.all(answers.values()),
    // The reporter reads this file, adds the first and the last lines, and deletes it.
    evidence:
      selection && isExploring(settings) ? await writeLines(part, evidenceOf(run, requirements)) : undefined,
  };
  reporter.post({ ended });
  reporter.close();
}

/** How many customers were requested with the right key, and accepted. */
async function customersIn(run: Run, plan: readonly Phase[]): Promise<EndedRun['customers']> {
  const scenarios = plan.flatMap(({ sends }) => sends).filter(({ kind }: Scenario) => kind === 'customers');
  const names = new Set(scenarios.map(({ name }: Scenario) => name));
  const explorations = (await run.explored()).flatMap(([name, exploration]) =>
    names.has(name) && !(exploration instanceof Error) ? exploration : [],
  );
  const observations = explorations.flatMap((one) => one.observations);
  const summaries = explorations.flatMap((one) => one.summaries);
  return {
    requested: observations.length + countSummarised(summaries),
    accepted: observations.filter(isAccepted).length + countSummarised(summaries.filter(isAccepted)),
  };
}

/** Minimum number of requests without a response that explains why a run took too long. */
const MIN_SILENT = 4;

/** How many requests had no response in time, in words; undefined: too few to explain a run that took too long. */
async function silenceIn(run: Run): Promise<string | undefined> {
  const silent = (await givenUpIn(run)).filter(({ troubles }) => troubles.at(-1)!.kind === 'timeout');
  const right = silent.filter((error) => hasRightKey(run, error)).length;
  const wrong = silent.length - right;
  if (Math.max(right, wrong) < MIN_SILENT) return undefined;
  const afters = silent.map(({ after }) => after);
  const last = Math.max(...run.exchanges.map(({ number }) => number), ...afters);
  // Requests in flight with the first silent one may have been answered.
  const isAll = Math.min(...afters) > last - run.settings.concurrency;
  if (isAll && new Set(silent.map(({ request }) => pathOf(request))).size > 1)
    return `nothing has been answered since exchange ${last}: see the log of the service, and whether it, or a firewall, has blocked this client for its wrong keys and odd input; if it serves few requests at a time, lower --concurrency`;
  return wrong > right
    ? `${wrong} requests with wrong keys had no response in time: let the target reject them immediately`
    : `${right} requests with the right key had no response within ${run.settings.timeout} s: see the log of the service for what holds them up, or raise --timeout`;
}

/** What most attempts without a final response have met, in a few words; undefined: there were none. */
async function commonTroubleIn(run: Run): Promise<string | undefined> {
  const troubles = [...run.exchanges, ...(await givenUpIn(run))].flatMap((one) => one.troubles);
  const details = [
    // Without the body of a first response, and how long each was to wait.
    ...troubles.map(({ detail }) => /^(?:status \d+|[^,]*)/.exec(detail)![0]),
    ...run.target.repeatedAfter.map((status) => `status ${status}`),
  ];
  const [mostCommon] = [...Map.groupBy(details, (detail) => detail)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return mostCommon?.[0];
}

/** The requests that had no final response. */
async function givenUpIn(run: Run): Promise<NoReply[]> {
  return (await run.explored())
    .flatMap(([, exploration]) => (exploration instanceof Error ? [] : exploration.lost))
    .map(({ error }) => error)
    .filter((error) => error instanceof NoReply);
}

/**
 * The scenarios of all selected chapters and questions: they are started together, as the test files run one after the
 * other.
 */
function neededBy(
  run: Run,
  { chapters, questions }: Catalogue,
  { chapters: names, pattern }: ChapterSelection,
): Scenario[] {
  const isMatch = (name: string): boolean => pattern === undefined || new RegExp(pattern).test(name);
  const tested = chapters
    .filter(({ name }) => names.includes(name))
    .flatMap(({ title, requirements }) =>
      requirements.filter(({ id, statement }) => isMatch(`${title} ${testNameOf(id, statement)}`)),
    )
    .filter((requirement) => whyUntestable(requirement, run.settings) === undefined);
  const asked =
    names.includes('questions') && isMatch(OPEN_QUESTIONS)
      ? questions.filter((question) => isAsked(run, question) && isSelected(run.settings, question))
      : [];
  return [...tested, ...asked].flatMap(({ over = [] }) => over);
}

/** Whether `--only` selects a question. */
export const isSelected = ({ only }: TargetSettings, { id }: Question): boolean =>
  only === undefined || matcherOf(only)(id);

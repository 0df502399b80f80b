import { join } from 'node:path';
import { test as base, describe, inject } from 'vitest';
import type { CustomFinding } from '../schemas/report.ts';
import { isRecording } from '../settings/run-settings.ts';
import type { Settings, TargetSettings } from '../settings/run-settings.ts';
import { redactAll } from '../target/output/record.ts';
import { answer, isAsked } from './answers/answer.ts';
import type { Answer } from './answers/answer.ts';
import { isKnown } from '../schemas/baseline.ts';
import { isWaived } from '../schemas/profile.ts';
import { adviceAfter } from './readiness/budget.ts';
import { evidenceOf } from './evidence/evidence.ts';
import { caseFileIn, failureText } from './judging/failure-text.ts';
import type { Finding } from './judging/finding.ts';
import { judge } from './judging/judge.ts';
import { whyUntestable } from './operations/life.ts';
import { writeLines } from './evidence/lines.ts';
import { openReporterChannel } from './reporter-channel.ts';
import { Stopped } from '../target/exchange.ts';
import { isWithoutReply } from './observation.ts';
import { readRecorded } from './evidence/recorded.ts';
import { replay, replayFirst } from './judging/replay.ts';
import { OPEN_QUESTIONS, globsIn, patternOf } from './requirement.ts';
import type { Catalogue, Chapter, Question, Requirement } from './requirement.ts';
import { openRun } from './run.ts';
import { phase } from './scenario.ts';
import type { Phase, Run, Scenario } from './scenario.ts';

/** Data that the suites and the reporter exchange through Vitest. */
declare module 'vitest' {
  interface TaskMeta {
    finding?: Finding;
    custom?: CustomFinding;
  }
  interface ProvidedContext {
    /** The settings of the command line; absent under plain `vitest run`. */
    settings?: Settings;
    /** The settings with a target, for the suites and the reporter. */
    target: TargetSettings;
    /** Absent with another reporter: each test then sends its requests when it starts. */
    selection?: ChapterSelection;
  }
}

interface ChapterSelection {
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

/** Whether a failure does not fail the run: the profile waives it, or the baseline knows it. */
function isExcused({ profile, baseline }: Settings, id: string): boolean {
  const now = new Date();
  return isWaived(profile, id, now) || isKnown(baseline, id, now);
}

interface Suites {
  readonly catalogue: Catalogue;
  readonly plan: readonly Phase[];
}

/** The functions that make tests of requirements. The tests share one run, from the first test to the end of the worker. */
export function defineSuites(suites: Suites) {
  const test = base.extend<{ conformance: Conformance }>({
    // The empty pattern tells Vitest that this fixture needs no other one.
    conformance: [
      async ({}, use) => shareRun(suites, inject('target'), inject('selection'), use),
      { scope: 'worker' },
    ],
  });

  /** The test of a requirement: its level is the tag, its finding the meta. */
  const testRequirement = (requirement: Requirement): void => {
    const { id, level, statement } = requirement;
    test(`${id}: ${statement}`, { tags: [level] }, async ({ conformance: { run }, task, skip }) => {
      const finding = redactAll(await findingOf(run, requirement), run.target.redactor);
      task.meta.finding = finding;
      const { verdict, reason, optional = false } = finding;
      const fails = verdict === 'fail' || (verdict === 'warn' && run.settings.strict);
      if (fails && !isExcused(run.settings, id))
        throw new Failure(
          'RequirementFailure',
          failureText({ ...requirement, ...finding }, caseFileIn(run.settings.out, id)),
        );
      if (verdict !== 'untested' && verdict !== 'inconclusive') return;
      if (level === 'should' || optional) skip(reason);
      throw new Failure('NoVerdict', `${id}: ${verdict}: ${reason}`);
    });
  };

  return {
    /** The tests of a chapter. */
    chapter: ({ title, requirements }: Chapter): void => {
      describe(title, () => {
        requirements.forEach(testRequirement);
      });
    },

    /** The open questions: one test asks them all, and each declared answer has a test. */
    questions: (title: string, questions: readonly Question[]): void => {
      const { profile } = inject('target');
      describe(title, () => {
        test(OPEN_QUESTIONS, async ({ conformance: { run, ask } }) => {
          await Promise.all(questions.filter((one) => isSelected(run.settings, one)).map(ask));
        });
        for (const question of questions) {
          if (question.asked === 'operator' || profile?.answers[question.id] === undefined) continue;
          test(
            `${question.id}: ${question.question}`,
            { tags: ['declared'] },
            async ({ conformance, skip }) => {
              const { drift, declared, answer: found, reason } = await conformance.ask(question);
              if (drift && !isExcused(conformance.run.settings, question.id))
                throw new Failure(
                  'Drift',
                  `declared ${JSON.stringify(declared)}, got ${JSON.stringify(found)}`,
                );
              if (found === undefined) skip(reason);
            },
          );
        }
      });
    },

    /** The tests of a custom suite. They never fail, as they do not affect the verdict on the interface. */
    custom: <R extends Pick<Requirement, 'id' | 'statement'>>(
      source: string,
      requirements: readonly R[],
      judgeOne: (requirement: R, conformance: Conformance) => Promise<Finding>,
    ): void => {
      describe(source, () => {
        for (const requirement of requirements) {
          const { id, statement } = requirement;
          test(`${id}: ${statement}`, async ({ conformance, task, skip }) => {
            const { redactor } = conformance.run.target;
            const found = await judgeOne(requirement, conformance).catch((error: unknown) =>
              threw(id, error),
            );
            const finding: CustomFinding = { ...redactAll({ ...found, statement }, redactor), id, source };
            task.meta.custom = finding;
            if (finding.verdict === 'untested' || finding.verdict === 'inconclusive') skip(finding.reason);
          });
        }
      });
    },
  };
}

/** The finding of a requirement; its reason if there is no verdict. */
async function findingOf(run: Run, requirement: Requirement): Promise<Finding> {
  const { id } = requirement;
  const { replay: recorded } = run.settings;
  const reason = whyUntestable(requirement, run.settings);
  if (reason !== undefined) return { ...nothing(id), verdict: 'untested', reason, optional: true };
  try {
    return recorded
      ? await replay(run, requirement, recorded)
      : await replayFirst(run, requirement, () => judge(run, requirement));
  } catch (error) {
    return withoutVerdict(id, error);
  }
}

/** The finding for an error. @throws any error that is a defect */
function withoutVerdict(id: string, error: unknown): Finding {
  if (!isWithoutReply(error)) throw error;
  const verdict = error instanceof Stopped ? 'untested' : 'inconclusive';
  return { ...nothing(id), verdict, reason: error.message };
}

/** The finding for an error of a custom suite, which is no defect of this suite. */
function threw(id: string, error: unknown): Finding {
  try {
    return withoutVerdict(id, error);
  } catch {
    return { ...nothing(id), verdict: 'inconclusive', reason: `it threw: ${String(error)}` };
  }
}

/** The finding of a requirement without a judged exchange. */
const nothing = (id: string): Omit<Finding, 'verdict'> => ({
  id,
  cases: 0,
  accepted: 0,
  broken: 0,
  inFlight: 0,
});

/** A failure of a requirement, without a stack, which would only show the code of the suite. */
class Failure extends Error {
  override readonly stack = '';
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Whether `--only` selects a question. */
function isSelected({ only }: TargetSettings, { id }: Question): boolean {
  return only === undefined || globsIn(only).some((glob) => new RegExp(`^${patternOf(glob)}$`).test(id));
}

/** Opens the run, starts all scenarios that the selected tests need, and, when the worker ends, reports the results. */
async function shareRun(
  { catalogue, plan }: Suites,
  settings: TargetSettings,
  selection: ChapterSelection | undefined,
  use: (conformance: Conformance) => Promise<void>,
): Promise<void> {
  const { requirements } = catalogue;
  const reporter = openReporterChannel();
  const run = openRun({
    settings,
    plan,
    requirements,
    listener: reporter,
    recorded: settings.evidence === undefined ? undefined : readRecorded(settings.evidence, settings.route),
  });
  reporter.onStop((reason) => run.target.stop(reason, 'interrupt'));
  const answers = new Map<Question, Promise<Answer>>();
  const ask = (question: Question): Promise<Answer> => {
    const asked = answers.get(question) ?? answer(run, question);
    answers.set(question, asked);
    return asked;
  };
  let custom: Run | undefined;
  if (selection && settings.replay === undefined) run.start(neededBy(run, catalogue, selection));
  await use({
    run,
    ask,
    customRun: (own) =>
      (custom ??= openRun({
        settings,
        requirements: own,
        listener: reporter,
        following: run,
        plan: [phase('custom suites', { sends: [...new Set(own.flatMap(({ over }) => over))] })],
      })),
  });
  await run.target.close();
  await custom?.target.close();
  const { traffic, redactor, now } = run.target;
  const part = join(settings.out, `evidence.ndjson.${process.pid}.part`);
  reporter.ended({
    traffic: {
      ...traffic,
      requests: traffic.requests + (custom?.target.traffic.requests ?? 0),
      ...(traffic.stopCause === 'budget' &&
        isRecording(settings) &&
        settings.only === undefined && {
          stopped: `${traffic.stopped}; ${adviceAfter(traffic, now / 1000, settings)}`,
        }),
    },
    created: {
      runId: run.runId,
      customers: [...run.created, ...(custom?.created ?? [])].map((id) => redactor.redact(id)),
    },
    answers: await Promise.all(answers.values()),
    // The reporter adds the first and the last lines, and moves the file.
    evidence:
      selection && isRecording(settings) ? await writeLines(part, evidenceOf(run, requirements)) : undefined,
  });
  reporter.close();
}

/**
 * The scenarios of all selected chapters and questions: started together, their test files lose no time one after the
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
      requirements.filter(({ id, statement }) => isMatch(`${title} ${id}: ${statement}`)),
    )
    .filter((requirement) => whyUntestable(requirement, run.settings) === undefined);
  const asked =
    names.includes('questions') && isMatch(OPEN_QUESTIONS)
      ? questions.filter((question) => isAsked(run, question) && isSelected(run.settings, question))
      : [];
  return [...tested, ...asked].flatMap(({ over = [] }) => over);
}

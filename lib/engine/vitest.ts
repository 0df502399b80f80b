import { join } from 'node:path';
import { test as base, describe, inject } from 'vitest';
import type { CustomFinding } from '../schemas/report.ts';
import type { Settings, TargetSettings } from '../settings/settings.ts';
import { redactAll } from '../target/record.ts';
import { OPEN_QUESTIONS, answer, isAsked } from './answer.ts';
import type { Answer } from './answer.ts';
import { isWaived } from './declared.ts';
import { evidenceOf } from './evidence.ts';
import { failureText } from './failure-text.ts';
import type { Finding } from './finding.ts';
import { judge } from './judge.ts';
import { lackingFor } from './life.ts';
import { writeLines } from './lines.ts';
import { openReporterChannel } from './reporter-channel.ts';
import { Stopped } from '../target/exchange.ts';
import { readRecorded } from './recorded.ts';
import { replay, replayFirst } from './replay.ts';
import { isWithoutReply } from './reproduce.ts';
import type { Catalogue, Chapter, Question, Requirement } from './requirement.ts';
import { openRun } from './run.ts';
import type { Run } from './run.ts';
import { phase } from './scenario.ts';
import type { Phase, Scenario } from './scenario.ts';

/** What the suites and the reporter exchange by way of Vitest. */
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
    /** Absent where another reporter runs: each test then sends what it needs when it starts. */
    selection?: Selection;
  }
}

/** The chapters whose files were selected, and the pattern for the names of their tests. */
interface Selection {
  readonly chapters: readonly string[];
  readonly pattern: string | undefined;
}

/** The run that all chapters share, as their tests use it. */
interface Conformance {
  readonly run: Run;
  /** Asks a question, once a run. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** The run of the custom suites, which begins when the other one is over. */
  readonly customRun: (requirements: readonly Requirement[]) => Run;
}

/** The suites: what they check and ask, and the order in which a run sends. */
export interface Suites {
  readonly catalogue: Catalogue;
  readonly plan: readonly Phase[];
}

/** The functions that make tests of requirements. They share one run: it begins with the first test and ends with the worker. */
export function suitesOf(suites: Suites) {
  const test = base.extend<{ conformance: Conformance }>({
    // Vitest reads the pattern to see which fixtures this one needs: none.
    conformance: [
      async ({}, use) => conduct(suites, inject('target'), inject('selection'), use),
      { scope: 'worker' },
    ],
  });

  /** One requirement is one test: its level is the tag, its finding the meta. */
  const testRequirement = (requirement: Requirement): void => {
    const { id, level, statement } = requirement;
    test(`${id}: ${statement}`, { tags: [level] }, async ({ conformance: { run }, task, skip }) => {
      const finding = redactAll(await findingOf(run, requirement), run.target.redactor);
      task.meta.finding = finding;
      const { verdict, reason, optional = false } = finding;
      const fails = verdict === 'fail' || (verdict === 'warn' && run.settings.strict);
      if (fails && !isWaived(run.settings.profile, id, new Date()))
        throw new Failure(
          'RequirementFailure',
          failureText({ ...requirement, ...finding }, run.settings.out),
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

    /** The open questions: one test asks them all; an answer that the profile declares is a test of its own. */
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
              if (drift && !isWaived(profile, question.id, new Date()))
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

    /** Requirements of a custom suite. They never fail as tests: they have no part in the interface's verdict. */
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

/** Judges a requirement, or says why it has no verdict. */
async function findingOf(run: Run, requirement: Requirement): Promise<Finding> {
  const { id } = requirement;
  const { profile, replay: recorded } = run.settings;
  const lacking = lackingFor(requirement, profile);
  if (lacking !== undefined) return { ...nothing(id), verdict: 'untested', reason: lacking, optional: true };
  try {
    return recorded
      ? await replay(run, requirement, recorded)
      : await replayFirst(run, requirement, () => judge(run, requirement));
  } catch (error) {
    return withoutVerdict(id, error);
  }
}

/** The finding that an error stands for. @throws any error that is a defect */
function withoutVerdict(id: string, error: unknown): Finding {
  if (!isWithoutReply(error)) throw error;
  const verdict = error instanceof Stopped ? 'untested' : 'inconclusive';
  return { ...nothing(id), verdict, reason: error.message };
}

/** What the code of a custom suite throws is no defect of this suite, and no verdict of its own. */
function threw(id: string, error: unknown): Finding {
  try {
    return withoutVerdict(id, error);
  } catch {
    return { ...nothing(id), verdict: 'inconclusive', reason: `it threw: ${String(error)}` };
  }
}

/** A finding before anything is found. */
export const nothing = (id: string): Omit<Finding, 'verdict'> => ({
  id,
  cases: 0,
  accepted: 0,
  broken: 0,
  inFlight: 0,
});

/** What a user reads in place of a stack: the message says everything. */
class Failure extends Error {
  override readonly stack = '';
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Whether `--only` is about a question. */
function isSelected({ only }: TargetSettings, { id }: Question): boolean {
  const patterns = only?.split(',').map((text) =>
    text
      .trim()
      .replaceAll('.', String.raw`\.`)
      .replaceAll('*', '.*'),
  );
  return patterns?.some((pattern) => new RegExp(`^${pattern}$`).test(id)) ?? true;
}

/** Opens the run, starts all that the selected tests need, and, when the worker ends, leaves what the reporter needs. */
async function conduct(
  { catalogue, plan }: Suites,
  settings: TargetSettings,
  selection: Selection | undefined,
  use: (conformance: Conformance) => Promise<void>,
): Promise<void> {
  const { requirements } = catalogue;
  const reporter = openReporterChannel();
  const run = openRun({
    settings,
    plan,
    requirements,
    listener: reporter,
    recorded: settings.evidence === undefined ? undefined : readRecorded(settings.evidence),
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
  const { traffic, redactor } = run.target;
  const part = join(settings.out, `evidence.ndjson.${process.pid}.part`);
  const isRecording = settings.replay === undefined && settings.evidence === undefined;
  reporter.ended({
    traffic: { ...traffic, requests: traffic.requests + (custom?.target.traffic.requests ?? 0) },
    created: {
      runId: run.runId,
      customers: [...run.created, ...(custom?.created ?? [])].map((id) => redactor.redact(id)),
    },
    answers: await Promise.all(answers.values()),
    // The reporter completes it, and puts it in its place.
    evidence: isRecording ? await writeLines(part, evidenceOf(run, requirements)) : undefined,
  });
  reporter.close();
}

/** The scenarios of all selected chapters and questions: files that are run one after the other cost no time. */
function neededBy(
  run: Run,
  { chapters, questions }: Catalogue,
  { chapters: names, pattern }: Selection,
): Scenario[] {
  const isMatch = (name: string): boolean => pattern === undefined || new RegExp(pattern).test(name);
  const tested = chapters
    .filter(({ name }) => names.includes(name))
    .flatMap(({ title, requirements }) =>
      requirements.filter(({ id, statement }) => isMatch(`${title} ${id}: ${statement}`)),
    )
    .filter((requirement) => lackingFor(requirement, run.settings.profile) === undefined);
  const asked =
    names.includes('questions') && isMatch(OPEN_QUESTIONS)
      ? questions.filter((question) => isAsked(run, question) && isSelected(run.settings, question))
      : [];
  return [...tested, ...asked].flatMap(({ over = [] }) => over);
}

import { join } from 'node:path';
import { partOf, EVIDENCE } from '../settings/files.ts';
import { isExploring } from '../settings/run-settings.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { answer, isAsked } from './answers/answer.ts';
import type { Answer } from './answers/answer.ts';
import { evidenceOf } from './evidence/evidence.ts';
import { endOf } from './ended-run.ts';
import { writeLines } from './evidence/lines.ts';
import { readRecorded } from './evidence/recorded.ts';
import type { EndedRun, ReporterChannel } from './reporter-channel.ts';
import { OPEN_QUESTIONS, selectedOf, testNameOf } from './selection.ts';
import { whyUntestable } from './requirement.ts';
import type { Catalogue } from './catalogue.ts';
import type { Question } from './question.ts';
import type { Requirement } from './requirement.ts';
import { openRun } from './run.ts';
import { phase, withUsed } from './scenario.ts';
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
  const recorded = settings.recording && readRecorded(settings.recording.path, settings.route);
  const run = openRun({ settings, plan, requirements, report: reporter.post, recorded });
  const answers = new Map<Question, Promise<Answer>>();
  const ask = (question: Question): Promise<Answer> => {
    const asked = answers.get(question) ?? answer(run, question);
    answers.set(question, asked);
    return asked;
  };
  let custom: Run | undefined;
  let stopReason: string | undefined;
  const stopAll = (): void => {
    if (stopReason === undefined) return;
    for (const { target } of [run, custom ?? []].flat()) {
      target.stop(stopReason, 'interrupt');
      // An interrupt does not wait for slow responses.
      void target.close();
    }
  };
  reporter.onStop((reason) => {
    stopReason = reason;
    stopAll();
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
      stopAll();
      return custom;
    },
  });
  await run.target.close();
  await custom?.target.close();
  const part = join(settings.out, partOf(EVIDENCE));
  const ended: EndedRun = {
    ...(await endOf(run, custom)),
    answers: await Promise.all(answers.values()),
    // The reporter reads this file, adds the first and the last lines, and deletes it.
    evidence:
      selection && isExploring(settings) ? await writeLines(part, evidenceOf(run, requirements)) : undefined,
  };
  reporter.post({ ended });
  reporter.close();
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
      selectedOf(run.settings, requirements).filter(({ id, statement }) =>
        isMatch(`${title} ${testNameOf(id, statement)}`),
      ),
    )
    .filter((requirement) => whyUntestable(requirement, run.settings) === undefined);
  const asked =
    names.includes('questions') && isMatch(OPEN_QUESTIONS)
      ? selectedOf(run.settings, questions).filter((question) => isAsked(run, question))
      : [];
  return [...tested, ...asked].flatMap(({ over = [] }) => over);
}

import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { onMessage } from '../engine/reporter-channel.ts';
import type { EndedRun } from '../engine/reporter-channel.ts';
import { OPEN_QUESTIONS } from '../engine/selection.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { CustomFinding } from '../schemas/report.ts';
import { isExploring } from '../settings/run-settings.ts';
import { makeReportAndFinish, writeAndPrintRun, writeUnfinished } from './finish.ts';
import type { Finish } from './finish.ts';
import type { RunOutcome } from './model.ts';
import { createProgress } from './progress-line.ts';
import { NOTHING_JUDGED } from '../schemas/case.ts';

const PROJECT = 'conformance';

interface ReporterOptions {
  /** What the suites check and ask; loaded when it is needed. */
  readonly catalogue: () => Promise<Catalogue>;
  /** Writes, prints or compares a report. */
  readonly finish?: Finish;
  readonly onSettled?: (exitCode: number) => void;
  /** Is called when custom suites can't be used, with the reasons; must end the process. */
  readonly onUnusable?: (problems: readonly string[]) => void;
}

/** Makes the reports, the screen and the exit code from what the suites have found. Never throws. */
export function conformanceReporter({
  catalogue,
  finish = writeAndPrintRun,
  onSettled = () => {},
  onUnusable = () => {},
}: ReporterOptions): Reporter {
  const stream = process.stdout;
  let vitest: Vitest;
  let startedAt = new Date();
  /** When it was, by a clock that nothing sets. */
  let startTime = performance.now();
  let stopListening: (() => void) | undefined;
  let progress = createProgress(stream, true);
  let judged = 0;
  const secrets = new Set<string>();
  let ending = Promise.withResolvers<EndedRun>();
  let chapters: string[] = [];
  let unfinished: Promise<void> | undefined;
  /** Writes reports marked unfinished, which remain if the run is killed. */
  const begin = ({ project }: TestModule): void => {
    if (project.name !== PROJECT || unfinished !== undefined) return;
    const { targetSettings: settings } = project.getProvidedContext();
    if (!isExploring(settings)) return;
    unfinished = catalogue()
      .then((all) => {
        const only = settings.only ?? (isSelection(vitest, chapters, all) ? '*' : undefined);
        return writeUnfinished({ settings, startedAt, only }, all);
      })
      // The end of the run has the same problem, and reports it.
      .catch(() => {});
  };
  return {
    onInit(instance) {
      vitest = instance;
    },
    onTestRunStart(specifications) {
      const own = specifications.filter(({ project }) => project.name === PROJECT);
      if (own.length === 0) return;
      startedAt = new Date();
      startTime = performance.now();
      ending = Promise.withResolvers();
      const pattern = vitest.config.testNamePattern?.source;
      chapters = chaptersOf(own);
      unfinished = undefined;
      own[0]!.project.provide('selection', { chapters, pattern });
      // Under plain `vitest run`, which has no settings of a command, Vitest shows the progress.
      const { commandSettings: settings } = own[0]!.project.getProvidedContext();
      progress = createProgress(stream, settings === undefined || settings.verbosity === 'quiet');
      stopListening = onMessage((message) => {
        if ('requests' in message) {
          progress.update({ ...message, judged });
        } else if ('text' in message) progress.remark(message.text);
        else if ('secret' in message) secrets.add(message.secret);
        else if ('unusable' in message) {
          progress.end();
          onUnusable(message.unusable);
        } else if ('ended' in message) ending.resolve(message.ended);
      });
    },
    onTestModuleQueued(module) {
      // If custom suites can't be loaded, the run ends before it begins: no unfinished report is written for them.
      if (!isCustomSuitesModule(module)) begin(module);
    },
    onTestModuleCollected(module) {
      begin(module);
    },
    onTestCaseResult({ project }) {
      if (project.name === PROJECT) judged++;
    },
    async onTestRunEnd(modules, errors, reason) {
      const own = modules.filter(({ project }) => project.name === PROJECT);
      if (own.length === 0) return;
      // The worker ends the run, and with it the messages, when its last file is done.
      const hasRun = own.some(({ children }) => [...children.allTests()].some(hasResult));
      const ended = hasRun
        ? await Promise.race([ending.promise, delay(LONGEST_END, undefined, { ref: false })])
        : undefined;
      await unfinished;
      stopListening?.();
      progress.end();
      const all = await catalogue();
      const code = await makeReportAndFinish(
        {
          ...resultsOf(own, isSelection(vitest, chaptersOf(own), all)),
          startedAt,
          durationMs: performance.now() - startTime,
          ended,
          stopCause: reason === 'interrupted' ? 'interrupt' : ended?.traffic.stopCause,
          defects: [
            ...errors.map(({ message }) => message),
            ...defectsIn(own),
            ...(hasRun && ended === undefined ? ['the run did not end with its suites'] : []),
          ],
        },
        secrets,
        all,
        finish,
        stream,
      );
      // Keeps the exit code that a failure of another project in the same Vitest run has set.
      if (code !== 0) process.exitCode = code;
      onSettled(code);
    },
  };
}

const chaptersOf = (modules: readonly { readonly moduleId: string }[]): string[] =>
  modules.map(({ moduleId }) => basename(moduleId).replace(/\.test\.[jt]s$/, ''));

/** Milliseconds that a run may take to write its evidence. */
const LONGEST_END = 60_000;

/** Whether a test has left a result. Those of the open questions need none. */
const hasResult = (test: TestCase): boolean =>
  test.meta().finding !== undefined || test.meta().custom !== undefined || isQuestionsTest(test);

const isQuestionsTest = (test: TestCase): boolean =>
  test.module.moduleId.includes('questions.test.') && test.result().state !== 'skipped';

/** Errors that are not findings, but defects of the suite. */
function defectsIn(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allTests('passed')]
      .filter((test) => !hasResult(test))
      .filter((test) => !isPlainTest(test))
      .map((test) => `${test.name}: it left no finding`),
    ...[...module.children.allTests('failed')]
      .filter((test) => !hasResult(test) || test.name === OPEN_QUESTIONS)
      .filter((test) => !isPlainTest(test))
      .flatMap((test) => (test.result().errors ?? []).map(({ message }) => `${test.name}: ${message}`)),
  ]);
}

/** Whether a test of a custom suite is a plain Vitest test, not a requirement. Ignores tests that were not selected. */
const isPlainTest = (test: TestCase): boolean =>
  isCustomSuitesModule(test.module) && test.meta().custom === undefined && test.result().state !== 'skipped';

const isCustomSuitesModule = ({ moduleId }: TestModule): boolean => moduleId.includes('custom.test.');

/** What the tests have left. @param isPart whether Vitest ran only a part of the suites */
function resultsOf(
  modules: readonly TestModule[],
  isPart: boolean,
): Pick<RunOutcome, 'settings' | 'findings' | 'custom' | 'only'> {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const settings = modules[0]!.project.getProvidedContext().targetSettings;
  const findings = tests.flatMap((test) => test.meta().finding ?? []);
  return {
    settings,
    findings,
    // A plain test has no id that `--only` could select.
    custom: tests.flatMap(
      (test) =>
        test.meta().custom ?? (settings.only === undefined && isPlainTest(test) ? plainTest(test) : []),
    ),
    only: settings.only ?? (isPart ? findings.map(({ id }) => id).join() : undefined),
  };
}

/** Whether Vitest runs only a part of the suites, without `--only`. */
function isSelection(
  { config: { testNamePattern, tagsFilter } }: Vitest,
  names: readonly string[],
  { chapters }: Pick<Catalogue, 'chapters'>,
): boolean {
  return (
    testNamePattern !== undefined ||
    tagsFilter !== undefined ||
    chapters.some(({ name }) => !names.includes(name))
  );
}

/** The finding of a test of a custom suite that is not a requirement. */
const plainTest = (test: TestCase): CustomFinding => ({
  id: test.name,
  statement: 'The suite consists of requirements.',
  file: test.parent.type === 'suite' ? test.parent.name : '',
  verdict: 'inconclusive',
  reason: 'it is a plain test; export a requirement in its place',
  ...NOTHING_JUDGED,
});

import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { onProgress } from '../requirements/progress.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { makeReport } from './model.ts';
import type { Report } from './model.ts';
import { createProgress } from './progress-line.ts';
import { replayExitCode, replayScreen } from './replay-screen.ts';
import { screenOf } from './screen.ts';
import { suite } from './suite.ts';
import { writeProfileOf } from './write-profile.ts';
import { writeReports } from './write.ts';

const PROJECT = 'conformance';

/** Turns what the suites found into reports, the screen and the exit code. Never throws. */
export function conformanceReporter(stream: NodeJS.WriteStream = process.stdout): Reporter {
  let vitest: Vitest;
  let startedAt = new Date();
  let stopListening: (() => void) | undefined;
  const progress = createProgress(stream);
  let judged = 0;
  return {
    onInit(instance) {
      vitest = instance;
    },
    onTestRunStart(specifications) {
      if (!specifications.some(({ project }) => project.name === PROJECT)) return;
      startedAt = new Date();
      stopListening = onProgress((news) =>
        typeof news === 'number' ? progress.update(news, judged) : progress.say(news),
      );
    },
    onTestCaseResult({ project }) {
      if (project.name === PROJECT) judged++;
    },
    async onTestRunEnd(modules, errors, reason) {
      stopListening?.();
      progress.clear();
      const own = modules.filter(({ project }) => project.name === PROJECT);
      if (own.length === 0) return;
      const problems = [...errors.map(({ message }) => message), ...defectsIn(own)];
      try {
        const report = reportOf(vitest, own, startedAt, reason === 'interrupted');
        const { out, replay, writeProfile } = own[0]!.project.getProvidedContext().target;
        const replayed = replay && report.requirements.find(({ id }) => id === replay.requirement)!;
        if (replayed) stream.write(replayScreen(replayed, out));
        else {
          const written = await writeReports(report, out);
          const profile = writeProfile === undefined ? undefined : await writeProfileOf(report, writeProfile);
          stream.write(screenOf(report, written, stream, profile));
        }
        const code = replayed ? replayExitCode(replayed) : exitCodes[report.verdict];
        if (problems.length === 0) return setExitCode(code);
      } catch (error) {
        problems.push(`the report could not be made: ${(error as Error).message}`);
      }
      for (const problem of problems)
        stream.write(`\nThe suite itself failed, please report it: ${problem}\n`);
      setExitCode(exitCodes.defect);
    },
  };
}

// A failure of other projects in the same Vitest run is not taken back.
function setExitCode(code: number): void {
  if (code !== 0) process.exitCode = code;
}

const hasNothing = (test: TestCase): boolean =>
  test.meta().finding === undefined && test.meta().answer === undefined;

/** Errors that are no finding: the suite's own. */
function defectsIn(modules: readonly TestModule[]): string[] {
  return modules.flatMap((module) => [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allTests('passed')]
      .filter(hasNothing)
      .map((test) => `${test.name}: it left neither a finding nor an answer`),
    ...[...module.children.allTests('failed')]
      .filter(hasNothing)
      .flatMap((test) => (test.result().errors ?? []).map(({ message }) => `${test.name}: ${message}`)),
  ]);
}

function reportOf(
  vitest: Vitest,
  modules: readonly TestModule[],
  startedAt: Date,
  interrupted: boolean,
): Report {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const findings = tests.flatMap((test) => test.meta().finding ?? []);
  const isFiltered = vitest.config.testNamePattern !== undefined || vitest.config.tagsFilter !== undefined;
  return makeReport(
    {
      settings: modules[0]!.project.getProvidedContext().target,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      findings,
      answers: tests.flatMap((test) => test.meta().answer ?? []),
      interrupted,
      absent: interrupted ? 'the run was interrupted' : isFiltered ? 'not selected' : 'it did not run',
      traffic: modules.map((module) => module.meta().traffic).find((traffic) => traffic !== undefined),
    },
    suite,
  );
}

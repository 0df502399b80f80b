import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { clipped, printable } from '../target/printable.ts';
import { onNews } from '../engine/progress.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { makeReport } from './model.ts';
import type { Outcome } from './model.ts';
import { guardAgainst, withoutLate } from './guard.ts';
import type { Guard } from './guard.ts';
import { finishRun } from './finish.ts';
import type { Finish } from './finish.ts';
import { linesIn } from '../engine/lines.ts';
import type { Lines } from '../engine/lines.ts';
import { NotWritten, notWritten } from './write.ts';
import { NOT_SELECTED } from './screen.ts';
import { createProgress } from './progress-line.ts';
import { suite } from './suite.ts';

const PROJECT = 'conformance';

/** How a reporter goes about it. */
interface Manner {
  readonly stream?: NodeJS.WriteStream;
  /** Whether it does not count while the run goes on. */
  readonly isQuiet?: boolean;
  /** Hears that the suites wait for the target: this thread has nothing to do meanwhile. */
  readonly onWaiting?: () => void;
  /** Hears that the exit code is set. */
  readonly onSettled?: () => void;
}

/**
 * Turns what the suites found into reports, the screen and the exit code. Never throws.
 * @param finish what is made of a report
 */
export function conformanceReporter(
  finish: Finish = finishRun,
  { stream = process.stdout, isQuiet = false, onWaiting = () => {}, onSettled = () => {} }: Manner = {},
): Reporter {
  let vitest: Vitest;
  let startedAt = new Date();
  let stopListening: (() => void) | undefined;
  const progress = createProgress(stream, isQuiet);
  let judged = 0;
  let isWaiting = false;
  const secrets = new Set<string>();
  return {
    onInit(instance) {
      vitest = instance;
    },
    onTestRunStart(specifications) {
      if (!specifications.some(({ project }) => project.name === PROJECT)) return;
      startedAt = new Date();
      stopListening = onNews((news) => {
        if ('requests' in news) {
          if (!isWaiting) onWaiting();
          isWaiting = true;
          progress.update(news.requests, judged);
        } else if ('text' in news) progress.say(news.text);
        else secrets.add(news.secret);
      });
    },
    onTestCaseResult({ project }) {
      if (project.name === PROJECT) judged++;
    },
    async onTestRunEnd(modules, errors, reason) {
      const own = modules.filter(({ project }) => project.name === PROJECT);
      if (own.length === 0) return;
      await allTold(own, secrets);
      stopListening?.();
      progress.clear();
      const { apiKey } = own[0]!.project.getProvidedContext().target;
      const guard = guardAgainst([apiKey, ...secrets]);
      const defects = [...errors.map(({ message }) => message), ...defectsIn(own)].map((text) =>
        withheld(guard, text),
      );
      let code: number = exitCodes.defect;
      try {
        const outcome = outcomeOf(vitest, own, startedAt, reason === 'interrupted', defects);
        // The key is known from the start: if it is there, the gate must find it.
        const tokens = [...secrets].filter((secret) => secret !== apiKey);
        const report = withoutLate(makeReport(outcome, suite), tokens);
        const came = await finish({ report, outcome, seen: await seenBy(own), guard, stream });
        if (defects.length === 0) code = came;
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof NotWritten) stream.write(`\nThere is no verdict: ${printable(message)}\n`);
        else defects.push(withheld(guard, `the report could not be made: ${message}`));
      }
      for (const text of defects)
        stream.write(`\nThe suite itself failed, please report it: ${printable(text)}\n`);
      setExitCode(code);
      onSettled();
    },
  };
}

/** Waits until every secret that the suites know of has arrived, for a second at most. */
async function allTold(modules: readonly TestModule[], secrets: ReadonlySet<string>): Promise<void> {
  const count = Math.max(0, ...modules.map((module) => module.meta().secrets ?? 0));
  for (let turn = 0; secrets.size < count && turn < 100; turn++) await delay(10);
}

/** The lines of the evidence that the suites have written; undefined: none. @throws {NotWritten} */
async function seenBy(modules: readonly TestModule[]): Promise<Lines | undefined> {
  const part = modules.map((module) => module.meta().evidence).find((written) => written !== undefined);
  if (part === undefined) return undefined;
  const { path, code } = part;
  if (code !== undefined) throw notWritten(path, part);
  const bytes = await readFile(path);
  await rm(path, { force: true });
  return linesIn(bytes);
}

/** The beginning of an error's text, unless it holds a secret. */
function withheld(guard: Guard, text: string): string {
  try {
    return clipped(guard('its text', stripVTControlCharacters(text)), 2000);
  } catch (error) {
    return (error as Error).message;
  }
}

// A failure of other projects in the same Vitest run is not taken back.
function setExitCode(code: number): void {
  if (code !== 0) process.exitCode = code;
}

const hasNothing = (test: TestCase): boolean =>
  test.meta().finding === undefined && test.meta().answer === undefined && test.meta().own === undefined;

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

function outcomeOf(
  vitest: Vitest,
  modules: readonly TestModule[],
  startedAt: Date,
  interrupted: boolean,
  defects: readonly string[],
): Outcome {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const findings = tests.flatMap((test) => test.meta().finding ?? []);
  const isFiltered = vitest.config.testNamePattern !== undefined || vitest.config.tagsFilter !== undefined;
  return {
    settings: modules[0]!.project.getProvidedContext().target,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    findings,
    created: modules.flatMap((module) => module.meta().created ?? [])[0],
    answers: tests.flatMap((test) => test.meta().answer ?? []),
    custom: tests.flatMap((test) => test.meta().own ?? []),
    interrupted,
    defects,
    absent: interrupted ? 'the run was interrupted' : isFiltered ? NOT_SELECTED : 'it did not run',
    traffic: modules.map((module) => module.meta().traffic).find((traffic) => traffic !== undefined),
  };
}

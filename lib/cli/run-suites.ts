import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { BaseSequencer, createVitest } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { lineIn } from '../engine/custom-suites.ts';
import { stopRun } from '../engine/reporter-channel.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { Finish } from '../report/finish.ts';
import { conformanceReporter } from '../report/reporter.ts';
import { secretsOf } from '../settings/route.ts';
import type { CustomSuites, Settings } from '../settings/run-settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { printable } from '../target/output/printable.ts';
import { afterRunning } from '../target/pace/running-time.ts';
import { conformance, customSuitesFile } from './conformance-project.ts';
import { redactInDefects, reportDefect, reportError } from './errors.ts';

/** Runs the suites, and sets the exit code. @param finish handles the report; default: writes the reports of a run */
export type RunSuites = (settings: Settings, finish?: Finish) => Promise<void>;

/** Runs the suites in Vitest, with our reporter alone; an interrupt ends them with a report. */
export const runSuites: RunSuites = async (settings, finish) => {
  secretsOf(settings).forEach(redactInDefects);
  let hasBegun = false;
  let exitCode: number | undefined;
  // This variable would override the single worker, and each worker would make a run of its own.
  delete process.env['VITEST_MAX_WORKERS'];
  const vitest = await withTemporaryHome([tmpdir(), settings.out], () =>
    createVitest(
      {
        config: false,
        run: true,
        watch: false,
        // Vitest writes nothing: the folder of the package may be read-only, or its disk full.
        cache: false,
        fsModuleCache: false,
        onUnhandledError: (error) => !reportUnawaitedError(error, settings.customSuites),
        ...conformance.test,
        reporters: [
          conformanceReporter({
            catalogue: loadCatalogue,
            ...(finish && { finish }),
            onSettled: (code) => (exitCode = code),
            onUnusable(problems) {
              const lines = ["--suite: nothing was sent, because of files that can't be used:", ...problems];
              reportError(new UsageError(lines.join('\n  ')));
              process.exit();
            },
          }),
          {
            onTestModuleQueued() {
              hasBegun = true;
            },
          },
        ],
        // With --only, some files have none.
        passWithNoTests: true,
        ...(settings.customSuites && {
          exclude: conformance.test.exclude.filter((glob) => glob !== customSuitesFile),
          sequence: { ...conformance.test.sequence, sequencer: CustomSuitesFirst },
        }),
        // Writing the evidence of a long run takes time.
        teardownTimeout: 60_000,
      },
      {},
      // Only our reporter writes to the screen. Vitest would wait for a reader that has gone.
      { stdin: process.stdin, stdout: new Writable({ write: (_, __, done) => done() }) },
    ),
  );
  vitest.provide('commandSettings', settings);
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Vitest's own listener ends the process at once, without a report.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      // Before the suites have begun, there is nothing to report.
      if (!hasBegun)
        process.stderr.write('cts-conformance: interrupted before anything was sent: there is no report\n');
      if (isInterrupted || !hasBegun) process.exit(128 + constants.signals[signal]);
      isInterrupted = true;
      stopRun('the run was interrupted');
    });
  }
  const seconds = settings.wait + settings.timeBudget + settings.timeout + JUDGING_SECONDS;
  const cancelWatchdog = afterRunning(seconds * 1000, () => {
    reportDefect(`the suites did not end within ${seconds} s`);
    process.exit();
  });
  try {
    await vitest.start();
  } finally {
    cancelWatchdog();
    await vitest.close();
  }
  if (exitCode === undefined) throw new Error('the suites ended without a report');
  // Not Vitest's, which counts tests.
  process.exitCode = exitCode;
};

/** Loads custom suites before anything is sent: one that can't be loaded is wrong usage. */
class CustomSuitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isCustom = ({ moduleId }: TestSpecification): number => Number(moduleId.endsWith(customSuitesFile));
    return files.toSorted((one, other) => isCustom(other) - isCustom(one));
  }
}

/**
 * Reports an error that a custom suite threw when no test waited for it: neither a finding nor a defect of the suite.
 * @returns whether the stack shows such an error
 */
function reportUnawaitedError(
  { stack = '' }: { readonly stack?: string },
  suites: CustomSuites | undefined,
): boolean {
  const file = suites?.files.find((path) => stack.includes(path) || stack.includes(pathToFileURL(path).href));
  if (suites === undefined || file === undefined) return false;
  // Without its message, which may contain a response of the target, with a token.
  const name = printable(relative(suites.folder, file));
  process.stderr.write(
    `cts-conformance: ${name}${lineIn(stack, file)} threw an error that no test waited for\n`,
  );
  return true;
}

/** Both threads load it: that of the suites first, this one while it waits. */
const loadCatalogue = async (): Promise<Catalogue> => (await import('./from-suites.ts')).catalogue;

/** Seconds for the suites to judge and report after the last response. */
const JUDGING_SECONDS = 30;

/** The variables that name the folder for a user's data, on all platforms. */
const NAMES = ['XDG_DATA_HOME', 'LOCALAPPDATA', 'HOME'] as const;

/**
 * Runs work with a temporary folder in place of the folder for a user's data. Vitest writes a token for its API there,
 * which is not used here, and stops if it can't.
 * @param parents folders that may take it; in a container only that of the reports may be writable
 */
async function withTemporaryHome<T>(parents: readonly string[], work: () => Promise<T>): Promise<T> {
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  const folder = firstFolderIn(parents);
  if (folder === undefined) return work();
  for (const name of NAMES) process.env[name] = folder;
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function firstFolderIn(parents: readonly string[]): string | undefined {
  for (const parent of parents)
    try {
      return mkdtempSync(join(parent, 'cts-'));
    } catch {}
  return undefined;
}

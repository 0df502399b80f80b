import { constants } from 'node:os';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { createVitest } from 'vitest/node';
import type { Finish } from '../report/finish-run.ts';
import { formatsWith } from '../report/formats/formats.ts';
import { conformanceReporter } from '../report/reporter.ts';
import { UsageError } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { keepOutOfDefects, reportDefect } from './defect.ts';
import { exitCodesHelp, settingsHelp } from './help.ts';
import { idsMeant, patternsOf } from './ids.ts';
import { isToldOfOwn, ownSuitesIn } from './own-suites.ts';
import { planOf } from './plan.ts';
import { conformance } from './project.ts';
import { elsewhere } from './elsewhere.ts';
import { readFlags, settingFlags, settingsFrom, settingsOf } from './flags.ts';

const help = (): string => `cts run: checks a service and writes the reports

Usage: cts run [flags]

${settingsHelp([
  [
    '--cases-from DIR',
    'send the cases in this folder again first: counterexamples of former runs, kept; one that breaks fails',
  ],
  ['--dry-run', 'say what would be sent, and send nothing'],
  ['--quiet', 'show only what is wrong, and the verdict'],
  ['--verbose', 'show all: broken advice in full, unanswered questions, latencies'],
  [
    '--targets FILE',
    'check several targets side by side, each into a folder of its own; the file is a list of {"name": …, "baseUrl": …, "apiKeyVariable": …, "profile": …}, a profile only where there is one',
  ],
  [
    '--suite DIR',
    'run suites of your own too, files *.suite.ts, for endpoints beyond the interface; no part of its verdict',
  ],
  ['--suite-counts', 'what they find counts for the exit code'],
])}
A flag is stronger than the environment, the environment stronger than .env.

Examples:
  cts run
  TARGET_BASE_URL=https://staging.example.com/api TARGET_API_KEY=sk_test_... cts run --seed 7
  cts run --only 'customer.*'
  cts run --cases-from regressions
  cts run --write-profile staging.json
  cts run --profile staging.json
  cts run --targets targets.json

${exitCodesHelp}`;

/** The command `cts run`. Sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const known = [...settingFlags, 'cases-from', 'targets', 'suite'];
  const flags = readFlags(args, known, {
    switches: ['dry-run', 'quiet', 'verbose', 'suite-counts'],
  });
  const { quiet, verbose } = flags.values;
  if (quiet !== undefined && verbose !== undefined)
    throw new UsageError('--quiet and --verbose: give one of the two');
  const detail = quiet !== undefined ? 'quiet' : verbose !== undefined ? 'verbose' : 'normal';
  if (flags.help) {
    process.stdout.write(help());
    return;
  }
  if (flags.values['targets'] !== undefined) {
    const { runTargets } = await import('./run-targets.ts');
    return runTargets(flags);
  }
  const { suite, 'suite-counts': counts, 'cases-from': cases } = flags.values;
  if (suite === undefined && counts !== undefined)
    throw new UsageError('--suite-counts: there is nothing to count without --suite DIR');
  const customSuites = suite === undefined ? undefined : ownSuitesIn(suite, counts !== undefined);
  const isDry = flags.values['dry-run'] !== undefined;
  const given = await (isDry ? settingsOf(flags) : settingsFrom(flags));
  const settings = await withCorpus({ ...given, customSuites, detail }, cases);
  // Wrong ids are told before anything is announced.
  if (settings.only !== undefined) patternOf(settings.only, customSuites !== undefined);
  process.stdout.write(`${planOf(settings)}\n`);
  if (isDry) return;
  await runSuites(settings);
}

/** @throws {UsageError} where the folder holds anything else */
async function withCorpus(settings: Settings, folder: string | undefined): Promise<Settings> {
  if (folder === undefined) return settings;
  if (resolve(folder) === resolve(settings.out, 'cases'))
    throw new UsageError(
      '--cases-from: each run clears this folder; copy the cases that are worth keeping into one of their own',
    );
  const meant = idsMeant(settings.only ?? '*', '--only').ids;
  const { readCases } = await import('./case-file.ts');
  const corpus = readCases(folder).filter(({ requirement }) => meant.includes(requirement));
  return { ...settings, corpus };
}

/** Runs the suites in Vitest, with our reporter alone; an interrupt ends them with a report. */
export async function runSuites(settings: Settings, finish?: Finish): Promise<void> {
  const pattern =
    settings.only === undefined
      ? undefined
      : patternOf(settings.only, settings.customSuites !== undefined || settings.evidence !== undefined);
  if (settings.apiKey !== undefined) keepOutOfDefects(settings.apiKey);
  let hasBegun = false;
  let isSettled = false;
  const vitest = await elsewhere(() =>
    createVitest(
      {
        config: false,
        run: true,
        watch: false,
        // Nothing is written but reports: where this is installed may be read-only, and its disk full.
        cache: false,
        fsModuleCache: false,
        onUnhandledError: (error) => !isToldOfOwn(error, settings.customSuites),
        ...conformance.test,
        reporters: [
          conformanceReporter(finish, {
            isQuiet: settings.detail === 'quiet',
            onWaiting: () => getReady(settings.reports),
            onSettled: () => (isSettled = true),
          }),
          { onTestModuleQueued: () => void (hasBegun = true) },
        ],
        ...(pattern === undefined ? {} : { testNamePattern: pattern }),
      },
      {},
      // Our reporter alone writes to the screen; a reader that goes away must not hold Vitest up.
      { stdin: process.stdin, stdout: new Writable({ write: (_, __, done) => done() }) },
    ),
  );
  vitest.provide('settings', settings);
  onInterrupt((isAgain, code) => {
    // Before the suites have begun nothing was sent, and there is nothing to report.
    if (isAgain || !hasBegun) process.exit(code);
    void vitest.cancelCurrentRun('keyboard-input');
  });
  const watchdog = endAfter(settings.timeBudget + settings.timeout + OVERTIME);
  try {
    await vitest.start();
  } finally {
    clearTimeout(watchdog);
    const code = process.exitCode;
    await vitest.close();
    process.exitCode = code;
  }
  if (!isSettled) throw new Error('the suites ended without a report');
}

/** Loads what makes the reports, while the suites wait for the target and this thread has nothing to do. */
function getReady(reports: Settings['reports']): void {
  for (const { load } of formatsWith(reports)) void load().catch(() => {});
  // A report of many customers is no reason for more room for garbage, which this thread, unlike the suites', could
  // not be kept from when it started.
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Seconds that the suites may take to judge and to report when all has been sent. */
const OVERTIME = 30;

/** Suites that do not end are the suite's own fault; who waits for them is told. */
const endAfter = (seconds: number): NodeJS.Timeout =>
  setTimeout(() => {
    reportDefect(`the suites did not end within ${seconds} s`);
    process.exit();
  }, seconds * 1000).unref();

/** @param interrupt is told whether it is not the first time, and the exit code that shells give to the signal */
function onInterrupt(interrupt: (isAgain: boolean, code: number) => void): void {
  let interrupts = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Vitest's own listener ends the process at once, without a report.
    process.removeAllListeners(signal);
    process.on(signal, () => interrupt(++interrupts > 1, 128 + constants.signals[signal]));
  }
}

/** Matches the names of their tests. @throws {UsageError} when no requirement is meant */
const patternOf = (only: string, isOpen: boolean): RegExp =>
  new RegExp(`(?:^| )(?:${patternsOf(only, isOpen).join('|')}): `);

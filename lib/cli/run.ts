import { constants } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createVitest } from 'vitest/node';
import { requirementIds } from '../requirements/catalogue.ts';
import { questionIds } from '../requirements/questions.ts';
import { conformanceReporter } from '../report/reporter.ts';
import { UsageError } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { keepOutOfDefects, reportDefect } from './defect.ts';
import { exitCodesHelp, settingsHelp } from './help.ts';
import { planOf } from './plan.ts';
import { readFlags, settingFlags, settingsFrom } from './flags.ts';

const help = (): string => `cts run: checks a service and writes the reports

Usage: cts run [flags]

${settingsHelp([
  [
    '--only IDS',
    'only these requirements and questions, separated by commas, * for any text; can fail but never conforms',
  ],
  ['--dry-run', 'say what would be sent, and send nothing'],
  [
    '--write-profile FILE',
    'ask every open question and write the answers into a new file, to be reviewed; about 130 requests more',
  ],
])}
A flag is stronger than the environment, the environment stronger than .env.

Examples:
  cts run
  TARGET_BASE_URL=https://staging.example.com/api TARGET_API_KEY=sk_test_... cts run --seed 7
  cts run --only 'customer.*'
  cts run --write-profile staging.json
  cts run --profile staging.json

${exitCodesHelp}`;

/** The command `cts run`. Sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, [...settingFlags, 'only', 'write-profile'], { switches: ['dry-run'] });
  if (flags.help) {
    process.stdout.write(help());
    return;
  }
  const settings = settingsFrom(flags);
  process.stdout.write(`${planOf(settings)}\n`);
  if (flags.values['dry-run'] !== undefined) return;
  await runSuites(settings);
}

/** Runs the suites in Vitest, with our reporter alone; an interrupt ends them with a report. */
export async function runSuites(settings: Settings): Promise<void> {
  const pattern = settings.only === undefined ? undefined : patternOf(settings.only);
  if (settings.apiKey !== undefined) keepOutOfDefects(settings.apiKey);
  let hasBegun = false;
  let isSettled = false;
  const vitest = await createVitest(
    {
      root: join(import.meta.dirname, '../..'),
      run: true,
      watch: false,
      project: ['conformance'],
      // Nothing is written but reports: where this is installed may be read-only, and its disk full.
      configLoader: 'native',
      cache: false,
      reporters: [
        conformanceReporter(process.stdout, () => (isSettled = true)),
        { onTestModuleQueued: () => void (hasBegun = true) },
      ],
      ...(pattern === undefined ? {} : { testNamePattern: pattern }),
    },
    {},
    // Our reporter alone writes to the screen; a reader that goes away must not hold Vitest up.
    { stdin: process.stdin, stdout: new Writable({ write: (_, __, done) => done() }) },
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

/** @throws {UsageError} when no requirement is meant */
function patternOf(only: string): RegExp {
  const globs = only.split(',').map((glob) => glob.trim());
  const escaped = globs.map((glob) => glob.replace(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*'));
  for (const [at, glob] of escaped.entries()) {
    if ([...requirementIds, ...questionIds].some((id) => new RegExp(`^${glob}$`).test(id))) continue;
    const near =
      [...requirementIds, ...questionIds].find((id) => id.startsWith(globs[at]!.slice(0, 4))) ??
      requirementIds[0];
    throw new UsageError(
      `--only: no requirement and no question has the id number ${at + 1} of the list; one is ${near}`,
    );
  }
  return new RegExp(`(?:^| )(?:${escaped.join('|')}): `);
}

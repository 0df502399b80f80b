import { Writable } from 'node:stream';
import { createVitest } from 'vitest/node';
import { requirementIds } from '../requirements/catalogue.ts';
import { questionIds } from '../requirements/questions.ts';
import type { Finish } from '../report/finish-run.ts';
import { conformanceReporter } from '../report/reporter.ts';
import { packageRoot } from '../settings/package-root.ts';
import { UsageError } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { exitCodesHelp, settingsHelp } from './help.ts';
import { ownSuitesIn } from './own-suites.ts';
import { planOf } from './plan.ts';
import { conformance } from './project.ts';
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
  cts run --write-profile staging.json
  cts run --profile staging.json

${exitCodesHelp}`;

/** The command `cts run`. Sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, [...settingFlags, 'only', 'write-profile', 'suite'], {
    switches: ['dry-run', 'suite-counts'],
  });
  if (flags.help) {
    process.stdout.write(help());
    return;
  }
  const { suite, 'suite-counts': counts } = flags.values;
  if (suite === undefined && counts !== undefined)
    throw new UsageError('--suite-counts: there is nothing to count without --suite DIR');
  const own = suite === undefined ? undefined : ownSuitesIn(suite, counts !== undefined);
  const settings = { ...settingsFrom(flags), own };
  process.stdout.write(`${planOf(settings)}\n`);
  if (flags.values['dry-run'] !== undefined) return;
  await runSuites(settings);
}

/** Runs the suites in Vitest, with our reporter alone; an interrupt ends them with a report. */
export async function runSuites(settings: Settings, finish?: Finish): Promise<void> {
  const pattern =
    settings.only === undefined ? undefined : patternOf(settings.only, settings.own !== undefined);
  const vitest = await createVitest(
    {
      root: packageRoot,
      config: false,
      run: true,
      watch: false,
      // Nothing is written beside the suites, where they are installed.
      cache: false,
      fsModuleCache: false,
      projects: [conformance],
      reporters: [conformanceReporter(finish)],
      ...(pattern === undefined ? {} : { testNamePattern: pattern }),
    },
    {},
    // Our reporter alone writes to the screen; a reader that goes away must not hold Vitest up.
    { stdin: process.stdin, stdout: new Writable({ write: (_, __, done) => done() }) },
  );
  vitest.provide('settings', settings);
  let interrupts = 0;
  const interrupt = (): void => {
    if (++interrupts > 1) process.exit(130);
    void vitest.cancelCurrentRun('keyboard-input');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Vitest's own listener ends the process at once, without a report.
    process.removeAllListeners(signal);
    process.on(signal, interrupt);
  }
  try {
    await vitest.start();
  } finally {
    const code = process.exitCode;
    await vitest.close();
    process.exitCode = code;
  }
}

/** @throws {UsageError} when no requirement is meant */
function patternOf(only: string, isOpen: boolean): RegExp {
  const globs = only.split(',').map((glob) => glob.trim());
  const escaped = globs.map((glob) => glob.replace(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*'));
  for (const [at, glob] of escaped.entries()) {
    // Of a suite of somebody's own the ids are known when it is loaded.
    if (isOpen || [...requirementIds, ...questionIds].some((id) => new RegExp(`^${glob}$`).test(id)))
      continue;
    const near =
      [...requirementIds, ...questionIds].find((id) => id.startsWith(globs[at]!.slice(0, 4))) ??
      requirementIds[0];
    throw new UsageError(
      `--only: no requirement and no question has the id number ${at + 1} of the list; one is ${near}`,
    );
  }
  return new RegExp(`(?:^| )(?:${escaped.join('|')}): `);
}

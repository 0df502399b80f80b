import { constants, tmpdir } from 'node:os';
import { resolve, join } from 'node:path';
import { Writable } from 'node:stream';
import { mkdtempSync, rmSync } from 'node:fs';
import { Command, Option } from 'commander';
import { BaseSequencer, createVitest } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { stopRun } from '../engine/reporter-channel.ts';
import { expectedCustomers, shortageOf } from '../engine/readiness/budget.ts';
import { OPEN_QUESTIONS, matcherOf, patternOf } from '../engine/requirement.ts';
import type { Catalogue } from '../engine/requirement.ts';
import { runIdOfSeed } from '../engine/nonces.ts';
import type { Finish } from '../report/finish.ts';
import { formatsWith } from '../report/formats/formats.ts';
import { conformanceReporter } from '../report/reporter.ts';
import { secretsOf } from '../settings/route.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Settings } from '../settings/run-settings.ts';
import { printable } from '../target/output/printable.ts';
import { afterRunning } from '../target/pace/running-time.ts';
import { customSuitesIn, reportUnawaitedError } from './custom-suites.ts';
import { redactInDefects, reportDefect, reportError } from './errors.ts';
import { exitCodesHelp, prepareReports, removeEarlierReports, settingsOf, withSettings } from './options.ts';
import { print } from './print.ts';
import { conformance, customSuitesFile } from './project.ts';

const description = `Checks a service and writes the reports.

Tests every requirement of the interface, and records the answers to its open
questions. cts-conformance without a command does the same.`;

const examples = `
Examples:
  cts-conformance run
  TARGET_BASE_URL=https://staging.example.com/api TARGET_API_KEY=sk_test_... cts-conformance run --seed 7
  cts-conformance run --only 'customer.*'
  cts-conformance run --cases-from regressions
  cts-conformance run --write-profile staging.json
  cts-conformance run --profile staging.json
  cts-conformance run --write-waivers staging-waived.json
  cts-conformance run --baseline baseline.json --baseline-until 2027-03-31
  cts-conformance run --targets targets.json

${exitCodesHelp}`;

interface RunOptions {
  readonly casesFrom?: string;
  readonly dryRun?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly targets?: string;
  readonly suite?: string;
  readonly suiteCounts?: true;
}

export const command = withSettings(new Command('run').description(description))
  .option('--cases-from <DIR>', 'first send the cases in this folder: saved counterexamples of earlier runs')
  .option('--dry-run', 'print the phases, what each would send and create, and send nothing to the target')
  .addOption(new Option('--quiet', 'show only failures and the verdict').conflicts('verbose'))
  .option('--verbose', 'show everything: warnings in full, unanswered questions, latencies')
  .option(
    '--targets <FILE>',
    'check several targets side by side, each with its own folder of reports; the file is a list of {"name": …, "baseUrl": …, "apiKeyVariable": …, "profile": …}, with profile optional',
  )
  .option(
    '--suite <DIR>',
    'also run custom suites, *.suite.ts files for endpoints beyond the interface; they do not affect its verdict',
  )
  .option('--suite-counts', 'failures of custom suites count for the exit code')
  .addHelpText('after', examples)
  .action(async (options: RunOptions, self: Command) => {
    if (options.targets !== undefined) {
      const { runTargets } = await import('./run-targets.ts');
      return runTargets(self);
    }
    const { casesFrom, dryRun, suite, suiteCounts = false } = options;
    if (suite === undefined && suiteCounts)
      throw new UsageError('--suite-counts has no effect without --suite DIR');
    const customSuites = suite === undefined ? undefined : customSuitesIn(suite, suiteCounts);
    const detail = options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal';
    const given = await settingsOf(self);
    if (!dryRun) prepareReports(given);
    const settings = await withCorpus({ ...given, customSuites, detail }, casesFrom);
    const { only } = settings;
    // Before anything is announced: unknown ids are wrong usage. Custom suites are not loaded yet, nor their ids known.
    if (only !== undefined && !customSuites) (await import('./catalogue.ts')).selectIds(only, '--only');
    const shortage = only === undefined ? shortageOf(settings) : undefined;
    for (const text of [announcementOf(settings), shortage ?? []].flat()) print(`${text}\n`);
    if (dryRun && detail === 'quiet') return;
    if (dryRun) {
      const { planText } = await import('./dry-run.ts');
      print(`\n${await planText(settings)}`);
      return;
    }
    removeEarlierReports(settings.out);
    await runSuites(settings);
  });

/** @throws {UsageError} if the folder holds anything but cases */
async function withCorpus(settings: Settings, folder: string | undefined): Promise<Settings> {
  if (folder === undefined) return settings;
  if (resolve(folder) === resolve(settings.out, 'cases'))
    throw new UsageError(
      '--cases-from: every run clears this folder; copy the cases to keep into another one',
    );
  const { selectedIds } = await import('./catalogue.ts');
  const ids = selectedIds(settings.only ?? '*');
  const { readCases } = await import('./case-file.ts');
  const corpus = readCases(folder).filter(({ requirement }) => ids.includes(requirement));
  return { ...settings, corpus };
}

/** Announces what a run will send. */
function announcementOf(settings: Settings): string {
  const { baseUrl, maxRequests, concurrency, rate, timeBudget, seed, shard } = settings;
  const { corpus, only, route, emailDomain } = settings;
  const customers = Math.min(expectedCustomers(settings), maxRequests);
  const target = baseUrl === undefined ? 'the embedded reference service' : printable(baseUrl);
  const way = route.way === undefined ? '' : `, ${printable(route.way)},`;
  const pace = rate > 0 ? `, ${rate} per second` : '';
  const domain = emailDomain ?? 'example.com';
  const first =
    corpus.length === 0
      ? ''
      : `; ${corpus.length} recorded ${corpus.length === 1 ? 'case is' : 'cases are'} sent first`;
  return (
    `${target}${way} will receive at most ${maxRequests} requests, ${concurrency} in flight${pace}, within ${timeBudget} s; ` +
    `${only === undefined ? 'about' : 'at most about'} ${customers} customers will be created at ${domain} and reserved names, with run id ${runIdOfSeed(seed, shard)} in each address (seed ${seed})${first}`
  );
}

/** Runs the suites in Vitest, with our reporter alone; an interrupt ends them with a report. */
export async function runSuites(settings: Settings, finish?: Finish): Promise<void> {
  const pattern = settings.only === undefined ? undefined : await testsOf(settings.only);
  secretsOf(settings).forEach(redactInDefects);
  let hasBegun = false;
  let exitCode: number | undefined;
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
            isQuiet: settings.detail === 'quiet',
            onSettled: (code) => (exitCode = code),
            onUnusable(problems) {
              const lines = ["--suite: nothing was sent, because of files that can't be used:", ...problems];
              reportError(new UsageError(lines.join('\n  ')));
              process.exit();
            },
          }),
          {
            onTestModuleQueued() {
              if (!hasBegun) loadReports(settings.reports);
              hasBegun = true;
            },
          },
        ],
        ...(pattern === undefined ? {} : { testNamePattern: pattern }),
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
  vitest.provide('settings', settings);
  onInterrupt((isAgain, code) => {
    // Before the suites have begun nothing was sent, and there is nothing to report.
    if (isAgain || !hasBegun) process.exit(code);
    stopRun('the run was interrupted');
  });
  const seconds = settings.wait + settings.timeBudget + settings.timeout + OVERTIME;
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
}

/** Loads custom suites while nothing is sent yet: what can't be loaded is wrong usage. */
class CustomSuitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isCustom = ({ moduleId }: TestSpecification): number => Number(moduleId.endsWith(customSuitesFile));
    return files.toSorted((one, other) => isCustom(other) - isCustom(one));
  }
}

/** The thread of the suites loads it at once; this one meanwhile, or when ids are selected. */
const loadCatalogue = async (): Promise<Catalogue> => (await import('./catalogue.ts')).catalogue;

/** Loads the code of the reports while the other thread loads the suites. */
function loadReports(reports: Settings['reports']): void {
  void loadCatalogue().catch(() => {});
  for (const { load } of formatsWith(reports)) void load().catch(() => {});
}

/** Seconds for the suites to judge and report after the last response. */
const OVERTIME = 30;

/** @param interrupt receives whether it is a repeated signal, and the exit code of shells for the signal */
function onInterrupt(interrupt: (isAgain: boolean, code: number) => void): void {
  let interrupts = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Vitest's own listener ends the process at once, without a report.
    process.removeAllListeners(signal);
    process.on(signal, () => interrupt(++interrupts > 1, 128 + constants.signals[signal]));
  }
}

/** Matches the names of the tests of selected ids. */
async function testsOf(only: string): Promise<RegExp> {
  const { questions } = await loadCatalogue();
  const isSelected = matcherOf(only);
  const isAsking = questions.some(({ id }) => isSelected(id));
  return new RegExp(`(?:^| )${patternOf(only)}: ${isAsking ? `| ${OPEN_QUESTIONS}$` : ''}`);
}

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

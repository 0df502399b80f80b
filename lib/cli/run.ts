import { Command, Option } from 'commander';
import { plainAddress } from '../inputs/addresses.ts';
import { columnsOf, wrapped } from '../report/text.ts';
import { removeEarlierReports } from '../report/folder.ts';
import { casesWithin, expectedCustomers, sharesLittle, shortageOf } from '../engine/readiness/budget.ts';
import { runIdOfSeed } from '../engine/nonces.ts';
import type { Settings } from '../settings/run-settings.ts';
import { printable, quantity } from '../target/output/printable.ts';
import { exitCodesHelp, prepareReports, settingsOf, withSettings } from './options.ts';
import { print } from './output.ts';
import { withRunOptions } from './run-options.ts';
import type { RunOptions } from './run-options.ts';
import type { RunSuites } from './run-suites.ts';

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

export const commandWith = (runSuites: RunSuites): Command =>
  withSettings(new Command('run').description(description))
    .option(
      '--cases-from <DIR>',
      'first send the cases in this folder: saved counterexamples of earlier runs',
    )
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
      const settings = await withRunOptions(await settingsOf(self), options);
      const { only, verbosity } = settings;
      const { dryRun } = options;
      if (!dryRun) prepareReports(settings);
      const shortage = only === undefined ? shortageOf(settings) : undefined;
      const remarks = [shortage ?? [], sharesLittle(settings) ?? []].flat();
      for (const text of [...announcementOf(settings, dryRun), ...remarks])
        print(`${wrapped(text, '', '  ', columnsOf(process.stdout)).join('\n')}\n`);
      if (dryRun && verbosity === 'quiet') return;
      if (dryRun) {
        const { planText } = await import('./dry-run.ts');
        print(`\n${await planText(settings)}`);
        return;
      }
      removeEarlierReports(settings.out);
      await runSuites(settings);
    });

/** Announces what a run will send. */
function announcementOf(settings: Settings, dryRun: boolean | undefined): readonly string[] {
  const { baseUrl, maxRequests, concurrency, rate, timeBudget, seed, shard } = settings;
  const { savedCases, only, route, emailDomain } = settings;
  const customers = Math.min(expectedCustomers({ ...settings, cases: casesWithin(settings) }), maxRequests);
  const target = baseUrl === undefined ? 'the embedded reference service' : printable(baseUrl);
  const through = route.description === undefined ? '' : `, ${printable(route.description)},`;
  const pace = rate > 0 ? `, ${rate} per second` : '';
  const domain = emailDomain ?? plainAddress.domain;
  const first =
    savedCases.length === 0
      ? ''
      : `; ${quantity(savedCases.length, 'saved case is', 'saved cases are')} sent first`;
  return [
    `${target}${through} ${dryRun ? 'would' : 'will'} receive at most ${maxRequests} requests, ${concurrency} in flight${pace}, within ${timeBudget} s`,
    `${only === undefined ? 'About' : 'At most about'} ${customers} customers ${dryRun ? 'would' : 'will'} be created at ${domain} and reserved names, with run id ${runIdOfSeed(seed, shard)} in the addresses (seed ${seed})${first}`,
  ];
}

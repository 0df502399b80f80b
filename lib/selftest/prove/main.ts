import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import type { Fault, Variant } from '../../reference/fault-or-variant.ts';
import { allFaults } from '../../reference/faults/faults.ts';
import { allVariants } from '../../reference/variants/variants.ts';
import { depths } from '../../settings/depths.ts';
import type { Depth } from '../../settings/depths.ts';
import { packageRoot } from '../../settings/package-root.ts';
import { ctsAt } from '../command.ts';
import { build } from '../package/build.ts';
import { pattern, script, wholeNumber, wholeNumbers } from '../script.ts';
import { startCommandPool } from './command-pool.ts';
import type { RunsCommand } from './command-pool.ts';
import { proofPage } from './page.ts';
import { proveAll, sampleOf } from './proof-task.ts';
import { line, proofJson, renderSummary, summariseProof } from './summary.ts';

interface ProveOptions {
  readonly jobs: number;
  readonly seeds?: readonly number[];
  readonly only?: RegExp;
  readonly profiles?: boolean;
  readonly judged?: boolean;
  readonly sample?: number;
  readonly via?: keyof typeof NOT_CARRIED;
  readonly depth?: Depth;
  readonly vitest: boolean;
}

/** Services whose difference is lost on the way: HTTP/2, or a proxy, frames messages and writes header names on its own. */
const NOT_CARRIED = {
  http2: /-chunked(?:-|$)|-connection-close$|-two-fields-|-absolute-form|-user-of-target/,
  proxy:
    /-connection-close$|-two-fields-|-absolute-form|-user-of-target|-empty-query$|-dot-segments$|-proxy-(?:authorization|field)|-no-date$|-in-one-case$|-407-|^fields-many-and-long$|^behind-a-busy-gateway$/,
} as const;

/** Whether the difference of a service can be observed when it is reached this way. */
function isCarried({ name, behaviour }: Fault | Variant, via: keyof typeof NOT_CARRIED): boolean {
  const { around, server } = behaviour();
  const isAboveHttp = around === undefined && server === undefined;
  return (via === 'proxy' || isAboveHttp) && !NOT_CARRIED[via].test(name);
}

/** The seed of the runs that write profiles; the runs that check them have others. */
const WRITING_SEED = 1000;

const prove = script(
  'prove',
  'Tests the suite itself, against faults (services that each violate one statement, which a run must catch) and' +
    ' against conforming variants (services that choose differently where the interface leaves a choice, which a run must pass).',
)
  .option(
    '--jobs <n>',
    'services at a time, beside two that mostly wait for tokens to expire',
    wholeNumber,
    3,
  )
  .option('--seeds <list>', 'seeds of the inputs, separated by commas; default: 1', wholeNumbers)
  .option('--only <regex>', 'only faults and variants with a matching name', pattern)
  .option(
    '--profiles',
    'variants only: one run writes a profile; runs at each of the seeds must report no drift',
  )
  .option('--judged', 'also judge the evidence of each run again, which must give the same verdicts')
  .addOption(new Option('--depth <depth>', 'depth of each run').choices(Object.keys(depths)))
  .option('--sample <n>', 'about n faults and variants only, some of every group', wholeNumber)
  .addOption(
    new Option('--via <way>', 'how the services are reached; default: directly, over HTTP/1.1').choices(
      Object.keys(NOT_CARRIED),
    ),
  )
  .option(
    '--no-vitest',
    'run the same code without Vitest and without a new process for each run, which is several times as fast',
  )
  .addHelpText(
    'after',
    `
Writes reports/proof.json and reports/proof.html; with --profiles, proof-profiles.json and proof-profiles.html.

Example:
  npm run prove -- --seeds 1,2,3 --only '^auth-'

Exit codes:
  0  every fault was caught and every variant passed
  1  a fault was missed, a variant failed, or a requirement caught no fault
  2  wrong usage`,
  )
  .action(
    async ({
      jobs,
      seeds = [1],
      only,
      profiles = false,
      judged = false,
      sample,
      via,
      depth,
      vitest,
    }: ProveOptions) => {
      // Variants first: some of them mostly wait.
      const all = profiles ? allVariants : [...allVariants, ...allFaults];
      const named = all.filter(({ name }) => only?.test(name) ?? true);
      const matching = via ? named.filter((service) => isCarried(service, via)) : named;
      if (matching.length < named.length)
        process.stdout.write(
          `${named.length - matching.length} left out, as their difference does not get through\n`,
        );
      const services = sample === undefined ? matching : sampleOf(matching, sample);
      if (services.length === 0) {
        prove.error(
          'error: no service matches; `cts-conformance serve --list-faults` and `--list-variants` list them',
        );
      }
      const options = { judgesAgain: judged, ...(via && { via }), ...(depth && { depth }) };
      const tasks = profiles
        ? services.map((service) => ({ service, seed: WRITING_SEED, profileSeeds: seeds, ...options }))
        : seeds.flatMap((seed) => services.map((service) => ({ service, seed, ...options })));
      const isWhole = !profiles && services.length === all.length;
      if (sample !== undefined)
        process.stdout.write(`a sample: ${services.length} of ${matching.length} faults and variants\n`);

      const startedAt = new Date();
      const { cts, stop } = vitest ? await builtCommand() : startCommandPool();
      const outcomes = await proveAll(tasks, cts, jobs, (outcome, done) => {
        process.stdout.write(`${done}/${tasks.length} ${outcome.result} ${line(outcome)}\n`);
      });
      stop();
      const summary = summariseProof(outcomes, isWhole);
      const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
      process.stdout.write(renderSummary(summary));
      process.stdout.write(`${outcomes.length} runs in ${seconds} s\n`);

      const folder = join(packageRoot, 'reports');
      const name = profiles ? 'proof-profiles' : 'proof';
      await mkdir(folder, { recursive: true });
      await writeFile(
        join(folder, `${name}.json`),
        proofJson(summary, { seeds, startedAt: startedAt.toISOString(), seconds }),
      );
      await writeFile(join(folder, `${name}.html`), proofPage(summary, startedAt.toISOString()));
      const { missed, falsePositives, unproven } = summary;
      process.exitCode = missed.length + falsePositives.length + unproven.length === 0 ? 0 : 1;
    },
  );

/** The built package is what vendors run; it also starts faster than the sources. */
async function builtCommand(): Promise<{ readonly cts: RunsCommand; readonly stop: () => void }> {
  const main = await build();
  return { cts: (args, environment) => ctsAt(main, args, environment), stop() {} };
}

await prove.parseAsync();

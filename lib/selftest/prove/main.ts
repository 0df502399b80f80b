import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags } from '../../cli/flags.ts';
import { pattern, script, wholeNumber } from '../../cli/script.ts';
import { allFaults } from '../../reference/faults/faults.ts';
import { allVariants } from '../../reference/variants/variants.ts';
import { builtCommand } from '../package/built.ts';
import { UsageError } from '../../settings/settings.ts';
import { proofPage } from './page.ts';
import { recordOf } from './record.ts';
import { line, renderSummary, summarise } from './summary.ts';
import { proveAll, sampleOf } from './trial.ts';

const help = `npm run prove: checks the suite itself, against services that break one statement each, which it must
catch, and against conforming services that choose otherwise, which it must pass

Usage: npm run prove -- [flags]

  --jobs N       services at a time, beside two that mostly wait for tokens to end; default: 3
  --seeds LIST   seeds of the inputs, separated by commas; default: 1
  --only REGEX   faults and variants whose name matches only
  --profiles     variants only: a profile that a run writes must be kept by runs at each of the seeds, under another load
  --judged       the evidence of each run is judged again, and must come to the same as its report
  --sample N     so many faults and variants only, spread over all categories

Writes reports/proof.json and reports/proof.html; with --profiles, proof-profiles.json and proof-profiles.html.

Example:
  npm run prove -- --seeds 1,2,3 --only '^auth-'

Exit codes:
  0  every fault was caught and every conforming service passed
  1  a fault was missed, a conforming service was blamed, or no fault trips a requirement
  2  wrong usage
`;

const folder = join(import.meta.dirname, '../../../reports');

/** Seed of the runs that write profiles; unlike those that keep them. */
const WRITTEN_AT = 1000;

await script('prove', async (args) => {
  const { values, help: wantsHelp } = readFlags(args, ['jobs', 'seeds', 'only', 'sample'], {
    switches: ['profiles', 'judged'],
  });
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  const jobs = wholeNumber('jobs', values['jobs'] ?? '3');
  const seeds = (values['seeds'] ?? '1').split(',').map((seed) => wholeNumber('seeds', seed));
  // Variants first: some of them take their time, while others get on.
  const isKept = values['profiles'] !== undefined;
  const isJudged = values['judged'] !== undefined;
  const all = isKept ? allVariants : [...allVariants, ...allFaults];
  const only = pattern('only', values['only'] ?? '');
  const matching = all.filter(({ name }) => only.test(name));
  const services =
    values['sample'] === undefined ? matching : sampleOf(matching, wholeNumber('sample', values['sample']));
  if (services.length === 0)
    throw new UsageError('no service is meant; `cts serve --list-faults` and `--list-variants` name all');

  // As vendors run it; it also starts faster than the sources, hundreds of times.
  const main = builtCommand();
  const trials = isKept
    ? services.map((service) => ({ service, seed: WRITTEN_AT, keptAt: seeds, isJudged, main }))
    : seeds.flatMap((seed) => services.map((service) => ({ service, seed, isJudged, main })));
  const startedAt = new Date();
  const proofs = await proveAll(trials, jobs, (proof, done) => {
    process.stdout.write(`${done}/${trials.length} ${proof.result} ${line(proof)}\n`);
  });
  const summary = summarise(proofs);
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  // A part of the faults need not reach every requirement.
  const isWhole = !isKept && services.length === all.length;
  process.stdout.write(renderSummary(summary, proofs, isWhole));
  process.stdout.write(`${trials.length} services in ${seconds} s\n`);

  await mkdir(folder, { recursive: true });
  const files = {
    [isKept ? 'proof-profiles.json' : 'proof.json']: recordOf(proofs, summary, {
      seeds,
      startedAt: startedAt.toISOString(),
      seconds,
    }),
    [isKept ? 'proof-profiles.html' : 'proof.html']: proofPage(proofs, summary, startedAt.toISOString()),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  process.exitCode =
    summary.missed.length + summary.blamed.length > 0 || (isWhole && summary.untripped.length > 0) ? 1 : 0;
});

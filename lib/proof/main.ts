import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags } from '../cli/flags.ts';
import { allFaults } from '../reference/faults/faults.ts';
import { UsageError } from '../settings/settings.ts';
import { proveAll, sampleOf } from './prove.ts';
import type { Proof } from './prove.ts';
import { line, renderSummary, summarise } from './summary.ts';

const help = `npm run prove: checks the suite itself, against services that break one statement each

Usage: npm run prove -- [flags]

  --jobs N       services at a time; default: 2
  --seeds LIST   seeds of the inputs, separated by commas; default: 1
  --only REGEX   faults whose name matches only
  --sample N     so many faults only, spread over all families

Example:
  npm run prove -- --seeds 1,2,3 --only '^auth-'

Exit codes:
  0  every fault was caught, and the correct service conforms
  1  a fault was missed, a required statement has no fault, or the correct service was blamed
  2  wrong usage
`;

const folder = join(import.meta.dirname, '../../reports');

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`prove: ${error.message}\n`);
  process.exitCode = 2;
}

async function main(args: readonly string[]): Promise<void> {
  const { values, help: wantsHelp } = readFlags(args, ['jobs', 'seeds', 'only', 'sample']);
  if (wantsHelp) {
    process.stdout.write(help);
    return;
  }
  const jobs = numberIn('jobs', values['jobs'] ?? '2');
  const seeds = (values['seeds'] ?? '1').split(',').map((seed) => numberIn('seeds', seed));
  const matching = allFaults.filter(({ name }) => patternIn(values['only'] ?? '').test(name));
  const faults =
    values['sample'] === undefined ? matching : sampleOf(matching, numberIn('sample', values['sample']));
  if (faults.length === 0) throw new UsageError('no fault is meant; `cts serve --list-faults` names all');

  const trials = seeds.flatMap((seed) => [undefined, ...faults].map((fault) => ({ fault, seed })));
  const startedAt = Date.now();
  const proofs = await proveAll(trials, jobs, (proof, done) => {
    process.stdout.write(`${done}/${trials.length} ${markOf(proof)} ${line(proof)}\n`);
  });
  const summary = summarise(proofs);
  process.stdout.write(renderSummary(summary, proofs));
  process.stdout.write(`${trials.length} services in ${Math.round((Date.now() - startedAt) / 1000)} s\n`);

  const { missed, blamed, untripped, ...figures } = summary;
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'proof.json'),
    `${JSON.stringify({ seeds, ...figures, untripped, proofs: proofs.map(recordOf) }, undefined, 2)}\n`,
  );
  // A part of the faults need not reach every statement.
  const isWhole = faults.length === allFaults.length;
  process.exitCode = missed.length + blamed.length > 0 || (isWhole && untripped.length > 0) ? 1 : 0;
}

function markOf({ fault, result, exitCode }: Proof): string {
  if (fault) return result;
  return exitCode === 0 ? 'conforms' : 'BLAMED';
}

/** A proof as `proof.json` keeps it. */
function recordOf({ fault, seed, exitCode, failing, result, requests, seconds }: Proof): object {
  const trial = { seed, exitCode, failing, requests, seconds };
  if (!fault) return { fault: null, ...trial };
  const { name, family, breaks, caughtBy } = fault;
  return { fault: name, family, breaks, caughtBy, result, ...trial };
}

function numberIn(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${flag}: expected whole numbers from 1`);
  return Number(text);
}

function patternIn(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new UsageError('--only: expected a regular expression');
  }
}

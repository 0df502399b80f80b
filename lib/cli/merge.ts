import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { EvidenceLine, RunLine } from '../schemas/evidence.ts';
import { linesOf, mergeEvidence } from '../engine/merge-evidence.ts';
import { readEvidence } from '../engine/recorded.ts';
import { finishMerge } from '../report/finish-merge.ts';
import { readWholeReport } from '../report/read.ts';
import { isAsDeclared } from '../engine/declared.ts';
import { prepareFolder } from '../report/write.ts';
import { readSettings } from '../settings/sources.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';
import { recordedSettings } from './recorded-settings.ts';
import { runSuites } from './run.ts';

const help = `cts merge: makes one report of several runs that shared the cases of one

Usage: cts merge DIR... [flags]

Each DIR is the folder of the reports of one run, made with --shard K/N, the
same seed and the same target. The verdicts are come to anew, over the evidence
of all: an id that two runs were given is found. Nothing is sent.

  --out DIR  folder for the reports; default: reports [CTS_OUT]

Example:
  for k in 1 2 3 4; do
    cts run --seed 7 --cases 4000 --shard $k/4 --out shards/$k & done; wait
  cts merge shards/*

Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage: a run is missing, or one is of another seed, target or setting
  3  inconclusive
`;

/** The command `cts merge`. Sets the exit code. */
export async function merge(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, ['out'], { mostPositionals: 10_000 });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const folders = flags.positionals;
  if (folders.length === 0) throw new UsageError('merge needs the folders of the runs');
  const runs = folders.map((folder) => readEvidence(join(folder, 'evidence.ndjson')));
  const reports = folders.map(readWholeReport);
  checkTogether(folders, runs);
  const { CTS_OUT } = process.env;
  const { out } = readSettings({ flags: flags.values, environment: { CTS_OUT } });
  if (folders.some((folder) => resolve(folder) === resolve(out)))
    throw new UsageError(`--out: ${out} is one of the runs, which would be lost; name another folder`);
  prepareFolder(out);
  const { profile } = linesOf(runs[0]!, 'run')[0]!;
  const evidence = mergeEvidence(runs, ({ id, answer }) => {
    const declared = profile?.answers[id];
    return declared !== undefined && answer !== undefined && !isAsDeclared(declared, answer);
  });
  const place = mkdtempSync(join(tmpdir(), 'cts-merge-'));
  const path = join(place, 'evidence.ndjson');
  try {
    writeFileSync(path, evidence.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await runSuites(
      recordedSettings(linesOf(evidence, 'run')[0]!, path, out),
      finishMerge(evidence, reports),
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What the parts of one run have in common. */
const shared: Readonly<Record<string, (line: RunLine) => unknown>> = {
  target: ({ baseUrl }) => baseUrl,
  seed: ({ seed }) => seed,
  'number of shards': ({ shard }) => shard?.count,
  'version of the suite': ({ suite }) => suite.version,
  'number of cases (--cases)': ({ cases }) => cases,
  profile: ({ profile }) => profile,
  'choice of requirements (--only)': ({ only }) => only,
  strictness: ({ strict }) => strict,
  'kind of token': ({ tokenScopes, tokenExpiresIn }) => [tokenScopes, tokenExpiresIn],
};

/** @throws {UsageError} when the runs are not the parts of one */
function checkTogether(folders: readonly string[], runs: readonly (readonly EvidenceLine[])[]): void {
  if (new Set(folders.map((folder) => realpathSync(folder))).size < folders.length)
    throw new UsageError('a folder is named twice; name the folder of each run once');
  const lines = runs.map((run, at): RunLine => {
    const [line] = linesOf(run, 'run');
    if (!line) throw new UsageError(`${folders[at]}: its evidence does not say what was run`);
    return line;
  });
  const first = lines[0]!;
  for (const [at, line] of lines.entries()) {
    const what = Object.entries(shared).find(
      ([, of]) => JSON.stringify(of(line)) !== JSON.stringify(of(first)),
    );
    if (what !== undefined)
      throw new UsageError(`${folders[at]}: it is of another ${what[0]} than ${folders[0]}`);
  }
  const whole = lines.findIndex(({ shard }) => shard === undefined);
  if (lines.length > 1 && whole >= 0)
    throw new UsageError(
      `${folders[whole]}: it is of a whole run; merge takes those that --shard K/N has divided`,
    );
  for (let index = 1; index <= (first.shard?.count ?? 0); index++) {
    const own = lines.filter(({ shard }) => shard?.index === index).length;
    if (own !== 1)
      throw new UsageError(
        `shard ${index}/${first.shard!.count} is ${own === 0 ? 'missing' : 'there more than once'}; name the folder of each shard once`,
      );
  }
}

import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { EvidenceLine, RunLine } from '../schemas/evidence.ts';
import { mergeEvidence } from '../engine/evidence/merge-evidence.ts';
import { readEvidence, runLineIn } from '../engine/evidence/recorded.ts';
import { writeAndPrint } from '../report/finish.ts';
import { mergedReport } from '../report/merged.ts';
import { readReport } from '../report/read.ts';
import type { Report } from '../schemas/report.ts';
import { isAsDeclared } from '../engine/answers/declared.ts';
import { MERGED, changing, prepareFolder, removeEarlierReports } from '../report/folder.ts';
import { EVIDENCE, partOf } from '../settings/files.ts';
import { UsageError } from '../settings/usage-error.ts';
import { outOf, withSettings } from './options.ts';
import { recordedSettings } from './recorded-settings.ts';
import type { RunSuites } from './run-suites.ts';

const description = `Combines the reports of runs that shared their cases. Sends nothing.

Every folder holds the reports of one run, made with --shard K/N, the same seed
and the same target. The evidence of all runs is judged together, so that an id
that two runs received is found.`;

const examples = `
Example:
  for k in 1 2 3 4; do
    cts-conformance run --seed 7 --cases 4000 --shard $k/4 --out shards/$k & done; wait
  cts-conformance merge shards/*

Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage: a run is missing or has not ended, began 12 hours or more
     before another one, or has another seed, target or settings
  3  inconclusive`;

export const commandWith = (runSuites: RunSuites): Command =>
  withSettings(
    new Command('merge')
      .description(description)
      .argument('<folders...>', 'the folders of the reports, one per run'),
    ['out'],
  )
    .addHelpText('after', examples)
    .action(async (folders: string[], _: unknown, self: Command) => {
      const reports = folders.map(readReport);
      rejectUnfinishedRuns(folders, reports);
      const runs = folders.map((folder) => readEvidence(join(folder, EVIDENCE)));
      const { profile } = checkSameRun(folders, runs);
      rejectOldRuns(folders, reports);
      const out = outOf(self);
      if (folders.some((folder) => resolve(folder) === resolve(out)))
        throw new UsageError(
          `--out: ${out} holds one of the runs, which would be overwritten; name another folder`,
        );
      prepareFolder(out);
      removeEarlierReports(out);
      const evidence = mergeEvidence(runs, ({ id, answer }) => {
        const declared = profile?.answers[id];
        return declared !== undefined && answer !== undefined && !isAsDeclared(declared, answer);
      });
      const path = partOf(join(out, MERGED));
      // At the end of the process, as an interrupt ends it at once.
      process.once('exit', () => rmSync(path, { force: true }));
      const lines = evidence.map((line) => JSON.stringify(line));
      changing(path, () => writeFileSync(path, lines.map((line) => `${line}\n`).join('')));
      await runSuites(recordedSettings(runLineIn(evidence, path), path, out), (finished) =>
        writeAndPrint({ ...finished, report: mergedReport(finished, reports) }, lines),
      );
    });

/** @throws {UsageError} for a run that was killed, or is under way: it has no evidence */
function rejectUnfinishedRuns(folders: readonly string[], reports: readonly Report[]): void {
  const at = reports.findIndex(({ run }) => run.unfinished);
  if (at >= 0)
    throw new UsageError(
      `${folders[at]!}: its run has not ended: it is still under way, or it was killed; if so, run that shard again`,
    );
}

/** Hours between the starts of two runs from which on one is probably of an earlier pipeline. */
const MAX_HOURS_APART = 12;

/** @throws {UsageError} for a run that began long before another one: a shard that wrote nothing leaves an earlier report */
function rejectOldRuns(folders: readonly string[], reports: readonly Report[]): void {
  const starts = reports.map(({ run }) => Date.parse(run.startedAt));
  for (const [at, start] of starts.entries()) {
    const hours = Math.floor((Math.max(...starts) - start) / 3_600_000);
    if (hours >= MAX_HOURS_APART)
      throw new UsageError(
        `${folders[at]!}: its run began ${hours} hours before another one, perhaps in an earlier pipeline; run that shard again`,
      );
  }
}

/** The settings that must be equal in all runs. */
const shared: Readonly<Record<string, (line: RunLine) => unknown>> = {
  target: ({ baseUrl }) => baseUrl,
  seed: ({ seed }) => seed,
  'number of shards': ({ shard }) => shard?.count,
  'version of the suite': ({ suite }) => suite.version,
  'number of cases (--cases)': ({ cases }) => cases,
  profile: ({ profile }) => profile,
  baseline: ({ baseline }) => baseline,
  'selection of requirements (--only)': ({ only }) => only,
  '--strict': ({ strict }) => strict,
  '--http': ({ route }) => route.http,
  '--header': ({ route }) => route.headers,
  'token request': ({ tokenScopes, tokenExpiresIn }) => [tokenScopes, tokenExpiresIn],
  '--email-domain': ({ emailDomain }) => emailDomain,
};

/** @returns the settings line of the first run @throws {UsageError} when the runs did not share their cases */
function checkSameRun(folders: readonly string[], runs: readonly (readonly EvidenceLine[])[]): RunLine {
  if (new Set(folders.map((folder) => realpathSync(folder))).size < folders.length)
    throw new UsageError('a folder is given twice; name the folder of each run once');
  const lines = runs.map((run, at) => runLineIn(run, folders[at]!));
  const first = lines[0]!;
  for (const [at, line] of lines.entries()) {
    const what = Object.entries(shared).find(
      ([, of]) => JSON.stringify(of(line)) !== JSON.stringify(of(first)),
    );
    if (what !== undefined) throw new UsageError(`${folders[at]}: its ${what[0]} differs from ${folders[0]}`);
  }
  const whole = lines.findIndex(({ shard }) => shard === undefined);
  if (lines.length > 1 && whole >= 0)
    throw new UsageError(`${folders[whole]}: it is a whole run; merge combines runs with --shard K/N`);
  for (let index = 1; index <= (first.shard?.count ?? 0); index++) {
    const own = folders.filter((_, at) => lines[at]!.shard?.index === index);
    if (own.length !== 1)
      throw new UsageError(
        `shard ${index}/${first.shard!.count} is ${own.length === 0 ? 'missing' : `in ${own.join(' and ')}`}; name the folder of each shard once`,
      );
  }
  return first;
}

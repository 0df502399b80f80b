import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEvidence } from '../engine/recorded.ts';
import { linesIn } from '../engine/lines.ts';
import { readWholeReport } from '../report/read.ts';
import { derived, writeAll } from '../report/write.ts';
import { printable } from '../target/printable.ts';
import { readSettings } from '../settings/sources.ts';
import { UsageError } from '../settings/settings.ts';
import { readFlags } from './flags.ts';

const help = `cts render: makes the reports again from the files of a run; nothing is sent

Usage: cts render FOLDER [flags]

FOLDER holds the conformance.json of a run and, where there is one, its
evidence.ndjson. All else, index.html above all, is written anew.

  --report LIST  more reports: har, ctrf

Example:
  cts render reports --report har

Exit codes:
  0  they were written
  2  wrong usage, or a file that is not of a run
`;

/** The command `cts render`. */
export async function render(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, ['report'], { mostPositionals: 1 });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [folder] = flags.positionals;
  if (folder === undefined) throw new UsageError('render needs the folder of a run, such as reports');
  const { reports } = readSettings({ flags: flags.values });
  const report = readWholeReport(folder);
  const path = join(folder, 'evidence.ndjson');
  const hasEvidence = existsSync(path);
  if (!hasEvidence && reports.includes('har'))
    throw new UsageError(
      '--report har: it is made from the evidence.ndjson of a run, and the folder has none; leave har out',
    );
  // For its errors: what is written by hand may be anything.
  if (hasEvidence) readEvidence(path);
  const evidence = hasEvidence ? linesIn(readFileSync(path)) : undefined;
  const files = derived({ report, evidence, out: folder }, reports);
  // Both files were redacted when they were written; which secrets there were is not known any more.
  await writeAll(files, folder, (_, text) => text);
  for (const [name] of files) process.stdout.write(`${printable(join(folder, name))}\n`);
}

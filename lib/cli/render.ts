import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { linesIn } from '../engine/evidence/lines.ts';
import { readEvidence } from '../engine/evidence/recorded.ts';
import { readReport, folderOf } from '../report/read.ts';
import { derivedFiles, writeAll } from '../report/write.ts';
import { WritingFailed } from '../report/folder.ts';
import { EVIDENCE } from '../settings/files.ts';
import { UsageError } from '../settings/usage-error.ts';
import { readSettings } from '../settings/sources.ts';
import { printable } from '../target/output/printable.ts';
import { givenFlags } from './options.ts';
import { print } from './output.ts';

const description = `Writes the reports again from the files of a run. Sends nothing.

Reads conformance.json and, if it exists, evidence.ndjson, and writes all other
reports, index.html among them.`;

const examples = `
Example:
  cts-conformance render reports --report har

Exit codes:
  0  written
  2  wrong usage, files that are not from a run, or that can't be written`;

export const commandWith = (): Command =>
  new Command('render')
    .description(description)
    .argument('<folder>', 'the reports of a run, or its conformance.json')
    .option('--report <LIST>', 'additional reports: har, ctrf')
    .addHelpText('after', examples)
    .action(async (named: string, _: unknown, self: Command) => {
      const folder = folderOf(named);
      const { reports } = readSettings({ flags: givenFlags(self) });
      const report = readReport(named);
      const path = join(folder, EVIDENCE);
      const hasEvidence = existsSync(path);
      if (!hasEvidence && reports.includes('har'))
        throw new UsageError(
          '--report har: the folder has no evidence.ndjson, from which har is made; leave har out',
        );
      // Only for its errors: the file may have been edited.
      if (hasEvidence) readEvidence(path);
      const evidence = hasEvidence ? linesIn(readFileSync(path)) : [];
      const files = derivedFiles(report, evidence, folder, reports);
      // Both files were redacted when they were written; the secrets are not known any more.
      const problems = await writeAll(files, folder, (__, text) => text).catch((error: unknown) => {
        // As nothing was sent, a folder that can't be written to is a usage error.
        throw error instanceof WritingFailed ? new UsageError(error.message) : error;
      });
      if (problems.length > 0) throw new Error(problems.join('; '));
      for (const [name] of files) print(`${printable(join(folder, name))}\n`);
    });

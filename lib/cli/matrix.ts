import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { Command, Option } from 'commander';
import { matrixMarkdown, matrixPage } from '../report/matrix-render.ts';
import { matrixOf } from '../report/matrix.ts';
import { readReport } from '../report/read.ts';
import { writeWhole } from '../report/write.ts';
import { UsageError } from '../settings/usage-error.ts';

const description = `Puts the reports of several services side by side, or of several runs.

A service is called by the name in its profile, or else by its base URL. Reports
of one target are its history: the columns are runs, the oldest first, and what
is new, fixed or flaky is marked.`;

const examples = `
Examples:
  cts-conformance matrix acme/reports globex/reports --out matrix.html
  cts-conformance matrix acme/reports globex/reports --format markdown

Exit codes:
  0  written, whatever the verdicts are
  2  wrong usage, or a file that can't be read as a report`;

export const command = new Command('matrix')
  .description(description)
  .argument('<reports...>', 'one report per service or run: a conformance.json, or the folder that holds it')
  .addOption(
    new Option('--format <NAME>', 'html: one page without other files')
      .choices(['html', 'markdown'])
      .default('html'),
  )
  .option('--out <FILE>', 'file to write; default: print')
  .addHelpText('after', examples)
  .action(async (files: string[], { format, out }: { format: 'html' | 'markdown'; out?: string }) => {
    const services = matrixOf(
      files.map(readReport),
      files.map((file) => linkTo(file, out)),
    );
    const text = format === 'markdown' ? matrixMarkdown(services) : matrixPage(services);
    if (out === undefined) {
      process.stdout.write(text);
      return;
    }
    await writeWhole(out, text).catch((error: Error) => {
      throw new UsageError(`--out: ${error.message}`);
    });
  });

/** A link from the page to that of a report; undefined if there is none. */
function linkTo(file: string, out: string | undefined): string | undefined {
  const page = join(file.endsWith('.json') ? dirname(file) : file, 'index.html');
  return out !== undefined && existsSync(page)
    ? relative(dirname(out), page).split(sep).map(encodeURIComponent).join('/')
    : undefined;
}

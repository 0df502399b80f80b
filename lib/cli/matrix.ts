import { existsSync, statSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Command, Option } from 'commander';
import { matrixMarkdown, matrixPage } from '../report/matrix-render.ts';
import { matrixText } from '../report/matrix-text.ts';
import { matrixOf } from '../report/matrix.ts';
import type { Matrix } from '../report/matrix.ts';
import { readReport } from '../report/read.ts';
import { writeWhole } from '../report/write.ts';
import { UsageError } from '../settings/usage-error.ts';

const description = `Puts the reports of several services side by side, or of several runs.

A service is called by the name that it has in targets.json, in its profile, or
else by its base URL. The text lists the requirements that do not pass
everywhere; page and Markdown list all, and lead to the report of each service.
Reports of one target are its history: the columns are runs, the oldest first,
and what is new, fixed or flaky is marked.`;

const examples = `
Examples:
  cts-conformance matrix reports/acme reports/globex
  cts-conformance matrix reports/acme reports/globex --out matrix.html

Exit codes:
  0  written, whatever the verdicts are
  2  wrong usage, or a file that can't be read as a report`;

const formats = ['text', 'html', 'markdown'] as const;
type MatrixFormat = (typeof formats)[number];

const formatOf: Readonly<Record<string, MatrixFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
};

export const command = new Command('matrix')
  .description(description)
  .argument('<reports...>', 'one report per service or run: a conformance.json, or the folder that holds it')
  .addOption(
    new Option(
      '--format <NAME>',
      'text, html (one page) or markdown; default: as the name of --out ends, or text',
    ).choices(formats),
  )
  .option('--out <FILE>', 'file to write; default: print')
  .addHelpText('after', examples)
  .action(async (files: string[], { format, out }: { format?: MatrixFormat; out?: string }) => {
    const matrix = readMatrix(files, dirname(out ?? '.'));
    const text = {
      text: () => matrixText(matrix, process.stdout),
      html: () => matrixPage(matrix),
      markdown: () => matrixMarkdown(matrix),
    }[format ?? formatOf[extname(out ?? '')] ?? 'text']();
    if (out === undefined) {
      process.stdout.write(text);
      return;
    }
    await writeWhole(out, stripVTControlCharacters(text)).catch((error: Error) => {
      throw new UsageError(`--out: ${error.message}`);
    });
  });

/**
 * Reads reports.
 * @param folder from which the matrix leads to the page of each
 * @throws {UsageError}
 */
export function readMatrix(files: readonly string[], folder = '.'): Matrix {
  const pages = files.map((file) => {
    const page = join(
      statSync(file, { throwIfNoEntry: false })?.isDirectory() ? file : dirname(file),
      'index.html',
    );
    return existsSync(page) ? relative(folder, page) : undefined;
  });
  return matrixOf(files.map(readReport), pages);
}

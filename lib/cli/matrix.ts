import { dirname } from 'node:path';
import { Command } from 'commander';
import { matrixPage } from '../report/matrix-page.ts';
import { matrixMarkdown, matrixText } from '../report/matrix.ts';
import { formatOption, outOption, writeOutput } from './output.ts';
import type { Output } from './output.ts';
import { readMatrix } from '../report/read.ts';

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

export const commandWith = (): Command =>
  new Command('matrix')
    .description(description)
    .argument(
      '<reports...>',
      'one report per service or run: a conformance.json, or the folder that holds it',
    )
    .addOption(formatOption(['text', 'html', 'markdown'], 'text, html (one page) or markdown'))
    .addOption(outOption())
    .addHelpText('after', examples)
    .action(async (files: string[], output: Output) => {
      const matrix = readMatrix(files, dirname(output.out ?? '.'));
      await writeOutput(output, {
        text: () => matrixText(matrix),
        html: () => matrixPage(matrix),
        markdown: () => matrixMarkdown(matrix),
      });
    });

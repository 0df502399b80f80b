import { dirname } from 'node:path';
import { Command } from 'commander';
import { diffPage } from '../report/diff-page.ts';
import type { Compared } from '../report/diff-page.ts';
import { diffHeadline, diffJson, diffMarkdown, diffText } from '../report/diff-text.ts';
import { diffOf } from '../report/diff.ts';
import { readReport, folderOf, pageOf } from '../report/read.ts';
import type { Report } from '../schemas/report.ts';
import { UsageError } from '../settings/usage-error.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { formatOption, outOption, writeOutput } from './output.ts';
import type { Output } from './output.ts';

const description = `Compares two reports.

Reports which requirements fail now, are fixed, are no longer tested, are tested
now, are waived, were removed or are new; which open questions have a different
answer; and which operations are slower (p50 above the earlier p90, and at least
1.5 times the earlier p50 and 10 ms more).
Reports of one target show what has changed since; reports of two targets, run
with the same --seed, show how they differ. The page shows each failure in full,
and leads to both reports.`;

const examples = `
Examples:
  cts-conformance diff main/conformance.json reports/conformance.json
  cts-conformance diff main reports --out diff.html
  cts-conformance diff reports-of-a reports-of-b --format markdown >> "$GITHUB_STEP_SUMMARY"

Exit codes:
  0  nothing got worse
  1  a required or declared requirement fails now, or an answer is no longer as
     declared; if the new run is --strict, also: a recommended one fails now
  2  wrong usage, a file that can't be read as a report, or a run that has not
     ended
  3  nothing got worse, as far as it was tested: the new run is inconclusive, or
     leaves untested what the interface requires and the old one tested`;

export const commandWith = (): Command =>
  new Command('diff')
    .description(description)
    .argument('<old>', 'earlier report: a conformance.json, or the folder that holds it')
    .argument('<new>', 'later report, likewise')
    .addOption(
      formatOption(
        ['text', 'html', 'markdown', 'json'],
        'text for people, html (one page), markdown for a pull request, json for machines',
      ),
    )
    .addOption(outOption())
    .addHelpText('after', examples)
    .action(async (oldFile: string, newFile: string, output: Output) => {
      const [before, after] = [oldFile, newFile].map((file) => {
        const report = readReport(file);
        if (report.run.unfinished)
          throw new UsageError(
            `${file}: the run has not ended, so there is nothing to compare; run it again`,
          );
        return report;
      }) as [Report, Report];
      const found = diffOf(before, after);
      const from = dirname(output.out ?? '.');
      const compared = (report: Report, file: string): Compared => ({
        report,
        out: folderOf(file),
        page: pageOf(file, from),
      });
      const { word, verdict, text } = diffHeadline(found);
      await writeOutput(
        output,
        {
          text: () => diffText(found),
          html: () => diffPage(compared(before, oldFile), compared(after, newFile)),
          markdown: () => diffMarkdown(found),
          json: () => diffJson(found),
        },
        `${word}  ${text}`,
      );
      process.exitCode = {
        fail: exitCodes['does-not-conform'],
        inconclusive: exitCodes.inconclusive,
        pass: 0,
      }[verdict];
    });

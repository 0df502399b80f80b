import { matrixMarkdown } from '../report/matrix-markdown.ts';
import { matrixPage } from '../report/matrix-page.ts';
import { matrixOf } from '../report/matrix.ts';
import { readReport } from '../report/read.ts';
import { writeWhole } from '../report/write.ts';
import { UsageError } from '../settings/settings.ts';
import { oneOf, readFlags } from './flags.ts';

const help = `cts matrix: puts the reports of several services beside each other

Usage: cts matrix REPORT... [--format html|markdown] [--out FILE]

REPORT is a file conformance.json, or a folder that holds one; as many as there
are services. The "name" of a profile is what a service is called.

  --format NAME  html: one page that needs nothing but itself; markdown;
                 default: html
  --out FILE     where it is written; default: printed

Examples:
  cts matrix acme/reports globex/reports --out matrix.html
  cts matrix acme/reports globex/reports --format markdown

Exit codes:
  0  written, whatever the verdicts are
  2  wrong usage, or a file that can't be read as a report
`;

/** The command `cts matrix`. */
export async function matrix(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, ['format', 'out'], { mostPositionals: Infinity });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  if (flags.positionals.length === 0)
    throw new UsageError('matrix needs the reports of one service at least');
  const format = oneOf(flags, 'format', ['html', 'markdown']);
  const services = matrixOf(flags.positionals.map(readReport));
  const text = format === 'markdown' ? matrixMarkdown(services) : matrixPage(services);
  const { out } = flags.values;
  if (out === undefined) process.stdout.write(text);
  else await writeWhole(out, text).catch(notWritten);
}

function notWritten(error: Error): never {
  throw new UsageError(`--out: ${error.message}`);
}

import { diffJson } from '../report/diff-json.ts';
import { diffMarkdown } from '../report/diff-markdown.ts';
import { diffText } from '../report/diff-text.ts';
import { diffOf } from '../report/diff.ts';
import { readReport } from '../report/read.ts';
import { UsageError } from '../settings/settings.ts';
import { oneOf, readFlags } from './flags.ts';

const help = `cts diff: says what differs between two reports

Usage: cts diff OLD NEW [--format text|markdown|json]

OLD and NEW are files conformance.json, or folders that hold one.

  --format NAME  text for people, markdown for a pull request, json for
                 machines; default: text

It tells what broke, was fixed, is no longer tested, is tested now, is waived,
vanished or is new; which open questions have another answer; and which
operation is slower: half of its accepted requests take longer than nine in ten
did before, half as long again at least, and 10 ms more.
Reports of one target show what changed since; of two targets, run with the same
--seed, in what they differ.

Examples:
  cts diff main/conformance.json reports/conformance.json
  cts diff reports-of-a reports-of-b --format markdown >> "$GITHUB_STEP_SUMMARY"

Exit codes:
  0  nothing broke
  1  something broke that is required or declared, or an answer is no longer as
     declared; where the new run is --strict, also something that is advised
  2  wrong usage, or a file that can't be read as a report
`;

/** The command `cts diff`. Sets the exit code. */
export async function diff(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, ['format'], { mostPositionals: 2 });
  if (flags.help) {
    process.stdout.write(help);
    return;
  }
  const [oldFile, newFile] = flags.positionals;
  if (oldFile === undefined || newFile === undefined)
    throw new UsageError('diff needs two reports: the old one and the new one; see --help');
  const format = oneOf(flags, 'format', ['text', 'markdown', 'json']);
  const [before, after] = [readReport(oldFile), readReport(newFile)];
  const found = diffOf(before, after);
  const text =
    format === 'json'
      ? diffJson(before, after, found)
      : format === 'markdown'
        ? diffMarkdown(before, after, found)
        : diffText(before, after, found, process.stdout);
  process.stdout.write(text);
  if (found.isWorse) process.exitCode = 1;
}

import { appendFile } from 'node:fs/promises';
import { clipped } from '../../target/printable.ts';
import type { Report } from '../../schemas/report.ts';
import { testsOf } from './tested.ts';
import type { Tested } from './tested.ts';

/** What GitHub shows of one step at most, of errors and of warnings each. */
const MOST = 10;

/**
 * What is broken as commands of GitHub's runner, a line each: failures as errors, advice that was not followed as
 * warnings.
 */
export function annotationsOf(report: Report, out: string): string {
  const tests = testsOf(report, out);
  const errors = tests.filter(({ outcome }) => outcome === 'failed');
  const isUnjudged = errors.length === 0 && report.verdict === 'inconclusive';
  const warnings = tests.filter(({ outcome, verdict }) => verdict === 'warn' && outcome !== 'failed');
  return [...commands('error', isUnjudged ? tests.slice(-1) : errors), ...commands('warning', warnings)]
    .map((line) => `${line}\n`)
    .join('');
}

function commands(kind: 'error' | 'warning', tests: readonly Tested[]): string[] {
  const shown = tests.length > MOST ? tests.slice(0, MOST - 1) : tests;
  const rest = tests.length - shown.length;
  return [
    ...shown.map(({ name, message }) => command(kind, name, message)),
    ...(rest > 0 ? [command(kind, `${rest} more`, 'the summary and the reports name them')] : []),
  ];
}

const command = (kind: string, title: string, message: string): string =>
  `::${kind} title=${property(clipped(title, 200))}::${data(clipped(message, 1000))}`;

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Shows the summary with the job.
 * @param path `$GITHUB_STEP_SUMMARY`
 * @returns why it can't be; undefined where it is
 */
export async function appendSummary(path: string, summary: string): Promise<string | undefined> {
  try {
    // What other steps have written there may not end with a line.
    await appendFile(path, `\n${summary}`);
    return undefined;
  } catch (error) {
    return `the summary could not be appended to GITHUB_STEP_SUMMARY (${(error as NodeJS.ErrnoException).code})`;
  }
}

import { appendFile } from 'node:fs/promises';
import type { Report } from '../../schemas/report.ts';
import { clipped } from '../../target/printable.ts';
import type { Guard } from '../guard.ts';
import { summaryMarkdown } from './summary.ts';
import { testsOf } from './tests.ts';
import type { TestResult } from './tests.ts';

/** Errors and warnings that GitHub shows of one step, each. */
const MOST = 10;

/**
 * Annotates a job of GitHub Actions and appends to its summary.
 * @param environment `GITHUB_ACTIONS` and `GITHUB_STEP_SUMMARY` are used
 * @returns text for the screen: commands for GitHub's runner, and an error if the summary can't be written
 */
export async function reportToGithub(
  report: Report,
  out: string,
  guard: Guard,
  { GITHUB_ACTIONS: isRunner, GITHUB_STEP_SUMMARY: path }: NodeJS.ProcessEnv,
): Promise<string> {
  const annotations = isRunner === 'true' ? guard('the annotations', annotationsOf(report, out)) : '';
  if (!path) return annotations;
  const problem = await appendSummary(path, guard('the summary', summaryMarkdown(report, out)));
  return problem === undefined ? annotations : `${annotations}${problem}\n`;
}

/** Failures as errors and recommendations that are not followed as warnings, as commands of GitHub's runner. */
export function annotationsOf(report: Report, out: string): string {
  const tests = testsOf(report, out);
  const errors = tests.filter(({ outcome }) => outcome === 'failed');
  const isUnjudged = errors.length === 0 && report.verdict === 'inconclusive';
  const warnings = tests.filter(({ outcome, verdict }) => verdict === 'warn' && outcome !== 'failed');
  return [...commands('error', isUnjudged ? tests.slice(-1) : errors), ...commands('warning', warnings)]
    .map((line) => `${line}\n`)
    .join('');
}

function commands(kind: 'error' | 'warning', tests: readonly TestResult[]): string[] {
  const shown = tests.length > MOST ? tests.slice(0, MOST - 1) : tests;
  const rest = tests.length - shown.length;
  return [
    ...shown.map(({ name, message }) => command(kind, name, message)),
    ...(rest > 0 ? [command(kind, `${rest} more`, 'see the summary and the reports')] : []),
  ];
}

const command = (kind: string, title: string, message: string): string =>
  `::${kind} title=${property(clipped(title, 200))}::${data(clipped(message, 1000))}`;

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Appends to the summary of a job.
 * @param path `$GITHUB_STEP_SUMMARY`
 * @returns an error message, or undefined
 */
export async function appendSummary(path: string, summary: string): Promise<string | undefined> {
  try {
    // The last line of another step may not have ended.
    await appendFile(path, `\n${summary}`);
    return undefined;
  } catch (error) {
    return `the summary could not be appended to GITHUB_STEP_SUMMARY (${(error as NodeJS.ErrnoException).code})`;
  }
}

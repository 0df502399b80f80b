import { appendFileSync } from 'node:fs';
import { clipped, printable } from '../../target/output/printable.ts';
import { codeSpan } from './markdown.ts';

/** A command of GitHub's runner, which annotates a job. It is one line. */
export const annotation = (kind: 'error' | 'warning', title: string, message: string): string =>
  `::${kind} title=${property(clipped(title, 200))}::${data(clipped(message, 1000))}\n`;

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Appends to the summary of a job.
 * @param path `$GITHUB_STEP_SUMMARY`
 * @returns an error message, or undefined
 */
export function appendSummary(path: string, summary: string): string | undefined {
  try {
    // The last line of another step may not have ended.
    appendFileSync(path, `\n${summary}`);
    return undefined;
  } catch (error) {
    return `the summary could not be appended to GITHUB_STEP_SUMMARY (${(error as NodeJS.ErrnoException).code})`;
  }
}

/**
 * Reports in a job of GitHub Actions why a command made no report.
 * @param environment `GITHUB_ACTIONS` and `GITHUB_STEP_SUMMARY` are used
 * @returns text for the screen
 */
export function failureOnGithub(
  title: string,
  message: string,
  { GITHUB_ACTIONS: isRunner, GITHUB_STEP_SUMMARY: path }: NodeJS.ProcessEnv,
): string {
  const text = printable(message.replaceAll(/\n\s*/g, ' '));
  if (path) appendSummary(path, `## ❔ ${title}\n\n${codeSpan(text, 1000)}\n`);
  return isRunner === 'true' ? annotation('error', title, text) : '';
}

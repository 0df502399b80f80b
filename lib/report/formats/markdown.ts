import type { Fact } from '../../engine/judging/failure-text.ts';
import { oneLine } from '../../target/output/printable.ts';

/** Characters without a meaning in Markdown, wherever they occur within a line, except `_`. */
const HARMLESS = /^(?!.*(?:\bwww\.|\/\/))[A-Za-z0-9 ,.;:'()?%/_-]*$/;

/**
 * Untrusted text on one line: no markup, no link, no mention. Anything that could be more than words becomes code.
 * @param maxLength characters that are shown
 */
export function untrusted(text: string, maxLength?: number): string {
  const line = oneLine(text, maxLength);
  return HARMLESS.test(line) ? line.replaceAll('_', String.raw`\_`) : codeSpan(line, Infinity);
}

/**
 * Untrusted text as a code span on one line; its fence is longer than any run of backticks within.
 * @param maxLength characters that are shown
 */
export function codeSpan(text: string, maxLength = 300): string {
  const line = oneLine(text, maxLength) || '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** Facts as a list; a fact of several lines keeps them. @param indent of a list within a list */
export const factList = (facts: readonly Fact[], indent = ''): string[] =>
  facts.map(([name, ...lines]) =>
    COMMANDS.includes(name)
      ? [`${indent}- ${name}:`, ...commandBlock(lines[0])].join(`\n${indent}  `)
      : `${indent}- ${name}: ${lines.map((line) => codeSpan(line, Infinity)).join(`\\\n${indent}  `)}`,
  );

/** Facts that people copy into a shell: beside a block of code, GitHub has a button for that. */
const COMMANDS: readonly string[] = ['resend', 'replay'];

function commandBlock(command: string): string[] {
  const line = oneLine(command, Infinity);
  const fence = '`'.repeat(Math.max(3, longestRun(line) + 1));
  return [`${fence}sh`, line, fence];
}

/** A table; no rows make no table. @param rows cells of Markdown */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [row(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(row)];

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

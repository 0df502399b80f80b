import { clipped, printable } from '../../target/printable.ts';

/**
 * Text of others as a code span: nothing in it is markup, a link, a mention or a reference. One line; the
 * fence is longer than any run of backticks within. Not for cells of a table, where a bar would end it.
 * @param most characters that are shown
 */
export function code(text: string, most = 300): string {
  const line = clipped(printable(text), most) || '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** Lines of others as a block that they cannot close. */
export function fenced(language: string, lines: readonly string[]): string {
  const own = lines.map(printable);
  const fence = '`'.repeat(Math.max(3, ...own.map((line) => longestRun(line) + 1)));
  return [`${fence}${language}`, ...own, fence].join('\n');
}

/** Text of our own, which has no markup but may look as if it had. */
export const plain = (text: string): string => printable(text).replace(/[\\`*_[\]<>&|~#@]/g, String.raw`\$&`);

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

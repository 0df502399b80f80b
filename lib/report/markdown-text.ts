import { clipped, printable } from '../target/printable.ts';

/** Letters and marks that mean nothing in Markdown, wherever they stand within a line, but for `_`. */
const HARMLESS = /^(?!.*(?:\bwww\.|\/\/))[A-Za-z0-9 ,.;:'()?%/_-]*$/;

/**
 * Any text as one line of Markdown that shows it and does nothing else: no markup, no link, no mention. What
 * could be more than words stands as code.
 */
export const inert = (text: string): string => {
  const line = clipped(printable(text));
  return HARMLESS.test(line) ? line.replaceAll('_', String.raw`\_`) : code(line);
};

/** Any text as code within a line. */
export function code(text: string): string {
  const line = clipped(printable(text));
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || line === '' ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** What stands in a cell of a table. @param markdown as `inert` and `code` make it */
export const cell = (markdown: string): string => markdown.replaceAll('|', String.raw`\|`);

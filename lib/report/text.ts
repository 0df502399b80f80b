import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../schemas/json.ts';
import type { Json } from '../schemas/json.ts';
import { clipped, printable, shown } from '../target/output/printable.ts';

/** Columns of most terminals. */
export const COLUMNS = 80;

/** Columns of a stream. Lines in a pipe are not wrapped; some terminals report 0. */
export const columnsOf = ({ isTTY, columns }: NodeJS.WriteStream): number =>
  isTTY ? columns || COLUMNS : Infinity;

/** Columns that a text takes, which may have the styles of a terminal. */
const widthOf = (text: string): number => stripVTControlCharacters(text).length;

/**
 * Wraps a text into lines of at most so many columns; a longer word gets a line of its own. Repeated spaces become one.
 * @param first start of the first line
 * @param others start of the other lines; by default as many spaces, as far as there is room
 */
export function wrapped(
  text: string,
  first = '',
  others?: string,
  // Undefined in a pipe; some terminals report 0.
  columns = Math.min(process.stdout.columns || COLUMNS, COLUMNS),
): string[] {
  const lines: string[] = [];
  // A third of a narrow terminal is left, whatever stands before.
  const indent = others ?? ' '.repeat(Math.min(widthOf(first), Math.floor((2 * columns) / 3)));
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/ +/)) {
    if (!isEmpty && widthOf(line) + 1 + word.length > columns) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Indented lines of cells, which begin in the same column in each. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((cells) => widthOf(cells[at]!)))) ?? [];
  return rows.map((cells) =>
    `  ${cells.map((cell, at) => cell + ' '.repeat(widths[at]! - widthOf(cell))).join('  ')}`.trimEnd(),
  );
}

/** Characters of an answer on one line; the report has all of it. */
const ANSWER_LENGTH = 110;

/** An answer to an open question on one line, clipped if it is long. */
export const answerLine = (answer: Json): string => clipped(onOneLine(answer), ANSWER_LENGTH);

/** Members with equal values are listed together. */
function onOneLine(answer: Json): string {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return withoutQuotes(answer);
  const members = Object.entries(answer);
  if (members.length === 0) return 'none';
  return [...Map.groupBy(members, ([, value]) => withoutQuotes(value))]
    .map(([value, equal]) => `${equal.map(([name]) => withoutQuotes(name)).join(', ')}: ${value}`)
    .join('; ');
}

const withoutQuotes = (value: Json): string => shown(value).replaceAll('"', '');

/** A declared and an observed answer; of two objects, only the members that differ. */
export function differingParts(
  declared: Json | undefined,
  observed: Json | undefined,
): readonly [declared: string, observed: string] {
  if (!isObject(declared) || !isObject(observed)) return [shown(declared), shown(observed)];
  const names = [...new Set([...Object.keys(declared), ...Object.keys(observed)])].filter(
    (name) => JSON.stringify(declared[name]) !== JSON.stringify(observed[name]),
  );
  const part = (object: Readonly<Record<string, Json>>): string =>
    names.map((name) => `${shown(name)}: ${shown(object[name])}`).join(', ');
  return [part(declared), part(observed)];
}

/** A moment to the minute, UTC. @param iso ISO 8601; any text in a report that was edited */
export const minuteOf = (iso: string): string => printable(iso.slice(0, 16).replace('T', ' '));

/** The host of a URL; any other text as it is, because a report may have been edited. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

export const formatMilliseconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${rounded(milliseconds / 1000)} s`;

/** A number with at most three significant digits; those before the point are all kept. */
export const rounded = (value: number): string =>
  String(Number(value.toPrecision(Math.max(3, Math.ceil(Math.log10(Math.abs(value) + 1))))));

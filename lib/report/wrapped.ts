/** Columns of the narrowest terminal that is written for. */
export const COLUMNS = 80;

/**
 * A text as lines of at most so many columns; a word that is longer stands alone. Spaces within it are kept as one.
 * @param first what the first line begins with
 * @param others what the others begin with; as many spaces by default
 */
export function wrapped(
  text: string,
  first = '',
  others = ' '.repeat(first.length),
  columns = COLUMNS,
): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/ +/)) {
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = others;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/**
 * Text from the target as one line that is safe in a terminal, a log and a person's eye: controls,
 * invisible and direction-changing characters stand as `\u{…}`, and so does the beginning of a command
 * that CI systems take from anywhere in a line.
 */
export const printable = (text: string): string => text.replace(UNSAFE, escape).replace(COMMAND, escape);

/** The beginning of a text, and how long it is. Only for text without secrets: a cut one is not found. */
export function clipped(text: string, most = 300): string {
  const points = [...text];
  return points.length > most ? `${points.slice(0, most).join('')}… (${points.length} characters)` : text;
}

/** A text in quotes, as JSON has it, and printable. */
export const quoted = (text: string): string => `"${printable(text.replace(/["\\]/g, String.raw`\$&`))}"`;

/** A JSON value, or that there is none. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? quoted(value) : printable(JSON.stringify(value));
}

/** Cc, Cf, Zl, Zp, surrogates, private use and unassigned; white space other than a space; marks that stand alone. */
export const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]|(?! )\p{Zs}|[\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;

// Of GitHub's runner, Azure Pipelines and TeamCity.
const COMMAND = /#(?=#\w{0,20}\[)/g;

function escape(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character === '\r') return String.raw`\r`;
  if (character === '\t') return String.raw`\t`;
  return String.raw`\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
}

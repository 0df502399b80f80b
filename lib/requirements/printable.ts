/**
 * Text from the target as one line that is safe in a terminal, a log and a person's eye: controls,
 * invisible and direction-changing characters stand as `\u{…}`, and it ends after a while.
 */
export function printable(text: string, most = 300): string {
  const points = [...text];
  const shown = points.slice(0, most).join('').replace(UNSAFE, escape);
  return points.length > most ? `${shown}… (${points.length} characters)` : shown;
}

/** A text in quotes, as JSON has it, and printable. */
export const quoted = (text: string, most = 300): string =>
  `"${printable(text.replace(/["\\]/g, String.raw`\$&`), most)}"`;

/** A JSON value, or that there is none. */
export const shown = (value: unknown, most = 300): string =>
  value === undefined
    ? 'nothing'
    : typeof value === 'string'
      ? quoted(value, most)
      : printable(JSON.stringify(value), most);

// Cc, Cf, Zl, Zp, surrogates, private use and unassigned; white space other than a space; marks that stand alone.
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]|(?! )\p{Zs}|[\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;

function escape(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character === '\r') return String.raw`\r`;
  if (character === '\t') return String.raw`\t`;
  return String.raw`\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
}

import { codeOf, characterNames } from '../../target/output/character-names.ts';
import { printable, quantity, shown } from '../../target/output/printable.ts';

/** A text that was submitted, and the different one that came back. */
export interface Echo {
  readonly sent: string;
  readonly got: string;
}

/** Code points of a long text that are shown on each side of the first difference. */
const CONTEXT = 30;

/** Two texts in words, each around their first difference if it is long, and what differs there. */
export function echoText({ sent, got }: Echo): { readonly expected: string; readonly actual: string } {
  const [submitted, echoed] = [[...sent], [...got]];
  const differs = submitted.findIndex((one, index) => one !== echoed[index]);
  const at = differs === -1 ? submitted.length : differs;
  return {
    expected: `${around(at, submitted)}, as submitted`,
    actual: `${around(at, echoed)} (${differenceAt(at, submitted, echoed)})`,
  };
}

function around(at: number, points: readonly string[]): string {
  if (points.length <= 3 * CONTEXT) return shown(points.join(''));
  const from = Math.max(0, Math.min(at, points.length) - CONTEXT);
  const to = Math.min(points.length, at + CONTEXT);
  return `code points ${from + 1} to ${to} of ${points.length}: ${shown(points.slice(from, to).join(''))}`;
}

function differenceAt(at: number, sent: readonly string[], got: readonly string[]): string {
  if (at === sent.length) return `${quantity(got.length - sent.length, 'code point')} longer than submitted`;
  return at === got.length
    ? `ends before code point ${at + 1}: ${point(sent[at]!)} was sent`
    : `differs at code point ${at + 1}: ${point(sent[at]!)} was sent, ${point(got[at]!)} came back`;
}

const point = (character: string): string => {
  const isVisible = character !== ' ' && printable(character) === character;
  return isVisible ? `${codeOf(character.codePointAt(0)!)} ${character}` : characterNames(character)[1];
};

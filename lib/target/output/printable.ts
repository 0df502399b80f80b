import { codePointName, characterNames } from './character-names.ts';

/**
 * Text from the target as one line that is safe in a terminal and a CI log. Controls, invisible and direction-changing
 * characters are replaced by their names, such as ⟨TAB⟩, so that none looks like an escape that was sent. So is the
 * beginning of a command that CI systems run from anywhere in a line.
 */
export const printable = (text: string): string => text.replace(UNSAFE, escape).replace(COMMAND, escape);

/** The beginning of a text, and its length. Redact first: half a secret is not found. */
export function clipped(text: string, maxLength = 300): string {
  const points = [...text];
  if (points.length <= maxLength) return text;
  // A text that was clipped before ends with its length.
  const [, length = points.length] = CLIPPED.exec(text) ?? [];
  return `${points.slice(0, maxLength).join('')}… (${length} characters)`;
}

const CLIPPED = /… \((\d+) characters\)$/;

/** The beginning of an untrusted text, printable, on one line. */
export const oneLine = (text: string, maxLength?: number): string => clipped(printable(text), maxLength);

/** A printable text in quotes, as in JSON. A combining mark at its beginning would join the quotation mark. */
export const quoted = (text: string): string =>
  `"${printable(
    text
      .replaceAll('⟨', escape)
      .replace(/^\p{M}/u, escape)
      .replace(/["\\]/g, String.raw`\$&`),
  )}"`;

/** A JSON value, printable, or `nothing`. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? quoted(value) : printable(JSON.stringify(value));
}

/** Cc, Cf, Zl, Zp, surrogates, private use and unassigned; white space other than a space; blank letters. */
export const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]|(?! )\p{Zs}|[\u034f\u115f\u1160\u2800\u3164\uffa0]/gu;

// As in `##[error]` and `##vso[`, of GitHub's runner and Azure Pipelines, and `##teamcity[`.
const COMMAND = /#(?=#\w{0,20}\[)/g;

const escape = (character: string): string => {
  const isShown = character === '⟨' || character === '#';
  return `⟨${isShown ? codePointName(character) : characterNames(character)[0]}⟩`;
};

/**
 * Escapes lines that GitHub's runner would run as a command: those that begin with two colons, after any white space.
 * `printable` escapes the commands that may begin anywhere in a line.
 */
export const withoutCiCommands = (lines: string): string =>
  lines.replace(/:(?=:)(?<=^[^\S\n]*:)/gm, '⟨U+003A⟩');

export const quantity = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** A value as JSON that is safe to print. */
export const printableJson = (value: unknown): string => `${escapedJson(JSON.stringify(value, null, 2))}\n`;

/** JSON with escapes in place of invisible characters and those that control a terminal. */
export const escapedJson = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const hex = character.charCodeAt(at).toString(16);
      return `\\u${hex.padStart(4, '0')}`;
    }).join(''),
  );

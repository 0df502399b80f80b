import { html as template } from 'hono/html';
import { codePointName, characterNames } from '../../target/output/character-names.ts';
import { UNSAFE, printable } from '../../target/output/printable.ts';

/** Markup, which is not escaped again. */
export interface Html {
  readonly isEscaped: true;
  readonly toString: () => string;
}

/** What may be put into markup. Never a promise: with one, the template would return a promise too. */
export type Content = Html | string | number | boolean | undefined | readonly Content[];

/** A template of markup: strings are escaped; booleans and undefined add nothing. */
export const html = template as unknown as (
  parts: TemplateStringsArray,
  ...values: readonly Content[]
) => Html;

/** Items one after the other, with a text between them. */
export const joined = (items: readonly Content[], between = ', '): Html =>
  html`${items.map((item, at) => html`${at > 0 && between}${item}`)}`;

/**
 * The text of a page. What must not occur in HTML (section 13.2.3.5) is replaced: controls and noncharacters. So are
 * invisible characters that `visible` did not name, as in an id of a report that was edited.
 */
export const pageText = (page: Html): string =>
  page
    .toString()
    .toWellFormed()
    .replace(
      /[^\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{10FFFF}]|[\p{Cf}\p{Zl}\p{Zp}]/gu,
      '\uFFFD',
    );

/** Code points of one text that the page shows; the other files contain all of it. */
const MAX_CODE_POINTS = 2000;

/** Invisible characters of one text that are named; the others become escapes, which are shorter. */
const MAX_NAMED = 200;

/**
 * Untrusted text, with a name in place of each character that is invisible or changes the direction of others.
 * @param keep `lines`: line breaks stay
 */
export function visible(text: string, keep?: 'lines'): Html {
  const { start, rest } = cut(keep ? text.replaceAll('\r\n', '\n') : text);
  const parts: Html[] = [];
  let at = 0;
  for (const { 0: found, index } of start.matchAll(NAMED_CHARACTERS)) {
    if (keep && found === '\n') continue;
    const name = isInvisible(found) ? shortName : stackName;
    const shown = parts.length >= MAX_NAMED ? printable(found) : name(found);
    parts.push(html`${start.slice(at, index)}${shown}`);
    at = index + found.length;
  }
  return html`${parts}${start.slice(at)}${rest > 0 && html`<span class="cut">… ${rest} more code points</span>`}`;
}

/** Invisible characters, and stacks of combining marks, which would cover the lines around them. */
const NAMED_CHARACTERS = new RegExp(String.raw`${UNSAFE.source}|\p{M}{5,}`, 'gu');

const isInvisible = (found: string): boolean => found.match(UNSAFE) !== null;

function stackName(marks: string): Html {
  const codes = [...new Set(marks)].slice(0, 9).map(codePointName);
  return named(`${[...marks].length} marks`, codes.join(' '));
}

/** The short name of a character, with its full name on hover. */
export const shortName = (character: string): Html => named(...characterNames(character));

const named = (short: string, full: string): Html =>
  html`<abbr class="invisible" title="${full}">${short}</abbr>`;

/** Cuts a text between code points. */
function cut(text: string): { start: string; rest: number } {
  if (text.length <= MAX_CODE_POINTS) return { start: text, rest: 0 };
  let end = 0;
  let points = 0;
  for (const character of text) {
    if (points++ < MAX_CODE_POINTS) end += character.length;
  }
  return { start: text.slice(0, end), rest: Math.max(0, points - MAX_CODE_POINTS) };
}

/** The full names of the invisible characters in some texts, except line breaks; undefined if there are none. */
export function legend(texts: readonly string[]): Html | undefined {
  const found = new Set(texts.flatMap((text) => cut(text).start.match(UNSAFE) ?? []));
  for (const kept of ['\n', '\r']) found.delete(kept);
  if (found.size === 0) return undefined;
  const listed = [...found].slice(0, 24);
  return html`<p class="legend">
    Invisible characters:
    ${joined(
      listed.map((one) => html`${shortName(one)} ${characterNames(one)[1]}`),
      '; ',
    )}${found.size > listed.length && `; and ${found.size - listed.length} more`}.
  </p>`;
}

/** A sentence of the document, whose Markdown has code and rows of tables. */
export const prose = (text: string): Html =>
  html`${text
    .replaceAll(/^\| | \|$/g, '')
    .split('`')
    .map((part, at) => (at % 2 === 0 ? visible(part) : html`<code>${visible(part)}</code>`))}`;

import { UNSAFE, printable } from '../../target/printable.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { codeOf, nameOf } from './character-names.ts';

/** Code points of one text that the page shows; the files beside it have all of it. */
const MOST = 2000;

/** Unseen characters of one text that are named; the others stand as escapes, which are shorter. */
const MOST_NAMED = 200;

/**
 * Text from the target as a person can see it: each character that is invisible, or changes how others
 * stand, by its name.
 * @param mode `lines`: line breaks and tabs of a document do their work, as naming each would hide the rest
 */
export function visible(text: string, mode: 'each' | 'lines' = 'each'): Html {
  const { start, rest } = cut(mode === 'lines' ? text.replaceAll('\r\n', '\n') : text);
  const parts: Html[] = [];
  let at = 0;
  for (const { 0: found, index } of start.matchAll(TOLD)) {
    if (mode === 'lines' && (found === '\n' || found === '\t')) continue;
    const shown = parts.length >= MOST_NAMED ? printable(found) : isUnseen(found) ? pill(found) : heap(found);
    parts.push(html`${start.slice(at, index)}${shown}`);
    at = index + found.length;
  }
  return html`${parts}${start.slice(at)}${rest > 0 && html`<span class="cut">… ${rest} more code points</span>`}`;
}

/** What is unseen, and marks in a heap, which would cover the lines around. */
const TOLD = new RegExp(String.raw`${UNSAFE.source}|\p{M}{5,}`, 'gu');

const isUnseen = (found: string): boolean => found.match(UNSAFE) !== null;

function heap(marks: string): Html {
  const codes = [...new Set(marks)].slice(0, 9).map((mark) => codeOf(mark.codePointAt(0)!));
  return named(`${[...marks].length} marks`, codes.join(' '));
}

const pill = (character: string): Html => named(...nameOf(character));

const named = (short: string, full: string): Html =>
  html`<abbr class="unseen" title="${full}">${short}</abbr>`;

/** Without making a list of the code points of a long text. */
function cut(text: string): { start: string; rest: number } {
  if (text.length <= MOST) return { start: text, rest: 0 };
  let end = 0;
  let points = 0;
  for (const character of text) {
    if (points++ < MOST) end += character.length;
  }
  return { start: text.slice(0, end), rest: Math.max(0, points - MOST) };
}

/** The full names of the unseen characters in some texts, as a legend; nothing where there are none. */
export function legend(texts: readonly string[], mode: 'each' | 'lines' = 'each'): Html | undefined {
  const found = new Set(texts.flatMap((text) => cut(text).start.match(UNSAFE) ?? []));
  if (mode === 'lines') for (const seen of ['\n', '\r', '\t']) found.delete(seen);
  if (found.size === 0) return undefined;
  const most = [...found].slice(0, 24);
  return html`<p class="legend">
    Not to be seen otherwise:
    ${most.map((character, at) => html`${at > 0 && '; '}${pill(character)} ${nameOf(character)[1]}`)}${found.size > most.length && `; and ${found.size - most.length} more`}.
  </p>`;
}

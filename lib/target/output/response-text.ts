import type { Exchange } from '../exchange.ts';
import { isPage } from '../reply.ts';
import { clipped, printable, quoted } from './printable.ts';
import type { Redactor } from './redactor.ts';

/** Characters of each text of a response in a message. */
const MAX_SHOWN = 100;

/** A response in a message: its status, its content type, where it redirects to, and how its body begins. */
export function responseText({ reply }: Pick<Exchange, 'reply'>, redactor: Redactor): string {
  const { status, fields, text, notJson, isIncomplete } = reply;
  // Cut after redaction, which does not find a part of a secret.
  const begin = (value: string): string =>
    clipped(redactor.redact(value).replaceAll(/\s+/g, ' ').trim(), MAX_SHOWN);
  const type = fields['content-type'] ?? '';
  const { location } = fields;
  return [
    String(status),
    ...(type === '' ? [] : [` ${printable(begin(type))}`]),
    ...(location === undefined ? [] : [` to ${quoted(begin(location))}`]),
    text === ''
      ? `, ${isIncomplete ? `no complete body (${notJson})` : 'no body'}`
      : `: ${notJson === undefined ? printable(begin(text)) : quoted(begin(isPage(reply) ? visibleText(text) : text))}`,
  ].join('');
}

/** The texts of an HTML page, each once, the title first, without styles and scripts; the page itself if it has none. */
function visibleText(page: string): string {
  let hidden = '';
  const texts = new Set<string>();
  for (const piece of page.split('<')) {
    const name = /^\/?[a-z]+/i.exec(piece)?.[0].toLowerCase() ?? '';
    if (name === `/${hidden}`) hidden = '';
    else if (hidden === '' && /^(?:style|script)$/.test(name)) hidden = name;
    if (hidden === '') texts.add(piece.slice(piece.indexOf('>') + 1).trim());
  }
  return [...texts].join(' ').trim() || page;
}

import type { Exchange } from '../exchange.ts';
import { clipped, printable, quoted } from './printable.ts';
import type { Redactor } from './redactor.ts';

const MAX_SHOWN = 100;

/** A response in a message: its status, its content type, where it redirects to, and how its body begins. */
export function responseText({ reply }: Pick<Exchange, 'reply'>, redactor: Redactor): string {
  const { status, fields, text, notJson } = reply;
  // Cut after redaction, which does not find a part of a secret.
  const shown = (value: string): string =>
    clipped(redactor.redact(value).replaceAll(/\s+/g, ' ').trim(), MAX_SHOWN);
  const type = fields['content-type'] ?? '';
  const { location } = fields;
  return [
    String(status),
    ...(type === '' ? [] : [` ${printable(shown(type))}`]),
    ...(location === undefined ? [] : [` to ${quoted(shown(location))}`]),
    text === '' ? ', no body' : `: ${notJson === undefined ? printable(shown(text)) : quoted(shown(text))}`,
  ].join('');
}

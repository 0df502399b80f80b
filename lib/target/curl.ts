import type { GivenHeader } from '../settings/headers.ts';
import type { Exchange } from './exchange.ts';
import { ownFields } from './given-headers.ts';

/**
 * A bash command that sends a request again, byte for byte, on the same route. It reads the key from `$TARGET_API_KEY`,
 * and other secrets from the variables that the user has named.
 */
export function curlOf({ request, route, url }: Pick<Exchange, 'request' | 'route' | 'url'>): string {
  const { method, credential, fields, body } = request;
  const parts = ['curl', '-sS', '-i', '-X', method, quote(url)];
  if (credential) parts.push('-H', credential.shell.replace('"', `"${credential.field}: `));
  for (const [name, value] of ownFields(fields, route)) parts.push('-H', quote(`${name}: ${value}`));
  for (const header of route.headers) parts.push('-H', shellOf(header));
  if (body) parts.push('--data-binary', quote(body.toString('latin1')));
  return parts.join(' ');
}

/** A header as one word, with secrets in double-quoted variables. */
function shellOf({ name, parts }: GivenHeader): string {
  const [first, ...rest] = parts;
  const all = first!.variable === undefined ? [first!, ...rest] : [{ text: '' }, ...parts];
  return all
    .map(({ text, variable }, at) =>
      variable === undefined ? quote(at === 0 ? `${name}: ${text}` : text) : `"$${variable}"`,
    )
    .join('');
}

/** Single quotes for printable ASCII, otherwise bash's `$'…'` with bytes in hexadecimal. */
function quote(latin1: string): string {
  if (/^[\x20-\x7e]*$/.test(latin1) && !latin1.includes("'")) return `'${latin1}'`;
  const bytes = latin1.replace(/[^\x20-\x7e]|['\\]/g, (character) =>
    character === "'" || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes}'`;
}

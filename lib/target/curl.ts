import type { Request } from './exchange.ts';

/**
 * A bash command that sends a request again, byte for byte. It reads the key from `$TARGET_API_KEY`.
 */
export function curlOf(request: Request, url: string): string {
  const { method, credential, fields, body } = request;
  const parts = ['curl', '-sS', '-i', '-X', method, quote(url)];
  if (credential) parts.push('-H', credential.shell.replace('"', `"${credential.field}: `));
  for (const [name, value] of fields) parts.push('-H', quote(`${name}: ${value}`));
  if (body) parts.push('--data-binary', quote(body.toString('latin1')));
  return parts.join(' ');
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

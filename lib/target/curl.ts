import type { Request } from './exchange.ts';

/**
 * A shell command that sends a request again, for bash. The key stays in `$TARGET_API_KEY`; the body
 * is quoted byte for byte.
 */
export function curlOf(request: Request, url: string): string {
  const { method, credential, fields, body } = request;
  const parts = ['curl', '-sS', '-i', '-X', method, quote(url)];
  if (credential) parts.push('-H', credential.shell.replace('"', `"${credential.field}: `));
  for (const [name, value] of fields) parts.push('-H', quote(`${name}: ${value}`));
  if (body) parts.push('--data-binary', quote(body.toString('latin1')));
  return parts.join(' ');
}

/** Single quotes where they do; bash's `$'…'` with bytes in hexadecimal for all else. */
function quote(latin1: string): string {
  if (/^[\x20-\x7e]*$/.test(latin1) && !latin1.includes("'")) return `'${latin1}'`;
  const bytes = latin1.replace(/[^\x20-\x7e]|['\\]/g, (character) =>
    character === "'" || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes}'`;
}

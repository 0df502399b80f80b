import { fieldIn } from '../../settings/headers.ts';
import type { Piece } from '../../settings/headers.ts';
import type { Route } from '../../settings/route.ts';
import type { Exchange } from '../exchange.ts';
import { absoluteForm, framingFields, ownFields, missingUsualFields } from '../connections/as-sent.ts';

/** Bytes of the longest body that is part of a command. */
const MAX_BODY_BYTES = 16 * 1024;
const TOO_LONG = 'the body is too long for a command line; replay sends it';

type Sent = Pick<Exchange, 'request' | 'route' | 'url'>;

/**
 * A bash command that sends a request again, byte for byte, on the same route. It reads the key from `$TARGET_API_KEY`,
 * and other secrets from the variables that the user has named.
 * @param before what to send first, on the same connection
 */
export function curlOf(sent: Sent, before?: Sent): string {
  const command = commandOf(sent);
  const first = before && commandOf(before);
  // curl reuses the connection of what stands before --next. A pipe or a comment can't be joined so.
  return first?.startsWith(CURL) && command.startsWith(CURL) && !first.includes(TOO_LONG)
    ? `${first} --next ${command.slice(CURL.length)}`
    : command;
}

/** A redacted command in which the shell fills in the key where it is not in the Authorization header, too. */
export const withKeyFromShell = (redacted: string): string =>
  redacted.replaceAll(WORD, (word) => {
    const quotes = word.startsWith('$') ? "$'" : "'";
    return word.startsWith('"') ? word : word.split('[key]').join(`'"$TARGET_API_KEY"${quotes}`);
  });

/** Words in double quotes, and those that `quote` writes. */
const WORD = /"(?:[^"\\]|\\.)*"|\$'(?:[^'\\]|\\.)*'|'[^']*'/g;

const CURL = 'curl -sS ';

function commandOf({ request, route, url }: Sent): string {
  const { method, credential, fields, body, uncoded, absolute } = request;
  const given = [
    ...route.curl,
    ...route.headers.map(({ name, pieces }) => ({
      option: '-H',
      pieces: [{ text: `${name}: ` }, ...pieces],
    })),
  ];
  const shownUrl = withServerName(url, route);
  const isCoded = fieldIn(fields, 'Accept-Encoding') !== undefined;
  const parts = [
    // Without these options, curl reads brackets and braces as patterns, and removes dot segments.
    `${CURL}-i${isCoded ? ' --compressed' : ''}${/[[\]{}]/.test(shownUrl) ? ' -g' : ''}${/\/\.{1,2}(?=[/?]|$)/.test(shownUrl) ? ' --path-as-is' : ''} -X`,
    method,
    quote(shownUrl),
    ...(credential ? ['-H', credential.shell.replace('"', `"${credential.field}: `)] : []),
    ...[...ownFields(fields, route), ...framingFields(request, route)].map(
      ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
    ),
    // An empty header keeps curl from adding its own.
    ...missingUsualFields(fields, body !== undefined).map((own) => `-H '${own}:'`),
    ...given.map(({ option, pieces }) => [option, ...(pieces.length > 0 ? [wordOf(pieces)] : [])].join(' ')),
    ...(absolute === undefined ? [] : ['--request-target', quote(absoluteForm(url, absolute))]),
  ];
  if (body && (uncoded ?? body).length > MAX_BODY_BYTES)
    return `${parts.join(' ')} --data-binary @body.json  # ${TOO_LONG}`;
  if (uncoded)
    return `printf %s ${quote(uncoded.toString('latin1'))} | gzip -c | ${parts.join(' ')} --data-binary @-`;
  return [...parts, ...(body ? ['--data-binary', quote(body.toString('latin1'))] : [])].join(' ');
}

/** curl takes the server name of TLS from the URL. */
const withServerName = (url: string, { tls: { servername } }: Route): string =>
  servername === undefined ? url : url.replace(/^(https:\/\/)(?:\[[^\]]*\]|[^:/]*)/, `$1${servername}`);

/** Pieces of a text as one word, with secrets in double-quoted variables. */
function wordOf(pieces: readonly Piece[]): string {
  const words: string[] = [];
  let literal = '';
  for (const { text, variable } of pieces) {
    if (variable === undefined) {
      literal += text;
      continue;
    }
    words.push(...(literal === '' ? [] : [quote(literal)]), `"$${variable}"`);
    literal = '';
  }
  return [...words, ...(literal === '' ? [] : [quote(literal)])].join('');
}

/** An argument for a shell, quoted where it needs it. It is printable. */
export const shellQuoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : quote(Buffer.from(text).toString('latin1'));

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

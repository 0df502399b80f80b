import type { RunLine } from '../schemas/evidence.ts';
import { UsageError } from './usage-error.ts';
import { fromText } from './values.ts';

/** A header that a gateway in front of the target demands of every request. */
export type GivenHeader = Readonly<RunLine['route']['headers'][number]>;

/** A piece of a value. Where a variable is named, the text came from it, and is a secret. */
export type Piece = GivenHeader['pieces'][number];

/** The value of a header, as sent. */
export const valueOf = ({ pieces }: GivenHeader): string => pieces.map(({ text }) => text).join('');

/** A header with labels in place of secrets. */
export const labelled = ({ name, pieces }: GivenHeader): GivenHeader => ({
  name,
  pieces: pieces.map((piece) =>
    piece.variable === undefined ? piece : { ...piece, text: `[${piece.variable}]` },
  ),
});

/** A header of a request; names are the same in any case (RFC 9110, section 5.1). */
export const fieldIn = (
  fields: readonly (readonly [name: string, value: string])[],
  name: string,
): readonly [name: string, value: string] | undefined =>
  fields.find(([other]) => other.toLowerCase() === name.toLowerCase());

const FRAMING = 'it frames the request, or belongs to one connection';
const TESTED = 'the suite sets it, and varies it as a test';

/** Why a header can't be given, by its name in lower case. */
const reserved: Readonly<Record<string, string>> = {
  authorization: 'it carries the key, and the suite varies it as a test',
  'proxy-authorization': 'credentials for a proxy go into its URL',
  accept: TESTED,
  'accept-encoding': TESTED,
  'content-type': TESTED,
  host: 'it is the host in TARGET_BASE_URL; to connect to another place, add --connect-to HOST:PORT',
  ...Object.fromEntries(
    [
      'connection',
      'content-encoding',
      'content-length',
      'expect',
      'http2-settings',
      'keep-alive',
      'proxy-connection',
      'te',
      'trailer',
      'transfer-encoding',
      'upgrade',
    ].map((name) => [name, FRAMING]),
  ),
};

/**
 * Headers whose value may be a secret, by their name: using a variable for a value that is not secret costs little, a
 * secret in a report a lot.
 */
const SECRET = /auth|bypass|cookie|credential|jwt|key|passw|passphrase|secret|session|signature|token/i;

/** RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]+$/;
const REFERENCE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** Headers, one a line, with variables for secrets: `X-Access-Token: $GATEWAY_TOKEN`. */
export const headers = fromText((text): readonly GivenHeader[] => {
  const given = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(headerOf);
  if (new Set(given.map(({ name }) => name.toLowerCase())).size < given.length)
    throw new UsageError('a header is given twice');
  return given;
});

/** The header on a line. @throws {UsageError} */
function headerOf(line: string): GivenHeader {
  const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
  if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value))
    throw new UsageError(
      'expected NAME: VALUE in printable ASCII, one header a line, such as X-Env: staging',
    );
  const reason = Object.hasOwn(reserved, name.toLowerCase()) ? reserved[name.toLowerCase()] : undefined;
  if (reason !== undefined) throw new UsageError(`${name} can't be given: ${reason}`);
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of value.matchAll(REFERENCE)) {
    if (found.index > end) pieces.push({ text: value.slice(end, found.index) });
    pieces.push({ text: '', variable: (found[1] ?? found[2])! });
    end = found.index + found[0].length;
  }
  if (end < value.length) pieces.push({ text: value.slice(end) });
  const isLiteral = pieces.every(({ variable }) => variable === undefined);
  if (isLiteral && SECRET.test(name))
    throw new UsageError(
      `the value of ${name} may be a secret: put it into a variable, and name that: '${name}: $VARIABLE'`,
    );
  return { name, pieces };
}

/**
 * Fills in the variables of headers.
 * @param variables the environment and `.env`
 * @throws {UsageError} which says what is wrong with a variable, without its value
 */
export const withVariables = (
  given: readonly GivenHeader[],
  variables: NodeJS.ProcessEnv,
  { apiKey, baseUrl }: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined },
): readonly GivenHeader[] =>
  given.map(({ name, pieces }) => ({
    name,
    pieces: pieces.map((piece) => {
      const { variable } = piece;
      if (variable === undefined) return piece;
      const text = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      const subject = `${name}: the variable ${variable}`;
      if (text === undefined || text === '')
        throw new UsageError(
          `${subject} is ${text === '' ? 'empty' : 'not set'}; set it in the environment or in .env`,
        );
      if (!HEADER_VALUE.test(text))
        throw new UsageError(`${subject} holds a line break or other than printable ASCII`);
      if (apiKey !== undefined && text.includes(apiKey))
        throw new UsageError(
          `${subject} holds the key of the target, which is sent as Authorization only, and varied there as a test`,
        );
      // Reports name the target, and so contain this text: it is not a secret.
      return baseUrl?.includes(text) ? { text } : { text, variable };
    }),
  }));

import { isObject, parseJson } from '../schemas/json.ts';
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** The maximum number of bytes that are read of a response, besides what it may repeat of its request. */
export const RESPONSE_LIMIT = 256 * 1024;

/** The maximum for the response to a request: it may repeat the body, with an escape of six characters for each byte. */
export const responseLimit = ({ body }: { readonly body: Buffer | undefined }): number =>
  RESPONSE_LIMIT + 6 * (body?.length ?? 0);

/** Maximum number of characters of a response that are kept beside its JSON: each exchange stays in memory until it is judged. */
export const TEXT_LIMIT = 36 * 1024;

/** Maximum number of levels of a JSON text that are parsed (RFC 8259, section 9); the interface shows no more than two. */
const MAX_JSON_DEPTH = 1000;

/** A complete response, decoded as far as possible. Everything in it comes from the target. */
export interface Reply {
  readonly status: number;
  /** Fields by lower-case name; repeated ones joined (RFC 9110, section 5.3). */
  readonly fields: Readonly<Record<string, string>>;
  /** The body as text, cut after {@link TEXT_LIMIT}; empty where its coding is damaged. */
  readonly text: string;
  /** The body as JSON; undefined when it is not JSON. */
  readonly json: unknown;
  /** Why the body is not JSON; undefined when it is. */
  readonly notJson: string | undefined;
  /** Whether the bytes are UTF-8 without a byte order mark (RFC 8259, section 8.1). */
  readonly utf8: boolean;
  /** Present if only the beginning was read, whose members are in `json`; `open`: the member whose text goes on. */
  readonly part?: { readonly open: string | null };
  /** Present if the connection was closed before its end; no part of the body is kept. */
  readonly isIncomplete?: true;
}

/** Decodes the body of a response: content coding, character encoding, JSON. Never throws. */
export function readReply(
  status: number,
  fields: Readonly<Record<string, string>>,
  raw: Buffer,
  limit: number,
): Reply {
  const label = registeredCodings(fields['content-encoding']);
  const { bytes, problem } = decodeContent(raw, label, limit);
  const actual =
    problem === undefined && isUtf8(bytes)
      ? undefined
      : actualCoding(raw, label, limit, fields['content-encoding'] !== undefined);
  if (actual !== undefined) {
    const { notJson, text } = actual;
    return { status, fields, text: kept(text), json: undefined, notJson, utf8: false };
  }
  const utf8 = isUtf8(bytes) && !(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
  const text = problem === undefined ? decodeText(bytes, fields['content-type']) : '';
  const base = {
    status,
    fields,
    text: kept(text),
    utf8,
  };
  if (problem !== undefined) return { ...base, json: undefined, notJson: problem };
  if (text === '') return { ...base, json: undefined, notJson: 'it is empty' };
  if (depthOf(text) > MAX_JSON_DEPTH)
    return { ...base, json: undefined, notJson: `it is nested more than ${MAX_JSON_DEPTH} levels deep` };
  try {
    return { ...base, json: JSON.parse(text) as unknown, notJson: undefined };
  } catch (error) {
    return { ...base, json: undefined, notJson: withoutQuotation((error as Error).message) };
  }
}

/** The message of a parser without the part of the body that it quotes: a part of a token is not redacted. */
const withoutQuotation = (message: string): string =>
  message.replace(/, (?:\.\.\.)?"[^]*$/, '').replace(/^"[^]*" (?=is not valid JSON$)/, 'it ');

/** The beginning of the reason for a body that is not what its Content-Encoding names. */
const DAMAGED = "it can't be decoded as";

/** Whether a response is labelled as JSON. */
export const isJsonType = ({ fields }: Pick<Reply, 'fields'>): boolean =>
  /[/+]json\b/i.test(fields['content-type'] ?? '');

/** Whether no client can read the body: it is damaged in its content coding, or labelled as JSON, but no text at all. */
export const isUnreadable = (reply: Reply): boolean =>
  reply.notJson !== undefined &&
  (reply.notJson.startsWith(DAMAGED) || (isJsonType(reply) && !reply.utf8 && reply.text !== ''));

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // A "deflate" without its zlib wrapper is wrong but common (RFC 9110, section 8.4.1.2).
  deflate: (bytes, options) =>
    (bytes[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  identity: (bytes) => bytes,
};

/** The content codings that are registered (RFC 9110, section 16.6.1). */
const REGISTERED =
  /^(?:aes128gcm|br|(?:x-)?compress|dcb|dcz|deflate|exi|(?:x-)?gzip|identity|pack200-gzip|zstd)$/;

/** A Content-Encoding without names such as `utf-8`, which are not content codings, and which clients ignore. */
function registeredCodings(contentEncoding: string | undefined): string | undefined {
  const names = contentEncoding?.split(',').map((name) => name.trim()) ?? [];
  return names.filter((name) => REGISTERED.test(name.toLowerCase())).join(', ') || undefined;
}

/** Undoes the content codings of a response (RFC 9110, section 8.4), the last one first, up to a limit in bytes. */
function decodeContent(
  raw: Buffer,
  contentEncoding: string | undefined,
  limit: number,
): { bytes: Buffer; problem?: string } {
  let bytes = raw;
  if (bytes.length === 0) return { bytes };
  const codings = (contentEncoding ?? '').toLowerCase().split(',');
  for (const coding of codings.map((name) => name.trim()).toReversed()) {
    if (coding === '') continue;
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (decode === undefined) return { bytes, problem: 'its content coding is unknown' };
    try {
      bytes = decode(bytes, { maxOutputLength: limit });
    } catch (error) {
      const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return {
        bytes,
        problem: isTooLong
          ? `it is longer than ${limit} bytes once it is decoded as ${coding}`
          : `${DAMAGED} ${coding}`,
      };
    }
  }
  return { bytes };
}

/**
 * Finds the content coding of a body that is not in the one that its Content-Encoding names, so that its text can be
 * read, if no client can.
 */
function actualCoding(
  raw: Buffer,
  label: string | undefined,
  limit: number,
  hasHeader: boolean,
): { readonly notJson: string; readonly text: string } | undefined {
  for (const coding of ['identity', 'gzip', 'deflate', 'br', 'zstd']) {
    if (coding === (label?.toLowerCase() ?? 'identity')) continue;
    const { bytes, problem } = decodeContent(raw, coding, limit);
    if (problem !== undefined || !isUtf8(bytes) || !/^\s*[{[]/.test(bytes.toString('latin1', 0, 100)))
      continue;
    const named = hasHeader ? 'Content-Encoding names another' : 'there is no Content-Encoding';
    const is = coding === 'identity' ? 'it is in no content coding' : `its content coding is ${coding}`;
    return { notJson: `${is}, but ${named}`, text: bytes.toString() };
  }
  return undefined;
}

/**
 * Decodes a body in its declared charset even though JSON must be UTF-8: that has a requirement of its own, and one
 * mistake should not be reported as several.
 */
function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  // TextDecoder reads windows-1252 instead, which differs in the controls from U+0080 to U+009F.
  if (!isUtf8(bytes) && /^(?:iso[-_]?8859-1|latin-?1)$/i.test(charset)) return bytes.toString('latin1');
  try {
    return new TextDecoder(isUtf8(bytes) ? 'utf-8' : charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** The beginning of a text that is kept. Through UTF-8: a slice of a long string would keep the whole of it in memory. */
const kept = (text: string): string =>
  text.length > TEXT_LIMIT ? Buffer.from(text.slice(0, TEXT_LIMIT)).toString() : text;

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b];

/** How deep the brackets of a JSON text are nested, not counting those in strings. Allocates nothing. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isInString && unit === BACKSLASH) at++;
    else if (unit === QUOTE) isInString = !isInString;
    else if (!isInString && (unit === BRACKET || unit === BRACE)) deepest = Math.max(deepest, ++depth);
    // Both closing brackets are two code points after their opening ones.
    else if (!isInString && (unit === BRACKET + 2 || unit === BRACE + 2)) depth--;
  }
  return deepest;
}

/** Whether a status is successful (RFC 9110, section 15.3). */
export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

export const isClientError = ({ status }: Pick<Reply, 'status'>): boolean => status >= 400 && status < 500;

/** Whether a response is a page for people. */
export const isPage = ({ text, json, fields }: Reply): boolean =>
  json === undefined &&
  text !== '' &&
  (/html/i.test(fields['content-type'] ?? '') || /^\s*<(?:!doctype html|html)\b/i.test(text));

/** Statuses of a rejection that is not for what the body requests. */
const NON_INPUT_STATUSES = new Set([401, 403, 404, 405, 415]);

/** Whether a status may be the rejection of the input, rather than of the credential, the path or the media type. */
export const mayRejectInput = (reply: Pick<Reply, 'status'>): boolean =>
  isClientError(reply) && !NON_INPUT_STATUSES.has(reply.status);

/** Whether a body says that it reports an error: some services do so with a 2xx, and send the request back. */
export const reportsError = (json: unknown): boolean =>
  isObject(json) &&
  (['error', 'errors'].some((name) => Boolean(json[name]) && !isEmpty(json[name])) ||
    ['success', 'ok'].some((name) => json[name] === false) ||
    hasErrorMessage(json) ||
    /^(?:error|fail(?:ed|ure)?|rejected|denied|refused|forbidden|unauthori[sz]ed|ko|nok|ng)$/i.test(
      String(json['status']),
    ));

/** Names of a text for people, and of the code for programs beside it. */
const MESSAGE = /^(?:err(?:or)?_?|return_?|result_?)?(?:message|msg)$/i;
const CODE = /^(?:err(?:or)?_?|return_?|result_?|response_?|status_?)?code$/i;

/** The first words of a message that rejects a request. */
const REJECTING =
  /^\W*(?:invalid|bad request|forbidden|unauthori[sz]ed|(?:access|permission) denied|not (?:allowed|authori[sz]ed|valid)|validation (?:error|failed))\b/i;

/** Whether an object has a message that rejects a request, by its words, or by the name or the code beside it. */
function hasErrorMessage(json: Readonly<Record<string, unknown>>): boolean {
  const members = Object.entries(json);
  const messages = members.flatMap(([name, value]) => (MESSAGE.test(name) ? String(value) : []));
  return (
    messages.some((text) => REJECTING.test(text)) ||
    (messages.length > 0 &&
      // Many frameworks name the class of an error, as JavaScript does.
      (/^[A-Z]\w*(?:Error|Exception)$/.test(String(json['name'])) ||
        members.some(([name, value]) => CODE.test(name) && isErrorCode(String(value)))))
  );
}

/** Whether a code stands for a status of an error, such as 401, `E401` or 40101, or names an error. */
const isErrorCode = (code: string): boolean =>
  /^E?[45]\d\d/i.test(code) || (ERROR_WORD.test(code) && !SUCCESS_WORD.test(code));

const ERROR_WORD =
  /(?:^|_)(?:ERR(?:OR)?|FAIL(?:ED|URE)?|INVALID|DENIED|UNAUTHORI[SZ]ED|FORBIDDEN|REJECTED|EXPIRED)(?:_|$)/i;
/** Words of a code that names no error, such as `NO_ERROR`. */
const SUCCESS_WORD = /(?:^|_)(?:NO|NONE|OK|SUCCESS)(?:_|$)/i;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/**
 * Reads the beginning of a response that is too long: the members of its JSON object that are in it, the last text as
 * far as it was read. Never throws.
 * @returns undefined if it is not a JSON object, or in a content coding
 */
export function readPart(
  status: number,
  fields: Readonly<Record<string, string>>,
  raw: Buffer,
): Reply | undefined {
  if (!/^(?:identity)?$/i.test(fields['content-encoding'] ?? '')) return undefined;
  // The limit may have split the last character.
  const text = new TextDecoder().decode(raw, { stream: true });
  const found = membersIn(text);
  if (found === undefined) return undefined;
  const { json, open } = found;
  const whole = readReply(status, fields, Buffer.from(text), text.length * 4);
  return { ...whole, json, notJson: undefined, part: { open } };
}

/**
 * The members of a JSON object whose text ends early, without lists and objects; undefined if it is not an object.
 * `open` is the name of the one whose text goes on.
 */
export function membersIn(
  text: string,
): { readonly json: Record<string, unknown>; readonly open: string | null } | undefined {
  const begin = text.search(/\S/);
  if (text[begin] !== '{') return undefined;
  let isInText = false;
  let depth = 0;
  /** Where the last member ends that is followed by a comma. */
  let end = begin + 1;
  for (let at = begin; at < text.length; at++) {
    const character = text[at]!;
    if (isInText && character === '\\') at++;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && '[{'.includes(character)) depth++;
    else if (!isInText && ']}'.includes(character)) depth--;
    else if (!isInText && depth === 1 && character === ',') end = at;
  }
  if (isInText && depth === 1) {
    // A part of an escape may be at the end.
    const json =
      simpleMembers(`${text}"}`) ?? simpleMembers(`${text.replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"}`);
    const [name = ''] = /"(?:[^"\\]|\\.)*"/.exec(text.slice(end)) ?? [];
    if (json !== undefined) return { json, open: parseJson(name) as string };
  }
  // A text is complete if it ends with a quotation mark; a number may lack digits.
  const read = text.trimEnd();
  const whole =
    depth === 0 ? simpleMembers(read) : read.endsWith('"') ? simpleMembers(`${read}}`) : undefined;
  return { json: whole ?? simpleMembers(`${text.slice(0, end)}}`) ?? {}, open: null };
}

/** The members of a JSON object that are neither lists nor objects; undefined: it is not an object. */
function simpleMembers(text: string): Record<string, unknown> | undefined {
  const json = parseJson(text);
  if (!isObject(json)) return undefined;
  return Object.fromEntries(Object.entries(json).filter(([, value]) => Object(value) !== value));
}

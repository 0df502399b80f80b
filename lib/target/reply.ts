import { isUtf8 } from 'node:buffer';
import { decodeContent } from './content-coding.ts';

/** Bytes of a response that are read at most; a customer of thousands of characters is far below. */
export const RESPONSE_LIMIT = 256 * 1024;

/** Characters of a response that are kept beside its JSON: every exchange stays in memory until it is judged. */
const KEPT = 32 * 1024;

/** Levels of a JSON text that are read (RFC 8259, section 9); nothing that the interface shows has more than two. */
const DEEPEST = 1000;

/** A complete response, decoded as far as it can be. Everything in it comes from the target. */
export interface Reply {
  readonly status: number;
  /** Fields by lower-case name; repeated ones joined as RFC 9110, section 5.3 has it. */
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  /** Why the body is not JSON, in words; undefined when it is. */
  readonly notJson: string | undefined;
  /** Whether the bytes are UTF-8 without a byte order mark (RFC 8259, section 8.1). */
  readonly utf8: boolean;
}

/** Decodes the body of a response: content coding, character encoding, JSON. Never throws. */
export function readReply(
  status: number,
  fields: Readonly<Record<string, string>>,
  raw: Buffer,
  limit: number,
): Reply {
  const { bytes, problem } = decodeContent(raw, fields['content-encoding'], limit);
  const utf8 = isUtf8(bytes) && !(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
  const text = problem === undefined ? decodeText(bytes, fields['content-type']) : '';
  const base = { status, fields, text: text.length > KEPT ? copied(text.slice(0, KEPT)) : text, utf8 };
  if (problem !== undefined) return { ...base, json: undefined, notJson: problem };
  if (text === '') return { ...base, json: undefined, notJson: 'it is empty' };
  if (depthOf(text) > DEEPEST)
    return { ...base, json: undefined, notJson: `it is nested more than ${DEEPEST} levels deep` };
  try {
    return { ...base, json: JSON.parse(text) as unknown, notJson: undefined };
  } catch (error) {
    return { ...base, json: undefined, notJson: (error as Error).message };
  }
}

/**
 * A text of its own: a part of a long one would keep the whole of it in memory. By way of UTF-8, as plain ASCII
 * then takes a byte a character.
 */
const copied = (text: string): string => Buffer.from(text).toString();

/** How deep the brackets of a JSON text are nested; those within strings do not count. Makes no garbage. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isInString && unit === BACKSLASH) at++;
    else if (unit === QUOTE) isInString = !isInString;
    else if (!isInString && (unit === BRACKET || unit === BRACE)) deepest = Math.max(deepest, ++depth);
    // A closing bracket stands two code points after its opening one, in both kinds.
    else if (!isInString && (unit === BRACKET + 2 || unit === BRACE + 2)) depth--;
  }
  return deepest;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [0x22, 0x5c, 0x5b, 0x7b];

/**
 * JSON is UTF-8, and whether it was is judged for itself; a declared charset is honoured all the
 * same, so that one slip is not reported as another.
 */
function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(isUtf8(bytes) ? 'utf-8' : charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** A JSON object, as opposed to an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own member of a JSON object; undefined for anything else. Hostile member names change nothing. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Every string in a JSON value with its JSON pointer (RFC 6901), to a bounded depth and number. */
export function stringsIn(value: unknown): { pointer: string; name: string; text: string }[] {
  const found: { pointer: string; name: string; text: string }[] = [];
  const walk = (node: unknown, pointer: string, name: string, depth: number): void => {
    if (found.length >= 1000 || depth > 32) return;
    if (typeof node === 'string') found.push({ pointer, name, text: node });
    else if (typeof node === 'object' && node !== null) {
      for (const [key, child] of Object.entries(node)) {
        const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
        walk(child, `${pointer}/${escaped}`, Array.isArray(node) ? name : key, depth + 1);
      }
    }
  };
  walk(value, '', '', 0);
  return found;
}

import { isUtf8 } from 'node:buffer';
import { decodeContent } from './content-coding.ts';

/** Bytes of a response that are read at most; a customer of thousands of characters is far below. */
export const RESPONSE_LIMIT = 1024 * 1024;

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
  const text = decodeText(bytes, fields['content-type']);
  const base = { status, fields, text, utf8 };
  if (problem !== undefined) return { ...base, json: undefined, notJson: problem };
  if (text === '') return { ...base, json: undefined, notJson: 'it is empty' };
  try {
    return { ...base, json: JSON.parse(text) as unknown, notJson: undefined };
  } catch (error) {
    return { ...base, json: undefined, notJson: (error as Error).message };
  }
}

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

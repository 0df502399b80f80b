import { parseJson } from '../schemas/json.ts';
import { readReply } from './reply.ts';
import type { Reply } from './reply.ts';

/**
 * Reads the beginning of a response that is too long: the members of its JSON object that are in it, the last text as
 * far as it was read. Never throws.
 * @returns undefined if it is no JSON object, or in a content coding
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
 * The members of a JSON object whose text ends early, without lists and objects; undefined if it is no object.
 * `open` is the name of the one whose text goes on.
 */
export function membersIn(
  text: string,
): { readonly json: Record<string, unknown>; readonly open: string | null } | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  const members: [name: string, value: unknown][] = [];
  let open: string | null = null;
  do {
    const name = valueAt(text, skipSpace(text, at + 1));
    const colon = skipSpace(text, name.end);
    if (!name.isWhole || text[colon] !== ':') break;
    const value = valueAt(text, skipSpace(text, colon + 1));
    if (!/^[[{]/.test(value.text)) {
      const parsed = value.isWhole ? parseJson(value.text) : beginning(value.text);
      const key = String(parseJson(name.text));
      if (parsed !== undefined) members.push([key, parsed]);
      if (!value.isWhole) open = key;
    }
    at = skipSpace(text, value.end);
  } while (text[at] === ',');
  return { json: Object.fromEntries(members), open };
}

/** The value that begins at a position, as far as there is text. */
function valueAt(text: string, begin: number): { text: string; end: number; isWhole: boolean } {
  let depth = 0;
  let isInText = false;
  for (let at = begin; at < text.length; at++) {
    const character = text[at]!;
    if (isInText && character === '\\') at++;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === '[' || character === '{')) depth++;
    else if (!isInText && (character === ']' || character === '}')) depth--;
    if (isInText || depth > 0) continue;
    if (depth < 0 || character === ',' || character === ':')
      return { text: text.slice(begin, at), end: at, isWhole: true };
    if ('"]} \t\r\n'.includes(character))
      return { text: text.slice(begin, at + 1), end: at + 1, isWhole: true };
  }
  return { text: text.slice(begin), end: text.length, isWhole: false };
}

/** Characters of the longest escape, of which a part may be at the end. */
const LONGEST_ESCAPE = 6;

/** A text that ends early. */
function beginning(text: string): unknown {
  for (let missing = 0; missing <= LONGEST_ESCAPE; missing++) {
    const parsed = parseJson(`${text.slice(0, text.length - missing)}"`);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}

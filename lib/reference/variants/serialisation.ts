import { bodies, json } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';
import type { Behaviour } from '../behaviour.ts';

const escaped = (unit: string): string => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');

/** Serialises again with white space. */
const spaced = (space: string | number) =>
  bodies((text) => JSON.stringify(JSON.parse(text), undefined, space));

/** Changes the content of each JSON string, without its quotes. */
const insideStrings = (change: (content: string) => string): (() => Behaviour) =>
  bodies((text) => text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => `"${change(string.slice(1, -1))}"`));

/** The same JSON in another notation (RFC 8259). */
export const serialisation = variantsOf('1: JSON bodies; their formatting is not shown')({
  'json-indented': spaced(2),
  'json-indented-with-tabs': spaced('\t'),
  'json-ends-with-a-line-break': bodies((text) => `${text}\n`),
  'json-among-white-space': bodies((text) => ` \r\n\t${text}\r\n\r\n  `),
  'json-spaces-after-separators': bodies((text) =>
    text.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token)),
  ),
  'json-ascii-only': bodies((text) => text.replace(/[^\0-~]/g, escaped)),
  'json-ascii-only-in-upper-case': bodies((text) =>
    text.replace(/[^\0-~]/g, (unit) => escaped(unit).toUpperCase().replace('U', 'u')),
  ),
  'json-solidus-escaped': insideStrings((content) => content.replaceAll('/', String.raw`\/`)),
  'json-markup-escaped': bodies((text) => text.replace(/[<>&\u2028\u2029]/g, escaped)),
  'json-apostrophe-and-plus-escaped': bodies((text) => text.replace(/['+`]/g, escaped)),
  'json-everything-escaped': insideStrings((content) =>
    content.replace(/\\u[0-9a-f]{4}|\\.|[^\\]/gi, (unit) => (unit.length > 1 ? unit : escaped(unit))),
  ),
  'json-escapes-in-long-form': bodies((text) =>
    text.replace(/\\(["\\bfnrt])/g, (_, short: string) => escaped(JSON.parse(`"\\${short}"`) as string)),
  ),
  'json-members-sorted': bodies((text) => {
    const value = JSON.parse(text) as Record<string, unknown>;
    return json(
      Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    );
  }),
});

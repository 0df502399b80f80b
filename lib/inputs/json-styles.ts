import fc from 'fast-check';
import { asIs, smallerList } from './shrinking.ts';

/** The ways to write a JSON object, as many texts encode the same one (RFC 8259), and to send it; the usual ones first. */
const options = {
  order: ['given', 'reversed'],
  /** White space between tokens (RFC 8259, section 2). */
  space: ['', ' ', '\n  ', '\r\n\t'],
  /** White space around the whole text. */
  around: ['', ' ', '\r\n'],
  /** Which characters of strings are written as escapes (RFC 8259, section 7). */
  escape: ['least', 'solidus', 'non-ascii', 'values', 'all'],
  /** Case of the hexadecimal digits in escapes. */
  hex: ['lower', 'upper'],
  /** Whether the body is sent in chunks, without a Content-Length (RFC 9112, section 7.1). */
  chunked: [false, true],
  /** The Accept-Encoding (RFC 9110, section 12.5.3): none, one coding each, and what browsers send. */
  codings: ['', 'gzip', 'br', 'deflate', 'gzip, deflate, br, zstd'],
  /** The Accept (RFC 9110, section 12.5.1): the usual one, that of curl, and none, as the interface shows none. */
  accept: ['application/json', '*/*', ''],
} as const;

type Options = typeof options;

/** How a JSON object is written and sent. */
export type JsonStyle = { readonly [Name in keyof Options]: Options[Name][number] } & {
  /** Headers that replace the usual ones of these names, or are added; they do not change what is requested. */
  readonly fields: readonly (readonly [name: string, value: string])[];
};

export const { codings, accept: accepts } = options;

/** The encoding that clients usually send. */
export const usualStyle: JsonStyle = {
  order: 'given',
  space: '',
  around: '',
  escape: 'least',
  hex: 'lower',
  chunked: false,
  codings: '',
  accept: 'application/json',
  fields: [],
};

/** The User-Agent of a browser. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** What other clients send than this one: tools, browsers, and libraries that name the charset. */
export const otherClients: readonly Partial<JsonStyle>[] = [
  { accept: '' },
  { accept: '*/*', fields: [['Content-Type', 'application/json;charset=UTF-8']] },
  { fields: [['Content-Type', 'application/json; charset=utf-8']] },
  // A language with its own rules for the letter I; in every second place, which has addresses with capitals.
  { fields: [['Accept-Language', 'tr']] },
  { fields: [['Accept-Language', 'de']] },
  {
    fields: [
      ['User-Agent', BROWSER],
      ['Accept-Language', 'en-GB,en;q=0.5'],
    ],
  },
];

/** Styles that differ from the usual one in one way each, and one that differs in several. */
export const styles: readonly JsonStyle[] = [
  { ...usualStyle, order: 'reversed' },
  { ...usualStyle, space: ' ' },
  { ...usualStyle, space: '\n  ' },
  { ...usualStyle, space: '\r\n\t' },
  { ...usualStyle, around: ' ' },
  { ...usualStyle, around: '\r\n' },
  { ...usualStyle, escape: 'values' },
  { ...usualStyle, escape: 'all' },
  { ...usualStyle, escape: 'all', hex: 'upper', order: 'reversed', space: ' ' },
];

/** An arbitrary of each way to write and send a value, the usual one first, for shrinking. */
export const styleArbitraries = Object.fromEntries(
  Object.entries(options).map(([name, values]) => [name, fc.constantFrom<unknown[]>(...values)]),
) as { readonly [Name in keyof Options]: fc.Arbitrary<Options[Name][number]> };

/** Shrinks any style towards the usual one. */
export const shrinkStyle: fc.Arbitrary<JsonStyle> = fc.record({
  ...styleArbitraries,
  fields: asIs<JsonStyle['fields']>(smallerList),
});

export function writeJson(value: unknown, style: JsonStyle): string {
  return style.around + write(value, style) + style.around;
}

function write(value: unknown, style: JsonStyle): string {
  const { order, space } = style;
  const list = (open: string, items: string[], close: string): string =>
    items.length === 0 ? open + close : `${open}${space}${items.join(`,${space}`)}${space}${close}`;
  if (typeof value === 'string')
    return writeString(value, style, style.escape === 'all' || style.escape === 'values');
  if (Array.isArray(value))
    return list(
      '[',
      value.map((item) => write(item, style)),
      ']',
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) =>
      `${writeString(name, style, style.escape === 'all')}${space}:${space}${write(item, style)}`,
  );
  return list('{', order === 'reversed' ? members.toReversed() : members, '}');
}

function writeString(text: string, { escape, hex }: JsonStyle, escapesAll: boolean): string {
  const escaped = (unit: string): string => {
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return String.raw`\u${hex === 'upper' ? digits.toUpperCase() : digits}`;
  };
  const units = (part: string): string => part.replace(/[^]/g, escaped);
  if (escapesAll) return `"${units(text)}"`;
  const minimal = JSON.stringify(text);
  if (escape === 'solidus') return minimal.replaceAll('/', String.raw`\/`);
  return escape === 'non-ascii' ? minimal.replace(/[^\0-~]/g, units) : minimal;
}

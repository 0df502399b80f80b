import { domainToASCII, domainToUnicode } from 'node:url';

// How functions of languages, libraries and databases change a text.

export const replaced =
  (pattern: RegExp | string, by: string) =>
  (text: string): string =>
    text.replaceAll(pattern, () => by);

export const replacing =
  (pattern: RegExp, change: (part: string) => string) =>
  (text: string): string =>
    text.replaceAll(pattern, (part) => change(part));

export const removing = (pattern: RegExp): ((text: string) => string) => replaced(pattern, '');

/** An address without its tag, from the first plus sign on. */
export const withoutTag = removing(/\+[^@]*(?=@)/g);

/** The text up to the first match. */
export const upTo =
  (pattern: RegExp) =>
  (text: string): string =>
    text.split(pattern)[0]!;

export const beyondBasic = /[\u{10000}-\u{10ffff}]/gu;

export const htmlEscaped =
  (apostrophe: string, quote: string, more: Readonly<Record<string, string>> = {}) =>
  (text: string): string => {
    const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': quote, "'": apostrophe, ...more };
    return text.replaceAll(
      /[&<>"'/\\`=]/g,
      (character) => (entities as Record<string, string>)[character] ?? character,
    );
  };

/** Characters that some libraries escape too: those of validator.js, Mustache, Underscore and OWASP. */
export const moreEscaped: readonly Readonly<Record<string, string>>[] = [
  { '/': '&#x2F;', '\\': '&#x5C;', '`': '&#96;' },
  { '/': '&#x2F;', '`': '&#x60;', '=': '&#x3D;' },
  { '`': '&#x60;' },
  { '/': '&#x2F;' },
];

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  eacute: 'é',
};

/** Decodes the entities that match; the first group is the name or the number of one. */
export const htmlUnescaped =
  (pattern: RegExp) =>
  (text: string): string =>
    text.replaceAll(pattern, (_, entity: string) => {
      const [, hexadecimal, number] = /^#([xX]?)(\w+)$/.exec(entity) ?? [];
      if (number === undefined) return ENTITIES[entity]!;
      const point = Number.parseInt(number, hexadecimal ? 16 : 10);
      return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
    });

/** Changes the part before the last @, or the one from it on. */
export const inLocalPart =
  (change: (text: string) => string) =>
  (text: string): string =>
    text.replace(/^.*(?=@)/s, change);

export const inDomain =
  (change: (text: string) => string) =>
  (text: string): string =>
    text.replace(/@[^@]*$/s, change);

/** The result of a function, or the text itself if it throws. */
export const unchangedOnError =
  (change: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return change(text);
    } catch {
      return text;
    }
  };

/** Decodes each escape, also beside others that are malformed. */
const percentDecoded = replacing(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
  Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
);

/** As in JavaScript, as in Python and PHP, and as in Go. They throw where the language has an error. */
export const percentDecodings: readonly ((text: string) => string)[] = [
  decodeURIComponent,
  percentDecoded,
  (text) => {
    if (/%(?![0-9a-f]{2})/i.test(text)) throw new URIError('malformed escape');
    return percentDecoded(text);
  },
];
export const withoutPlus = replaced('+', ' ');

export const replacedLetters =
  (table: Readonly<Record<string, string>>) =>
  (text: string): string =>
    Array.from(text, (letter) => table[letter] ?? letter).join('');

/** The digits zero of scripts whose digits some services make ASCII. */
export const ZEROS: Readonly<Record<string, string>> = {
  Arabic: '٠',
  Persian: '۰',
  Devanagari: '०',
  Thai: '๐',
  'full-width': '０',
};

export const asciiDigits = (zero: string): ((text: string) => string) =>
  replacedLetters(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, digit) => [
        String.fromCodePoint(zero.codePointAt(0)! + digit),
        String(digit),
      ]),
    ),
  );

export const withMappedDomain = (text: string): string =>
  text.replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => domainToUnicode(domainToASCII(domain)) || domain);

export const withoutPunycode = (text: string): string =>
  text.replace(/(?<=@)[^@]*xn--[^@]*$/, (domain) => domainToUnicode(domain) || domain);

export const withAsciiDomain = (text: string): string =>
  text.replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => new URL(`http://${domain}`).hostname);

export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/** Change all characters in their context, each by itself as in Go and in SQL, or ASCII only as in PHP and SQLite. */
export const lowerCasings: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => Array.from(text, (character) => [...character.toLowerCase()][0]!).join(''),
  replacing(/[A-Z]+/g, (letters) => letters.toLowerCase()),
];
/** Two letters in one character, by the letter in either case. */
const DIGRAPHS: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǳ: 'ǲ',
};

/** A letter at the beginning of a word in title case (Unicode Standard, section 3.13). */
function titleCased(letter: string): string {
  // Georgian has no title case.
  if (/[\u10d0-\u10ff]/.test(letter)) return letter;
  const [base = '', ...marks] = letter.normalize('NFD');
  // The iota below a Greek letter stays a mark.
  if (marks.includes('\u0345')) return (base.toUpperCase() + marks.join('')).normalize('NFC');
  const [first = '', ...rest] = letter.toUpperCase();
  return DIGRAPHS[letter] ?? first + rest.join('').toLowerCase();
}

/** The first letter in title case, the others in lower case. */
export function capitalised(text: string): string {
  const [first = ''] = text;
  return titleCased(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

export const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));
export const asWord = (pattern: RegExp, value: unknown) => (text: string) =>
  pattern.test(text) ? value : text;

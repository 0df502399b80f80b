import { domainToASCII, domainToUnicode } from 'node:url';
import type { Cause } from './cause.ts';

// How functions of languages, libraries and databases change a text.

const replaced =
  (pattern: RegExp | string, by: string) =>
  (text: string): string =>
    text.replaceAll(pattern, () => by);

const replacing =
  (pattern: RegExp, change: (part: string) => string) =>
  (text: string): string =>
    text.replaceAll(pattern, (part) => change(part));

const removing = (pattern: RegExp): ((text: string) => string) => replaced(pattern, '');

/** An address without its tag, from the first plus sign on. */
export const withoutTag = removing(/\+[^@]*(?=@)/g);

/** The text up to the first match. */
const upTo =
  (pattern: RegExp) =>
  (text: string): string =>
    text.split(pattern)[0]!;

const beyondBasic = /[\u{10000}-\u{10ffff}]/gu;

const htmlEscaped =
  (apostrophe: string, quote: string, more: Readonly<Record<string, string>> = {}) =>
  (text: string): string => {
    const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': quote, "'": apostrophe, ...more };
    return text.replaceAll(
      /[&<>"'/\\`=]/g,
      (character) => (entities as Record<string, string>)[character] ?? character,
    );
  };

/** Characters that some libraries escape too: those of validator.js, Mustache, Underscore and OWASP. */
const moreEscaped: readonly Readonly<Record<string, string>>[] = [
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
const htmlUnescaped =
  (pattern: RegExp) =>
  (text: string): string =>
    text.replaceAll(pattern, (_, entity: string) => {
      const [, hexadecimal, number] = /^#([xX]?)(\w+)$/.exec(entity) ?? [];
      if (number === undefined) return ENTITIES[entity]!;
      const point = Number.parseInt(number, hexadecimal ? 16 : 10);
      return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
    });

/** Changes the part before the last @, or the one from it on. */
const inLocalPart =
  (change: (text: string) => string) =>
  (text: string): string =>
    text.replace(/^.*(?=@)/s, change);

const inDomain =
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
const percentDecodings: readonly ((text: string) => string)[] = [
  decodeURIComponent,
  percentDecoded,
  (text) => {
    if (/%(?![0-9a-f]{2})/i.test(text)) throw new URIError('malformed escape');
    return percentDecoded(text);
  },
];
const withoutPlus = replaced('+', ' ');

const replacedLetters =
  (table: Readonly<Record<string, string>>) =>
  (text: string): string =>
    Array.from(text, (letter) => table[letter] ?? letter).join('');

/** The digits zero of scripts whose digits some services make ASCII. */
const ZEROS: Readonly<Record<string, string>> = {
  Arabic: '٠',
  Persian: '۰',
  Devanagari: '०',
  Thai: '๐',
  'full-width': '０',
};

const asciiDigits = (zero: string): ((text: string) => string) =>
  replacedLetters(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, digit) => [
        String.fromCodePoint(zero.codePointAt(0)! + digit),
        String(digit),
      ]),
    ),
  );

const withMappedDomain = (text: string): string =>
  text.replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => domainToUnicode(domainToASCII(domain)) || domain);

/** What IDNA 2003 maps and its successor keeps (UTS 46, section 2.3), or rejects, as a label would have a space. */
const mappedIn2003 = inDomain(
  replacedLetters({ ß: 'ss', ς: 'σ', '\u200c': '', '\u200d': '', '\u00a0': ' ' }),
);

const withoutPunycode = (text: string): string =>
  text.replace(/(?<=@)[^@]*xn--[^@]*$/, (domain) => domainToUnicode(domain) || domain);

/** An address without a name before it and white space, as in EmailStr of pydantic. */
const addressAlone = (text: string): string => text.trim().replace(/^[^<]*<(.*)>$/s, '$1');

/** As validators of addresses return them, such as email-validator for Python. */
const asValidated = (address: string): string =>
  inLocalPart((local) => local.normalize('NFC'))(address).replace(
    /(?<=@)[^@[]*$/,
    (domain) => domainToUnicode(domainToASCII(domain)) || domain,
  );

const withAsciiDomain = (text: string): string =>
  text.replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => new URL(`http://${domain}`).hostname);

export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');

/** What languages take for white space, as classes of a regular expression. */
const whiteSpaces: readonly string[] = [
  String.raw`\s`,
  String.raw`\p{White_Space}`,
  // Python, with separators.
  String.raw`[\p{White_Space}\x1c-\x1f]`,
  // Java and C: what does not break lines is none.
  String.raw`[[\p{White_Space}\x1c-\x1f]--[\x85\xa0\u2007\u202f]]`,
  String.raw`[\p{White_Space}--[\x85\xa0\u2007\u202f]]`,
  // Haskell.
  String.raw`[\p{Zs}\t-\r]`,
];

const ASCII_SPACE = String.raw`[ \t-\r]`;

/** Ways to replace white space, one for each kind. */
const runsReplaced = [...whiteSpaces, String.raw`[\p{White_Space}\u180e]`, ASCII_SPACE].map((one) =>
  replaced(new RegExp(`${one}+`, 'gv'), ' '),
);

/** Change all characters in their context, each by itself as in Go and in SQL, or ASCII only as in PHP and SQLite. */
const lowerCasings: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => Array.from(text, (character) => [...character.toLowerCase()][0]!).join(''),
  replacing(/[A-Z]+/g, (letters) => letters.toLowerCase()),
];

/** A letter as it is compared without case (Unicode Standard, section 3.13); ı has no other case there. */
function caseFolded(letter: string): string {
  if (letter === 'ı') return letter;
  if (/\p{Script=Cherokee}/u.test(letter)) return letter.toUpperCase();
  return letter.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

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
function capitalised(text: string): string {
  const [first = ''] = text;
  return titleCased(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

/** A letter in title case where that is one character, too. */
function titleCasedAlone(letter: string): string {
  const cased = titleCased(letter);
  return [...cased].length === 1 ? cased : letter;
}

const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));
const asWord = (pattern: RegExp, value: unknown) => (text: string) => (pattern.test(text) ? value : text);

/** A change that a service may make to each text. */
export interface TextHypothesis extends Cause {
  /** The text that comes back if the hypothesis is true. */
  readonly change: (text: string) => unknown;
}

type TextChange = TextHypothesis['change'];

/** Changes of one kind, each in words, with the ways in which services make it. */
const kind = (
  id: string,
  next: string,
  changes: Readonly<Record<string, TextChange | readonly TextChange[]>>,
): TextHypothesis[] =>
  Object.entries(changes).flatMap(([text, ways]) =>
    [ways].flat().map((change) => ({ id, text, next, change })),
  );

export const KEEP_SPACE =
  'Look for a trim in a validator, a model or a binding, and keep the text as it was submitted.';
export const KEEP_CASE = 'Compare without case where that is needed, but keep the text as it was submitted.';
export const KEEP_FORM =
  'Normalise a copy for searching and comparing, and keep the text as it was submitted.';
export const ESCAPE_LATE = 'Escape when a page is rendered, not when a text is stored or returned.';
const USE_PARAMETERS = 'Use parameters in place of escaped text where a query or a command is built.';
export const URL_CODING = 'A JSON body is not form data: read it with a JSON parser only.';
export const USE_UTF8 =
  'Read and write JSON as UTF-8 everywhere: in the server, in the driver of the database and in its columns.';
const PASS_AS_ARGUMENT = 'Pass a text to a formatting function as an argument, never as the format itself.';
const REJECT_UNWANTED =
  'Reject such texts if they are not wanted; what is accepted must come back as it was submitted.';
export const KEEP_STRING =
  'Keep the member a string: look for a query string parser, a YAML parser or a cast.';
export const REJECT_TOO_LONG =
  'Reject texts that are too long, or widen the column: do not cut what was accepted.';

/** A text that was encoded in ISO-8859-1, if it can be, and decoded as UTF-8. */
const inLatin1: TextChange = (text) =>
  /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1').toString() : text;

const readAsLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** Simpler changes first: if several explain everything, the first is reported. */
export const changes: readonly TextHypothesis[] = [
  ...kind('trimmed', KEEP_SPACE, {
    'white space trimmed at both ends': whiteSpaces.map((one) =>
      removing(new RegExp(`^${one}+|${one}+$`, 'gv')),
    ),
    'white space and controls trimmed at both ends': removing(/^[\0-\x20]+|[\0-\x20]+$/g),
    'white space trimmed at the start': whiteSpaces.map((one) => removing(new RegExp(`^${one}+`, 'gv'))),
    'white space trimmed at the end': whiteSpaces.map((one) => removing(new RegExp(`${one}+$`, 'gv'))),
    'spaces trimmed at both ends': removing(/^ +| +$/g),
    'spaces trimmed at the end': removing(/ +$/g),
    'spaces and tabs trimmed at both ends': removing(/^[ \t]+|[ \t]+$/g),
    'ASCII white space trimmed at both ends': [
      removing(new RegExp(`^${ASCII_SPACE}+|${ASCII_SPACE}+$`, 'g')),
      removing(/^[ \t\n\r]+|[ \t\n\r]+$/g),
    ],
    'ASCII white space and NUL trimmed at both ends': [
      removing(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g),
      removing(/^[ \t-\r\0]+|[ \t-\r\0]+$/g),
    ],
  }),
  ...kind('white-space', KEEP_SPACE, {
    'runs of white space replaced by one space': runsReplaced,
    'runs of two or more white space characters replaced by one space': replaced(/\s{2,}/g, ' '),
    'runs of spaces replaced by one space': replaced(/ {2,}/g, ' '),
    'white space trimmed, and its runs replaced by one space': [
      ...runsReplaced.map((change) => (text: string) => change(text).replaceAll(/^ | $/g, '')),
      // As squish in Rails, where strip takes NUL for white space.
      (text) => text.replaceAll(/\p{White_Space}+/gu, ' ').replaceAll(/^[ \0]+|[ \0]+$/g, ''),
    ],
  }),
  ...kind('line-breaks', KEEP_SPACE, {
    'CR LF replaced by LF': replaced(/\r\n/g, '\n'),
    'LF replaced by CR LF': replaced(/\r?\n/g, '\r\n'),
    'line breaks replaced by spaces': [
      replaced(/[\r\n]/g, ' '),
      // As Python splits lines: a break at the end begins no line.
      (text) => {
        const lines = text.split(/\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/);
        return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).join(' ');
      },
    ],
    'line breaks preceded by <br />': replacing(/\r\n|\n\r|\n|\r/g, (found) => `<br />${found}`),
    'line breaks replaced by <br>': [replaced(/\r\n|\r|\n/g, '<br>'), replaced('\n', '<br>')],
    'line breaks at the end removed': removing(/[\r\n]+$/g),
    'cut at the first line break': [upTo(/\n/), upTo(/[\r\n]/), upTo(/[\n-\r\x1c-\x1e\x85\u2028\u2029]/)],
  }),

  ...kind('lower-case', KEEP_CASE, {
    'lower-cased': lowerCasings,
    'domain lower-cased': lowerCasings.map(inDomain),
    'local part lower-cased': lowerCasings.map(inLocalPart),
    'case-folded': (text) => Array.from(text, caseFolded).join(''),
    'lower-cased by the rules of Turkish': (text) => text.toLocaleLowerCase('tr'),
  }),
  ...kind('upper-case', KEEP_CASE, {
    'upper-cased': [
      (text) => text.toUpperCase(),
      (text) =>
        Array.from(text, (character) => {
          const upper = character.toUpperCase();
          return [...upper].length === 1 ? upper : character;
        }).join(''),
      replacing(/[a-z]+/g, (letters) => letters.toUpperCase()),
    ],
  }),
  ...kind('title-case', KEEP_CASE, {
    'first letters of words in upper case': [
      // As in JavaScript, where letters beyond ASCII end a word.
      ...[/(?:^|\s)[a-z]/g, /(?:^|[ \t-\r])[a-z]/g, /(?:^|\s)\S/g, /(?:^| )[a-z]/g, /\b[a-z]/g].map(
        (pattern) => replacing(pattern, (start) => start.toUpperCase()),
      ),
      // As in Go, where signs of ASCII end a word.
      replacing(/(?<=^|[[\0-\x7f]--\w]|\p{White_Space})./gsv, titleCasedAlone),
    ],
    'first letter in upper case': [/^[a-z]/g, /^\p{L}/gu].map((pattern) =>
      replacing(pattern, (letter) => letter.toUpperCase()),
    ),
    'first letter in upper case, the others in lower case': (text) => capitalised(text),
    'words in title case': [
      (text) =>
        text.replaceAll(/\p{L}+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()),
      // As in Python.
      replacing(/\p{Cased}+/gu, (word) => capitalised(word)),
      // Words between white space, and words of letters of ASCII as in JavaScript and Lua.
      replacing(/\S+/g, (word) => capitalised(word)),
      ...[/\S+/g, /\w\S*/g, /[^ ]+/g, /[a-z][\w']*/gi].map((word) =>
        replacing(word, (found) => found.slice(0, 1).toUpperCase() + found.slice(1).toLowerCase()),
      ),
      ...[/\b[a-z]/g, /(?:^|\s)\S/g].map(
        (pattern) => (text: string) => text.toLowerCase().replaceAll(pattern, (start) => start.toUpperCase()),
      ),
    ],
    'words in title case, with one space between them': [/\s+/, /[\p{White_Space}\x1c-\x1f]+/u].map(
      (space) => (text) =>
        text
          .split(space)
          .filter((word) => word !== '')
          .map((word) => capitalised(word))
          .join(' '),
    ),
  }),

  ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).flatMap((form) =>
    kind('normalised', KEEP_FORM, { [`${form} normalisation`]: (text) => text.normalize(form) }),
  ),
  ...kind('accents', KEEP_FORM, {
    'accents removed': [
      withoutAccents,
      ...[/\p{Mn}/gu, /\p{M}/gu, /[\u0300-\u036f]/g].flatMap((marks) => [
        (text: string) => text.normalize('NFD').replaceAll(marks, ''),
        (text: string) => text.normalize('NFKD').replaceAll(marks, ''),
      ]),
    ],
    'accents and all characters beyond ASCII removed': (text) =>
      text.normalize('NFKD').replaceAll(/[^\0-\x7f]/g, ''),
  }),

  ...kind('letters', KEEP_FORM, {
    'Greek final sigma replaced by sigma': replaced('ς', 'σ'),
    'ё replaced by е': replacedLetters({ ё: 'е', Ё: 'Е' }),
    'Arabic yeh and kaf replaced by the Persian letters': replacedLetters({ ي: 'ی', ى: 'ی', ك: 'ک' }),
    'alef with hamza or madda replaced by alef': replacedLetters({ أ: 'ا', إ: 'ا', آ: 'ا' }),
    'Arabic tatweel removed': removing(/\u0640/g),
    'Arabic vowel signs removed': removing(/[\u064b-\u0652]/g),
    'Hebrew points removed': removing(/[\u0591-\u05c7]/g),
    'hiragana replaced by katakana': (text) =>
      text.replaceAll(/[\u3041-\u3096]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60)),
  }),
  ...Object.entries(ZEROS).flatMap(([script, zero]) =>
    kind('digits', KEEP_FORM, { [`${script} digits replaced by ASCII digits`]: asciiDigits(zero) }),
  ),

  ...kind('html-escaped', ESCAPE_LATE, {
    'HTML-escaped': [
      ...['&#39;', '&#039;', '&#x27;', '&apos;', "'"].map((apostrophe) => htmlEscaped(apostrophe, '&quot;')),
      htmlEscaped('&#39;', '&#34;'),
      ...moreEscaped.flatMap((more) =>
        ['&#39;', '&#x27;'].map((apostrophe) => htmlEscaped(apostrophe, '&quot;', more)),
      ),
    ],
    '&, < and > HTML-escaped': htmlEscaped("'", '"'),
    '< and > HTML-escaped': (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    '& HTML-escaped': replaced('&', '&amp;'),
    'double quotes HTML-escaped': replaced('"', '&quot;'),
    'apostrophes HTML-escaped': ['&#39;', '&#039;', '&#x27;', '&apos;'].map((one) => replaced("'", one)),
  }),
  ...kind('html-unescaped', ESCAPE_LATE, {
    'HTML entities decoded': [
      /&(amp|lt|gt|quot|#39);/g,
      /&(amp|lt|gt|quot|nbsp|copy|eacute|#\d+|#[xX][0-9a-fA-F]+);/g,
      /&(amp|lt|gt|quot|apos|nbsp|copy|eacute|#\d+|#[xX][0-9a-fA-F]+);/g,
      // Some names need no semicolon.
      /&(apos(?=;)|amp|lt|gt|quot|nbsp|copy|eacute|#\d+|#[xX][0-9a-fA-F]+);?/g,
    ].map(htmlUnescaped),
  }),
  ...kind('tags-removed', ESCAPE_LATE, {
    'HTML tags removed': [
      removing(/<[^>]*>/g),
      // As in PHP: tags that do not end, and NUL too.
      (text) => text.replaceAll('\0', '').replaceAll(/<(?!\s)(?:[^<>]|<[^<>]*>)*(?:>|$)/g, ''),
    ],
  }),

  ...kind('quotes-trimmed', REJECT_UNWANTED, {
    'quotes removed at both ends': [
      removing(/^["']+|["']+$/g),
      (text) => text.replace(/^(["'])(.*)\1$/s, '$2'),
    ],
  }),
  ...kind('quoted', USE_PARAMETERS, {
    'apostrophes doubled': replaced("'", "''"),
    'doubled apostrophes made one': replaced("''", "'"),
    'backslashes added before quotes, backslashes and NUL': [
      (text) => text.replaceAll(/['"\\\0]/g, String.raw`\$&`),
      (text) => text.replaceAll(/['"\\]/g, String.raw`\$&`).replaceAll('\0', String.raw`\0`),
    ],
    'percent signs doubled': replaced('%', '%%'),
    'backslashes doubled': replaced('\\', '\\\\'),
    'backslashes removed': [
      (text) => text.replaceAll(/\\(.?)/gs, '$1'),
      (text) => text.replaceAll(/\\(.?)/gs, (_, next: string) => (next === '0' ? '\0' : next)),
    ],
    'quotes removed': removing(/["']/g),
    'apostrophes removed': removing(/'/g),
  }),

  ...kind('format', PASS_AS_ARGUMENT, {
    'the text used as a format of fmt in Go': (text) =>
      text.replaceAll(/%[-+# 0]*\d*(?:\.\d*)?(.|$)/gsu, (_, verb: string) =>
        verb === '%' ? '%' : verb === '' ? '%!(NOVERB)' : `%!${verb}(MISSING)`,
      ),
    // With any other conversion, they have no argument for it, and the text stays as it is.
    'the text used as a format, in which %% stands for %': (text) =>
      /^(?:[^%]|%%)*$/.test(text) ? text.replaceAll('%%', '%') : text,
    'the text used as a format, in which {{ stands for {, and }} for }': (text) =>
      /^(?:[^{}]|\{\{|\}\})*$/.test(text) ? text.replaceAll('{{', '{').replaceAll('}}', '}') : text,
    'the text used as a pattern of MessageFormat in Java': replacing(/''?/g, (quotes) => quotes.slice(1)),
  }),

  ...kind('url-coded', URL_CODING, {
    'percent-decoded': percentDecodings.map(unchangedOnError),
    'plus signs replaced by spaces': withoutPlus,
    'plus signs replaced by spaces, and percent-decoded': percentDecodings.map((decoded) =>
      unchangedOnError((text) => decoded(withoutPlus(text))),
    ),
    'read as a member of a query string': percentDecodings.map((decoded) =>
      unchangedOnError((text) => decoded(withoutPlus(upTo(/&/)(text)))),
    ),
  }),

  ...kind('charset', USE_UTF8, {
    'Latin-1 in place of UTF-8': [
      inLatin1,
      (text) => inLatin1(text.replaceAll(/[^\0-\xff]/gu, '?')),
      // As in Tcl and .NET.
      (text) => inLatin1(text.replaceAll(/[^\0-\xff]/g, '?')),
      // As in Node.js.
      (text) => Buffer.from(text, 'latin1').toString(),
    ],
    'code points cut to their low 8 bits': [
      replacing(/[^\0-\xff]/gu, (character) => String.fromCharCode(character.codePointAt(0)! & 0xff)),
      replacing(/[^\0-\xff]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) & 0xff)),
    ],
    'UTF-8 read as ASCII, each other byte replaced by U+FFFD': (text) =>
      replacing(/[^\0-\x7f]/gu, (character) => '\ufffd'.repeat(Buffer.byteLength(character)))(text),
    'UTF-8 read as Latin-1': readAsLatin1,
    'UTF-8 read as Latin-1, twice': (text) => readAsLatin1(readAsLatin1(text)),
    'UTF-8 read as Windows-1252': (text) => new TextDecoder('windows-1252').decode(Buffer.from(text)),
    'characters beyond ASCII replaced by ?': replaced(/[^\0-\x7f]/gu, '?'),
    'characters beyond ASCII replaced by ?, one for each UTF-16 unit': replaced(/[^\0-\x7f]/g, '?'),
    'characters beyond ASCII replaced by ?, one for each byte of UTF-8': replacing(
      /[^\0-\x7f]/gu,
      (character) => '?'.repeat(Buffer.byteLength(character)),
    ),
    'characters beyond ASCII removed': removing(/[^\0-\x7f]/gu),
    'characters beyond Latin-1 replaced by ?': replaced(/[^\0-\xff]/gu, '?'),
    'characters beyond U+FFFF replaced by ?': replaced(beyondBasic, '?'),
    'characters beyond U+FFFF replaced by U+FFFD': replaced(beyondBasic, '\ufffd'),
    'surrogates encoded one by one (CESU-8), each byte replaced by U+FFFD': replaced(
      beyondBasic,
      '\ufffd'.repeat(6),
    ),
    'NUL and characters beyond U+FFFF in modified UTF-8, each byte replaced by U+FFFD': replacing(
      /\0|[\u{10000}-\u{10ffff}]/gu,
      (character) => '\ufffd'.repeat(character === '\0' ? 2 : 6),
    ),
    'characters beyond U+FFFF removed': removing(beyondBasic),
    'cut at the first character beyond U+FFFF': upTo(beyondBasic),
  }),
  ...kind('emoji', USE_UTF8, { 'emoji removed': removing(/\p{Extended_Pictographic}/gu) }),

  ...kind('controls', REJECT_UNWANTED, {
    'cut at the first NUL': upTo(/\0/),
    'NUL removed': removing(/\0/g),
    'controls removed': [removing(/\p{Cc}/gu), removing(/[\0-\x1f\x7f]/g), removing(/[\0-\x1f]/g)],
    'characters that cannot be printed removed': [
      removing(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu),
      removing(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/gu),
    ],
    'controls other than tabs and line breaks removed': removing(/(?![\t\n\r])[\p{Cc}--[\u0080-\u009f]]/gv),
  }),
  ...kind('invisible', REJECT_UNWANTED, {
    'zero-width characters removed': removing(/[\u200b-\u200d]/g),
    'byte order mark at the start removed': removing(/^\ufeff/g),
    'byte order marks removed': removing(/\ufeff/g),
    'invisible format characters removed': removing(/\p{Cf}/gu),
  }),

  ...kind('formula', REJECT_UNWANTED, {
    'apostrophe added before signs that begin a formula': [
      replacing(/^[=+\-@]/g, (sign) => `'${sign}`),
      replacing(/^[=+\-@\t\r]/g, (sign) => `'${sign}`),
    ],
  }),

  ...kind('plus-tag', REJECT_UNWANTED, { 'plus tag removed': withoutTag }),
  ...kind('dots', REJECT_UNWANTED, { 'dots removed from the local part': removing(/\.(?=[^@]*@)/g) }),
  ...kind('idn', REJECT_UNWANTED, {
    'international domain converted to ASCII': unchangedOnError(withAsciiDomain),
    'international domain converted to ASCII (IDNA 2003)': unchangedOnError((text) =>
      withAsciiDomain(mappedIn2003(text)),
    ),
    'international domain mapped (UTS 46)': withMappedDomain,
    'international domain mapped (IDNA 2003)': (text) => withMappedDomain(mappedIn2003(text)),
    'Punycode of the domain decoded': withoutPunycode,
    'local part in NFC, domain in lower case and mapped (UTS 46)': [
      asValidated,
      (text) => asValidated(addressAlone(text)),
    ],
  }),
  ...kind('quoted-local-part', REJECT_UNWANTED, {
    'quotes removed from the local part': [
      (text) => text.replace(/^"([^"]*)"(?=@)/, '$1'),
      (text) => text.replace(/^"(.*)"(?=@)/s, '$1'),
    ],
  }),
  ...kind('literal', REJECT_UNWANTED, {
    'brackets of an address literal removed': (text) => text.replace(/(?<=@)\[([^\]]*)\]$/, '$1'),
  }),
  ...kind('cut', REJECT_TOO_LONG, {
    'local part cut after 64 characters': (text) => text.replace(/^([^@]{64})[^@]*(?=@)/, '$1'),
  }),
  ...kind('trailing-dot', REJECT_UNWANTED, { 'dot at the end removed': removing(/\.$/g) }),

  ...kind('empty', KEEP_STRING, {
    'empty text replaced by null': asWord(/^$/, null),
    'blank text replaced by null': asWord(/^\s*$/, null),
    'member with an empty text left out': asWord(/^$/, undefined),
  }),
  ...kind('word', KEEP_STRING, {
    'the text null replaced by null': [asWord(/^null$/, null), asWord(/^null$/i, null)],
    'the text true replaced by true': asWord(/^true$/, true),
    'the text false replaced by false': asWord(/^false$/, false),
    'the texts true and false replaced by booleans': (text) =>
      /^(?:true|false)$/i.test(text) ? /true/i.test(text) : text,
  }),
  ...kind('numbers', KEEP_STRING, {
    'numbers rewritten': [
      (text) => (isNumber(text) ? Number(text) : text),
      (text) => (isNumber(text) ? String(Number(text)) : text),
    ],
    'long numbers rounded to a floating-point number': replacing(/\d{16,}/g, (digits) =>
      String(Number(digits)),
    ),
    'texts that are JSON replaced by their values': unchangedOnError(JSON.parse),
    'digits replaced by a number': [/^[1-9]\d*$/, /^\d+$/].map(
      (digits) => (text: string) => (digits.test(text) ? Number(text) : text),
    ),
    'dates rewritten with a time': (text) =>
      /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/.test(text) && !Number.isNaN(Date.parse(text))
        ? new Date(text).toISOString()
        : text,
    'leading zeros removed': (text) => (/^0\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text),
  }),
];

/** A trim together with another change, as by validators that sanitise. */
export const pairs: readonly TextHypothesis[] = [
  ...changes
    .filter(({ id }) => id === 'trimmed')
    .flatMap((trim) =>
      changes
        .filter(({ id }) => id !== 'trimmed')
        .map(({ text, change }) => ({
          ...trim,
          text: `${trim.text}, and ${text}`,
          change: (sent: string) => change(trim.change(sent) as string),
        })),
    ),
  // Last: where no address came back without a name, a trim is enough to explain the others.
  ...kind('lower-case', KEEP_CASE, {
    'domain lower-cased, white space and a name before the address removed': (text) =>
      inDomain((domain) => domain.toLowerCase())(addressAlone(text)),
  }),
];

import { domainToASCII, domainToUnicode } from 'node:url';
import type { Cause } from './cause.ts';

/** A change that a service may make to each text. */
export interface TextHypothesis extends Cause {
  /** The text that comes back if the hypothesis is true. */
  readonly change: (text: string) => unknown;
}

export const hypothesis = (
  id: string,
  text: string,
  next: string,
  change: (text: string) => unknown,
): TextHypothesis => ({ id, text, next, change });

const replaced =
  (pattern: RegExp | string, by: string) =>
  (text: string): string =>
    text.replaceAll(pattern, () => by);

const without = (pattern: RegExp): ((text: string) => string) => replaced(pattern, '');

/** The text up to the first match. */
const upTo =
  (pattern: RegExp) =>
  (text: string): string =>
    text.split(pattern)[0]!;

const TRIM = 'Look for a trim in a validator, a model or a binding, and keep the text as it was submitted.';
const CASE = 'Compare without case where that is needed, but keep the text as it was submitted.';
const NORMAL = 'Normalise a copy for searching and comparing, and keep the text as it was submitted.';
const ESCAPE = 'Escape when a page is rendered, not when a text is stored or returned.';
const QUOTE = 'Use parameters in place of escaped text where a query or a command is built.';
const URL_CODING = 'A JSON body is not form data: read it with a JSON parser only.';
const CHARSET =
  'Read and write JSON as UTF-8 everywhere: in the server, in the driver of the database and in its columns.';
const CLEAN =
  'Reject such texts if they are not wanted; what is accepted must come back as it was submitted.';
const TYPES = 'Keep the member a string: look for a query string parser, a YAML parser or a cast.';
export const LENGTH = 'Reject texts that are too long, or widen the column: do not cut what was accepted.';

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
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

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
const attempted =
  (change: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return change(text);
    } catch {
      return text;
    }
  };

const unified =
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
  unified(
    Object.fromEntries(
      Array.from({ length: 10 }, (_, digit) => [
        String.fromCodePoint(zero.codePointAt(0)! + digit),
        String(digit),
      ]),
    ),
  );

const withMappedDomain = (text: string): string =>
  text.replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => domainToUnicode(domainToASCII(domain)) || domain);

const withoutPunycode = (text: string): string =>
  text.replace(/(?<=@)[^@]*xn--[^@]*$/, (domain) => domainToUnicode(domain) || domain);

const withAsciiDomain = (text: string): string =>
  text.replace(/(?<=@)[^@]*[^\0-\x7f][^@]*$/, (domain) => new URL(`http://${domain}`).hostname);

const lower = (text: string): string => text.toLowerCase();
const isNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));
const asWord = (pattern: RegExp, value: unknown) => (text: string) => (pattern.test(text) ? value : text);

/** Kinds of changes that come together with a trim. */
const ALSO: ReadonlySet<string> = new Set([
  'lower-case',
  'upper-case',
  'normalised',
  'html-escaped',
  'tags-removed',
]);

/** Simpler changes first: if several explain everything, the first is reported. */
export const changes: readonly TextHypothesis[] = [
  hypothesis('trimmed', 'white space trimmed at both ends', TRIM, (text) => text.trim()),
  // White space in other languages than JavaScript: without U+FEFF, with U+0085, and in Python with separators.
  hypothesis(
    'trimmed',
    'white space trimmed at both ends',
    TRIM,
    without(/^\p{White_Space}+|\p{White_Space}+$/gu),
  ),
  hypothesis(
    'trimmed',
    'white space trimmed at both ends',
    TRIM,
    without(/^[\p{White_Space}\x1c-\x1f]+|[\p{White_Space}\x1c-\x1f]+$/gu),
  ),
  hypothesis(
    'trimmed',
    'white space and controls trimmed at both ends',
    TRIM,
    without(/^[\0-\x20]+|[\0-\x20]+$/g),
  ),
  hypothesis('trimmed', 'white space trimmed at the start', TRIM, (text) => text.trimStart()),
  hypothesis('trimmed', 'white space trimmed at the end', TRIM, (text) => text.trimEnd()),
  hypothesis('trimmed', 'spaces trimmed at the end', TRIM, without(/ +$/g)),
  hypothesis(
    'trimmed',
    'ASCII white space and NUL trimmed at both ends',
    TRIM,
    without(/^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g),
  ),
  hypothesis('white-space', 'runs of white space replaced by one space', TRIM, replaced(/\s+/g, ' ')),
  hypothesis('white-space', 'runs of spaces replaced by one space', TRIM, replaced(/ {2,}/g, ' ')),
  hypothesis('white-space', 'white space trimmed, and its runs replaced by one space', TRIM, (text) =>
    text.trim().replaceAll(/\s+/g, ' '),
  ),
  hypothesis('line-breaks', 'CR LF replaced by LF', TRIM, replaced(/\r\n/g, '\n')),
  hypothesis('line-breaks', 'LF replaced by CR LF', TRIM, replaced(/\r?\n/g, '\r\n')),
  hypothesis('line-breaks', 'line breaks replaced by spaces', TRIM, replaced(/[\r\n]/g, ' ')),
  hypothesis('line-breaks', 'line breaks at the end removed', TRIM, without(/[\r\n]+$/g)),
  hypothesis('line-breaks', 'cut at the first line break', TRIM, upTo(/\n/)),

  hypothesis('lower-case', 'lower-cased', CASE, lower),
  hypothesis('upper-case', 'upper-cased', CASE, (text) => text.toUpperCase()),
  hypothesis('lower-case', 'domain lower-cased', CASE, inDomain(lower)),
  hypothesis('lower-case', 'local part lower-cased', CASE, inLocalPart(lower)),
  hypothesis('title-case', 'first letters of words in upper case', CASE, (text) =>
    text.replaceAll(/(?:^|\s)[a-z]/g, (start) => start.toUpperCase()),
  ),
  hypothesis('title-case', 'words in title case', CASE, (text) =>
    text.replaceAll(/\p{L}+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()),
  ),

  ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) =>
    hypothesis('normalised', `${form} normalisation`, NORMAL, (text) => text.normalize(form)),
  ),
  hypothesis('accents', 'accents removed', NORMAL, (text) =>
    text
      .normalize('NFD')
      .replaceAll(/\p{Mn}/gu, '')
      .normalize('NFC'),
  ),

  hypothesis('letters', 'Greek final sigma replaced by sigma', NORMAL, replaced('ς', 'σ')),
  hypothesis('letters', 'ё replaced by е', NORMAL, unified({ ё: 'е', Ё: 'Е' })),
  hypothesis(
    'letters',
    'Arabic yeh and kaf replaced by the Persian letters',
    NORMAL,
    unified({ ي: 'ی', ى: 'ی', ك: 'ک' }),
  ),
  hypothesis(
    'letters',
    'alef with hamza or madda replaced by alef',
    NORMAL,
    unified({ أ: 'ا', إ: 'ا', آ: 'ا' }),
  ),
  hypothesis('letters', 'Arabic tatweel removed', NORMAL, without(/\u0640/g)),
  hypothesis('letters', 'Arabic vowel signs removed', NORMAL, without(/[\u064b-\u0652]/g)),
  hypothesis('letters', 'Hebrew points removed', NORMAL, without(/[\u0591-\u05c7]/g)),
  hypothesis('letters', 'hiragana replaced by katakana', NORMAL, (text) =>
    text.replaceAll(/[\u3041-\u3096]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60)),
  ),
  ...Object.entries(ZEROS).map(([script, zero]) =>
    hypothesis('digits', `${script} digits replaced by ASCII digits`, NORMAL, asciiDigits(zero)),
  ),

  ...['&#39;', '&#039;', '&#x27;', '&apos;', "'"].map((apostrophe) =>
    hypothesis('html-escaped', 'HTML-escaped', ESCAPE, htmlEscaped(apostrophe, '&quot;')),
  ),
  hypothesis('html-escaped', 'HTML-escaped', ESCAPE, htmlEscaped('&#39;', '&#34;')),
  ...moreEscaped.flatMap((more) =>
    ['&#39;', '&#x27;'].map((apostrophe) =>
      hypothesis('html-escaped', 'HTML-escaped', ESCAPE, htmlEscaped(apostrophe, '&quot;', more)),
    ),
  ),
  hypothesis('html-escaped', '&, < and > HTML-escaped', ESCAPE, htmlEscaped("'", '"')),
  hypothesis('html-escaped', '< and > HTML-escaped', ESCAPE, (text) =>
    text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ),
  hypothesis('html-escaped', '& HTML-escaped', ESCAPE, replaced('&', '&amp;')),
  hypothesis('html-escaped', 'double quotes HTML-escaped', ESCAPE, replaced('"', '&quot;')),
  ...['&#39;', '&#039;', '&#x27;', '&apos;'].map((apostrophe) =>
    hypothesis('html-escaped', 'apostrophes HTML-escaped', ESCAPE, replaced("'", apostrophe)),
  ),
  hypothesis('html-unescaped', 'HTML entities decoded', ESCAPE, (text) =>
    text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!),
  ),
  hypothesis('tags-removed', 'HTML tags removed', ESCAPE, without(/<[^>]*>/g)),

  hypothesis('quoted', 'apostrophes doubled', QUOTE, replaced("'", "''")),
  hypothesis('quoted', 'doubled apostrophes made one', QUOTE, replaced("''", "'")),
  hypothesis('quoted', 'backslashes added before quotes, backslashes and NUL', QUOTE, (text) =>
    text.replaceAll(/['"\\\0]/g, String.raw`\$&`),
  ),
  hypothesis('quoted', 'backslashes doubled', QUOTE, replaced('\\', '\\\\')),
  hypothesis('quoted', 'backslashes removed', QUOTE, (text) => text.replaceAll(/\\(.?)/gs, '$1')),
  hypothesis('quoted', 'quotes removed', QUOTE, without(/["']/g)),
  hypothesis('quoted', 'apostrophes removed', QUOTE, without(/'/g)),

  hypothesis('url-coded', 'percent-decoded', URL_CODING, attempted(decodeURIComponent)),
  hypothesis('url-coded', 'percent-encoded', URL_CODING, attempted(encodeURIComponent)),
  hypothesis('url-coded', 'plus signs replaced by spaces', URL_CODING, replaced('+', ' ')),

  hypothesis('charset', 'UTF-8 read as Latin-1', CHARSET, (text) => Buffer.from(text).toString('latin1')),
  hypothesis('charset', 'UTF-8 read as Windows-1252', CHARSET, (text) =>
    new TextDecoder('windows-1252').decode(Buffer.from(text)),
  ),
  hypothesis('charset', 'characters beyond ASCII replaced by ?', CHARSET, replaced(/[^\0-\x7f]/gu, '?')),
  hypothesis(
    'charset',
    'characters beyond ASCII replaced by ?, one for each UTF-16 unit',
    CHARSET,
    replaced(/[^\0-\x7f]/g, '?'),
  ),
  hypothesis('charset', 'characters beyond ASCII removed', CHARSET, without(/[^\0-\x7f]/gu)),
  hypothesis('charset', 'characters beyond Latin-1 replaced by ?', CHARSET, replaced(/[^\0-\xff]/gu, '?')),
  hypothesis('charset', 'characters beyond U+FFFF replaced by ?', CHARSET, replaced(beyondBasic, '?')),
  hypothesis(
    'charset',
    'characters beyond U+FFFF replaced by U+FFFD',
    CHARSET,
    replaced(beyondBasic, '\ufffd'),
  ),
  hypothesis('charset', 'characters beyond U+FFFF removed', CHARSET, without(beyondBasic)),
  hypothesis('charset', 'cut at the first character beyond U+FFFF', CHARSET, upTo(beyondBasic)),
  hypothesis('emoji', 'emoji removed', CHARSET, without(/\p{Extended_Pictographic}/gu)),

  hypothesis('controls', 'cut at the first NUL', CLEAN, upTo(/\0/)),
  hypothesis('controls', 'NUL removed', CLEAN, without(/\0/g)),
  hypothesis('controls', 'controls removed', CLEAN, without(/\p{Cc}/gu)),
  hypothesis(
    'controls',
    'controls other than tabs and line breaks removed',
    CLEAN,
    without(/(?![\t\n\r])[\p{Cc}--[\u0080-\u009f]]/gv),
  ),
  hypothesis('invisible', 'zero-width characters removed', CLEAN, without(/[\u200b-\u200d]/g)),
  hypothesis('invisible', 'byte order marks removed', CLEAN, without(/\ufeff/g)),
  hypothesis('invisible', 'invisible format characters removed', CLEAN, without(/\p{Cf}/gu)),

  hypothesis('plus-tag', 'plus tag removed', CLEAN, replaced(/\+[^@]*(?=@)/g, '')),
  hypothesis('dots', 'dots removed from the local part', CLEAN, without(/\.(?=[^@]*@)/g)),
  hypothesis('idn', 'international domain converted to ASCII', CLEAN, attempted(withAsciiDomain)),
  hypothesis('idn', 'international domain mapped (UTS 46)', CLEAN, withMappedDomain),
  hypothesis('idn', 'Punycode of the domain decoded', CLEAN, withoutPunycode),
  hypothesis('quoted-local-part', 'quotes removed from the local part', CLEAN, (text) =>
    text.replace(/^"([^"]*)"(?=@)/, '$1'),
  ),
  hypothesis('literal', 'brackets of an address literal removed', CLEAN, (text) =>
    text.replace(/(?<=@)\[([^\]]*)\]$/, '$1'),
  ),
  hypothesis('cut', 'local part cut after 64 characters', LENGTH, (text) =>
    text.replace(/^([^@]{64})[^@]*(?=@)/, '$1'),
  ),
  hypothesis('trailing-dot', 'dot at the end removed', CLEAN, without(/\.$/g)),

  hypothesis('empty', 'empty text replaced by null', TYPES, asWord(/^$/, null)),
  hypothesis('empty', 'blank text replaced by null', TYPES, asWord(/^\s*$/, null)),
  hypothesis('empty', 'member with an empty text left out', TYPES, asWord(/^$/, undefined)),
  hypothesis('word', 'the text null replaced by null', TYPES, asWord(/^null$/, null)),
  hypothesis('word', 'the text true replaced by true', TYPES, asWord(/^true$/, true)),
  hypothesis('word', 'the text false replaced by false', TYPES, asWord(/^false$/, false)),
  hypothesis('word', 'the texts true and false replaced by booleans', TYPES, (text) =>
    /^(?:true|false)$/i.test(text) ? /true/i.test(text) : text,
  ),
  hypothesis('numbers', 'numbers rewritten', TYPES, (text) => (isNumber(text) ? Number(text) : text)),
  hypothesis('numbers', 'digits replaced by a number', TYPES, (text) =>
    /^[1-9]\d*$/.test(text) ? Number(text) : text,
  ),
  hypothesis('numbers', 'numbers rewritten', TYPES, (text) => (isNumber(text) ? String(Number(text)) : text)),
  hypothesis('numbers', 'leading zeros removed', TYPES, (text) =>
    /^0\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text,
  ),
];

/** A trim together with another change, as by validators that sanitise. */
export const pairs: readonly TextHypothesis[] = changes
  .filter(({ id }) => id === 'trimmed')
  .flatMap((trim) =>
    changes
      .filter(({ id }) => ALSO.has(id))
      .map((other) =>
        hypothesis(trim.id, `${trim.text}, and ${other.text}`, trim.next, (text) =>
          other.change(trim.change(text) as string),
        ),
      ),
  );

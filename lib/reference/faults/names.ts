import { format } from 'node:util';
import {
  cut,
  cutBytes,
  escapeHtml,
  lengths,
  moved,
  replaced,
  specialValue,
  textFaults,
  unescapeHtml,
  upTo,
  removing,
} from './text-changes.ts';
import type { TextChange } from './text-changes.ts';
import { acceptingOnly, combined, onName } from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';

/** How back ends, validators, ORMs, firewalls and databases change names. */
const changes: Readonly<Record<string, TextChange>> = {
  // Repairs that only older data needs.
  'entities-of-quotes-decoded': (s) => s.replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
  'read-as-a-json-string': (s) => {
    try {
      return JSON.parse(`"${s}"`) as string;
    } catch {
      return s;
    }
  },
  'emoticons-removed': removing(/[:;]-?[()D]/g),
  'quotes-doubled-in-long-texts': (s) => (s.length > 255 ? s.replaceAll("'", "''") : s),
  'parenthesis-at-the-end-removed': removing(/\s*\([^()]*\)$/),
  'full-width-punctuation-narrowed': (s) => s.replace(/[（），：]/g, (sign) => sign.normalize('NFKC')),
  'acute-accent-to-apostrophe': replaced('´', "'"),
  'placeholders-of-translations-filled-in': removing(/%\{\w+\}|\$t\(\w+\)|\*\|\w+\|\*/g),
  'masked-if-of-three-syllables': (s) => (/^\p{Script=Hangul}{3}$/u.test(s) ? `${s[0]}*${s[2]}` : s),
  'last-name-first': replaced(/^([a-z]+), ([a-z]+)$/i, '$2 $1'),
  // White space.
  trim: (s) => s.trim(),
  'trim-start': (s) => s.trimStart(),
  'trim-end': (s) => s.trimEnd(),
  'trim-nbsp-only': removing(/^\u00a0+|\u00a0+$/g),
  'trim-newlines-only': removing(/[\r\n]+$/),
  'trim-tab-only': removing(/^\t+|\t+$/g),
  'php-trim': removing(/^[ \t\n\r\0\x0b]+|[ \t\n\r\0\x0b]+$/g),
  // What isspace of C takes for white space, and an old version of Unicode.
  'trim-ascii': removing(/^[ \t-\r]+|[ \t-\r]+$/g),
  'trim-unicode-3': removing(/^[\p{White_Space}\u200b\ufeff]+|[\p{White_Space}\u200b\ufeff]+$/gu),
  'mysql-char-trailing-spaces': removing(/ +$/),
  'trim-only-if-both-ends': (s) => (/^ .* $/s.test(s) ? s.slice(1, -1) : s),
  squish: replaced(/\s+/g, ' '),
  'squish-ascii': (s) => s.replaceAll(/[ \t-\r]+/g, ' ').replaceAll(/^ | $/g, ''),
  'double-space-collapsed': replaced(/ {2,}/g, ' '),
  'crlf-to-lf': replaced(/\r\n/g, '\n'),
  'lf-to-crlf': replaced(/\r?\n/g, '\r\n'),
  'newline-to-space': replaced(/[\r\n]/g, ' '),
  'first-line-only': upTo('\n'),
  'first-line-only-of-any-break': (s) => s.split(/[\r\n]/, 1)[0],
  'tab-to-spaces': replaced('\t', '    '),
  'nbsp-to-space': replaced('\u00a0', ' '),
  'ideographic-space-to-space': replaced('\u3000', ' '),
  'line-separator-to-lf': replaced(/[\u2028\u2029]/g, '\n'),
  // Words and numbers that are special in a language, a format or a framework.
  'empty-to-null-laravel': specialValue('', null),
  'blank-to-null-rails': (s) => (/^\s*$/.test(s) ? null : s),
  'empty-member-omitted': specialValue('', undefined),
  'empty-to-default': (s) => s || 'Anonymous',
  'php-empty-zero': (s) => (s === '' || s === '0' ? null : s),
  'zero-only-to-null': specialValue('0', null),
  'null-word': specialValue('null', null),
  'null-word-capital': specialValue('Null', ''),
  'null-word-upper': specialValue('NULL', null),
  'nan-word': specialValue('NaN', NaN),
  'undefined-word': specialValue('undefined', undefined),
  'none-word-python': specialValue('None', null),
  'nil-word-ruby': specialValue('nil', null),
  'na-word-r': specialValue('NA', null),
  'offset-to-utc': (s) => (/^\d{4}-\d\d-\d\dT.*[+-]\d\d:\d\d$/.test(s) ? new Date(s).toISOString() : s),
  'small-letters-capitalised': (s) =>
    /^[a-z]+(?: [a-z]+)+$/.test(s) ? s.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) : s,
  'true-word': specialValue('true', true),
  'false-word': specialValue('false', false),
  'boolean-words-any-case': (s) => (/^(true|false)$/i.test(s) ? /t/i.test(s) : s),
  'yaml-norway': (s) => (/^(no|off|n)$/i.test(s) ? false : s),
  'yaml-yes': (s) => (/^(yes|on|y)$/i.test(s) ? true : s),
  'yaml-tilde': specialValue('~', null),
  'na-word': (s) => (/^n\/a$/i.test(s) ? '' : s),
  'infinity-word': (s) => (/^[+-]?Infinity$/.test(s) ? null : s),
  'test-word': specialValue('test', 'Test Customer'),
  'admin-word': (s) => (s.toLowerCase() === 'admin' ? 'admin_' : s),
  'digits-to-number': (s) => (/^[1-9]\d*$/.test(s) ? Number(s) : s),
  'numeric-check-php': (s) => (s.trim() !== '' && !Number.isNaN(Number(s)) ? Number(s) : s),
  'leading-zeros-lost': (s) => (/^0\d+$/.test(s) ? s.replace(/^0+(?=\d)/, '') : s),
  'exponent-to-number': (s) => (/^\d+e\d+$/i.test(s) ? String(Number(s)) : s),
  'hex-to-number': (s) => (/^0x[0-9a-f]+$/i.test(s) ? String(parseInt(s, 16)) : s),
  'decimal-trailing-zero': (s) => (/^\d+\.\d+$/.test(s) ? String(Number(s)) : s),
  'minus-zero': specialValue('-0', '0'),
  'long-number-precision': (s) => (/^\d{17,}$/.test(s) ? BigInt(Number(s)).toString() : s),
  'excel-date': (s) => (/^\d{4}-\d\d-\d\d$/.test(s) ? s + 'T00:00:00.000Z' : s),
  'json-in-string-parsed': (s) => (/^[[{"]/.test(s) ? JSON.parse(s) : s),
  'empty-object-string': (s) => (s === '{}' || s === '[]' ? JSON.parse(s) : s),
  unquoted: replaced(/^"(.*)"$/s, '$1'),
  'dictionary-prototype-lookup': (s) => ({ hello: 'hallo' } as Record<string, string>)[s] ?? s,
  'proto-dropped': specialValue('__proto__', undefined),
  'formula-guard': (s) => (/^[=+\-@]/.test(s) ? "'" + s : s),
  'equals-only-formula-guard': (s) => (s.startsWith('=') ? "'" + s : s),
  // Escapers, sanitisers and firewalls.
  'html-escape': escapeHtml,
  'html-amp-only': replaced('&', '&amp;'),
  'html-lt-gt-only': (s) => s.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'html-double-quote-only': replaced('"', '&quot;'),
  'html-apostrophe-only': replaced("'", '&#039;'),
  'html-unescape': unescapeHtml,
  'html-numeric-unescape': (s) => s.replace(/&#(\d{1,5});/g, (_, code) => String.fromCharCode(Number(code))),
  'html-nonascii-entities': (s) =>
    s.replace(/[^\x00-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`),
  'strip-tags': removing(/<[^>]*>/g),
  'strip-tags-php-unclosed': removing(/<[a-z!/][^>]*>?/gi),
  'waf-script-tag': removing(/<script/gi),
  'waf-script-element-only': removing(/<script\b[^>]*>.*?<\/script>/gis),
  'waf-javascript-url': removing(/javascript:/gi),
  'waf-event-handler': removing(/\bon(error|load|click)\s*=/gi),
  'waf-html-comment': removing(/<!--.*?-->/gs),
  'waf-sql-keywords': removing(/\b(union\s+select|drop\s+table|insert\s+into|delete\s+from)\b/gi),
  'waf-sql-comment': removing(/--.*$/gm),
  'waf-path-traversal': removing('../'),
  'waf-jndi': removing(/\$\{jndi:[^}]*\}/gi),
  'semicolon-stripped': removing(';'),
  'backtick-stripped': removing('`'),
  addslashes: replaced(/(['"\\\0])/g, '\\$1'),
  stripslashes: replaced(/\\(.?)/gs, '$1'),
  'sql-quote-doubled': replaced("'", "''"),
  'sql-double-apostrophe-halved': replaced("''", "'"),
  'backslash-doubled': replaced('\\', '\\\\'),
  'literal-backslash-n': replaced('\\n', '\n'),
  'literal-unicode-escape-decoded': (s) =>
    s.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  'url-encoded': encodeURIComponent,
  'url-decoded': decodeURIComponent,
  'plus-to-space': replaced('+', ' '),
  nl2br: replaced('\n', '<br />\n'),
  'quotes-stripped': removing(/["']/g),
  'quotes-trimmed': removing(/^["']+|["']+$/g),
  'shell-escape': replaced(/[$`"\\!]/g, '\\$&'),
  'csv-comma': upTo(','),
  'pipe-delimiter': upTo('|'),
  'hash-comment': removing(/ #.*$/s),
  'query-string-ampersand-cut': upTo('&'),
  // Template engines and formatters.
  mustache: (s) => s.replace(/\{\{\s*([\w.*+ ]*)\s*\}\}/g, (_, inner) => (inner === '7*7' ? '49' : '')),
  // As in Go: an expression that is not valid is an error, after which the text is used as it is.
  'go-template': (s) => {
    const rest = s.replaceAll(/\{\{\s*(?:\d+|"[^"]*")\s*\}\}/g, '');
    return rest.includes('{{') ? s : s.replaceAll(/\{\{\s*(\d+|"[^"]*")\s*\}\}/g, '$1');
  },
  'dollar-brace': removing(/\$\{[^}]*\}/g),
  'ruby-hash-brace': removing(/#\{[^}]*\}/g),
  erb: removing(/<%.*?%>/gs),
  'util-format-percent': (s) => format(s, 'x').replace(/ x$/, ''),
  'percent-doubled-halved': replaced('%%', '%'),
  'js-replace-dollar': (s) => '[NAME]'.replace('[NAME]', s),
  'dotnet-format-braces': removing(/\{(\d+)\}/g),
  'python-percent-format': removing(/%\((\w+)\)s/g),
  'emoji-shortcode': (s) => s.replaceAll(':smile:', '😄').replaceAll(':)', '🙂'),
  'smart-quotes': (s) => s.replace(/"([^"]*)"/g, '“$1”').replaceAll("'", '’'),
  'straight-quotes': (s) => s.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
  'em-dash-and-ellipsis': (s) => s.replaceAll('--', '—').replaceAll('...', '…'),
  'dashes-between-words-joined': replaced(/ -- /g, ' \u2014 '),
  'environment-variable-expanded': replaced(/\$\{\w+\}/g, '/root'),
  'blank-lines-collapsed': replaced(/\n{3,}/g, '\n\n'),
  'catalan-l-joined': replaced('l·l', 'll'),
  'quote-or-bullet-removed': replaced(/^(?:[>*#-] )+/, ''),
  'digits-in-groups-as-number': (s) => (/^\d{1,3}(?:[_,]\d{3})+$/.test(s) ? s.replace(/[_,]/g, '') : s),
  'repeated-marks-unified': replaced(/(\p{M})\1+/gu, '$1'),
  'base64-decoded': (s) => {
    const decoded = Buffer.from(s, 'base64');
    return decoded.toString('base64') === s && /^[ -~]{3,}$/.test(decoded.toString())
      ? decoded.toString()
      : s;
  },
  'markdown-stars': replaced(/\*\*?([^*]+)\*\*?/g, '$1'),
  autolink: replaced(/https?:\/\/\S+/g, '<$&>'),
  'card-number-masked': replaced(/\b\d{12}(\d{4})\b/g, '************$1'),
  // Bounded: the services of a proof share one thread.
  'email-in-name-masked': replaced(/\S{1,64}@\S{1,255}\.\S+/g, '[email]'),
  profanity: replaced(/ass/gi, '***'),
  'profanity-whole-words': replaced(/\b(?:dick|damn|crap)\b/gi, '***'),
  'trailing-comma': replaced(/,(?=\s*[}\]])/g, ''),
  'locale-decimal': replaced(/(\d),(\d)/g, '$1.$2'),
  // Case, alphabets and code points.
  lowercase: (s) => s.toLowerCase(),
  uppercase: (s) => s.toUpperCase(),
  ucwords: (s) => s.replace(/(^|\s)[a-z]/g, (start) => start.toUpperCase()),
  'titleize-rest-lower': (s) =>
    s.replace(/\p{L}+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()),
  'all-caps-prettified': (s) => (/^[A-Z ]{2,}$/.test(s) ? s.slice(0, 1) + s.slice(1).toLowerCase() : s),
  'turkish-dotted-i': replaced('İ', 'i'),
  'sharp-s': replaced('ß', 'ss'),
  'diacritics-stripped': (s) =>
    s
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .normalize('NFC'),
  'ascii-only-dropped': removing(/[^\x00-\x7f]/g),
  'ascii-question-mark': replaced(/[^\x00-\x7f]/g, '?'),
  'ascii-question-mark-for-each-byte': (s) =>
    s.replaceAll(/[^\x00-\x7f]/gu, (character) => '?'.repeat(Buffer.byteLength(character))),
  'latin1-question-mark': replaced(/[^\x00-\xff]/gu, '?'),
  'cp1252-c1-mapped': replaced(/[\u0080-\u009f]/g, '?'),
  // As Char8.pack in Haskell.
  'cut-to-8-bits': (s) =>
    Array.from(s, (character) => String.fromCharCode(character.codePointAt(0)! & 0xff)).join(''),
  mojibake: (s) => Buffer.from(s).toString('latin1'),
  nfc: (s) => s.normalize('NFC'),
  nfd: (s) => s.normalize('NFD'),
  nfkc: (s) => s.normalize('NFKC'),
  nfkd: (s) => s.normalize('NFKD'),
  'fullwidth-to-ascii': moved(/[！-～]/g, -0xfee0),
  'arabic-digits-to-ascii': moved(/[٠-٩]/g, 0x30 - 0x660),
  'utf8mb3-question-mark': replaced(/[\u{10000}-\u{10ffff}]/gu, '?'),
  'utf8mb3-cut-at-astral': removing(/[\u{10000}-\u{10ffff}].*$/su),
  'astral-replacement-character': replaced(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  'emoji-stripped': removing(/\p{Extended_Pictographic}/gu),
  'emoji-only-name-emptied': (s) => (/^\p{Extended_Pictographic}+$/u.test(s) ? '' : s),
  'low-code-point-plane-masked': (s) =>
    s.replace(/[\u{10000}-\u{10ffff}]/gu, (character) =>
      String.fromCharCode(character.codePointAt(0)! & 0xffff),
    ),
  'variation-selector-dropped': removing(/\ufe0f/g),
  'zero-width-removed': removing(/[\u200b-\u200d]/g),
  'bidi-controls-removed': removing(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g),
  'soft-hyphen-removed': removing('\u00ad'),
  'bom-removed': removing(/\ufeff/g),
  'private-use-removed': removing(/\p{Co}/gu),
  'noncharacter-replaced': replaced(/[\ufffe\uffff]/g, '\ufffd'),
  'nul-removed': removing('\0'),
  'nul-terminates': upTo('\0'),
  'controls-removed': removing(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g),
  'del-removed': removing('\x7f'),
  'c1-controls-removed': removing(/[\x80-\x9f]/g),
  'escape-sequence-removed': removing('\x1b'),
  'cyrillic-homoglyph-folded': (s) => s.replaceAll('а', 'a').replaceAll('е', 'e'),
  // Lengths.
  ...lengths([32, 50, 64, 100, 128, 191, 255, 256, 500, 1000, 1024, 2000, 4000], '-units'),
  'cut-255-bytes': cutBytes(255),
  'cut-1024-bytes': cutBytes(1024),
  'cut-255-code-points': (s) => Array.from(s).slice(0, 255).join(''),
  'ellipsis-80': (s) => (s.length > 80 ? s.slice(0, 77) + '...' : s),
  'cut-middle-200': (s) => (s.length > 200 ? s.slice(0, 100) + s.slice(-100) : s),
  'exactly-255-loses-last': (s) => (s.length === 255 ? s.slice(0, -1) : s),
  'exactly-256-loses-last': (s) => (s.length === 256 ? s.slice(0, -1) : s),
  'one-character-doubled': (s) => (s.length === 1 ? s + s : s),
  'words-over-30-broken': replaced(/\S{30}(?=\S)/g, '$& '),
  'first-word-last-word': replaced(/^(\S+) .* (\S+)$/s, '$1 $2'),
  'last-first-order': replaced(/^([^,]+), (.+)$/s, '$2 $1'),
};

export const names = textFaults('name', changes);

/** Replaces single characters. */
const mapped =
  (table: Readonly<Record<string, string>>): TextChange =>
  (text) =>
    Array.from(text, (character) => table[character] ?? character).join('');

/** How search engines, input methods and cleaners unify letters, and what they remove at the ends. */
const scriptChanges: Readonly<Record<string, TextChange>> = {
  // Letters of other scripts than Latin.
  'greek-final-sigma': replaced('ς', 'σ'),
  'cyrillic-yo': mapped({ ё: 'е', Ё: 'Е' }),
  'arabic-yeh-and-kaf': mapped({ ي: 'ی', ى: 'ی', ك: 'ک' }),
  'arabic-alef': mapped({ أ: 'ا', إ: 'ا', آ: 'ا' }),
  'arabic-tatweel': removing('\u0640'),
  'hebrew-final-letters': mapped({ ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }),
  'thai-am-composed': replaced('\u0e4d\u0e32', '\u0e33'),
  'malayalam-chillu-composed': replaced('\u0d28\u0d4d\u200d', '\u0d7b'),
  'hebrew-points': removing(/[\u0591-\u05c7]/g),
  'hiragana-to-katakana': moved(/[\u3041-\u3096]/g, 0x60),
  'traditional-to-simplified': mapped({ 國: '国', 張: '张', 陳: '陈', 劉: '刘', 體: '体', 龍: '龙' }),
  'hangul-to-jamo': (s) => s.replace(/[\uac00-\ud7a3]/g, (syllable) => syllable.normalize('NFD')),
  'persian-digits': moved(/[\u06f0-\u06f9]/g, 0x30 - 0x6f0),
  'devanagari-digits': moved(/[\u0966-\u096f]/g, 0x30 - 0x966),
  'georgian-mtavruli': moved(/[\u1c90-\u1cba]/g, 0x10d0 - 0x1c90),
  'not-latin-lower-case': (s) => s.replace(/[\p{Lu}--\p{Script=Latin}]/gv, (c) => c.toLowerCase()),
  // Pieces at one end only.
  'null-at-the-end': removing(/ (?:null|undefined)$/),
  'title-at-the-start': removing(/^(?:Mr|Mrs|Ms|Dr)\.? /),
  'full-stop-at-the-end': removing(/\.$/),
  'comma-at-the-end': removing(/[,;]+$/),
  'backslash-at-the-end': removing(/\\$/),
  'percent-at-the-end': removing(/%$/),
  'apostrophe-at-the-start': removing(/^'/),
  'hyphens-at-the-start': removing(/^-+/),
  'byte-order-mark-at-the-start': removing(/^\ufeff/),
  'combining-mark-at-the-start': removing(/^\p{M}+/u),
  'joiner-at-the-end': removing(/\u200d$/),
  'entity-without-semicolon': replaced(/&(?:amp|lt|gt)(?![;\w])/g, '&'),
};

/** Shows only for letters of some scripts, or for a piece of text at one end. */
export const scripts = textFaults('name', scriptChanges);

/** Accepts names of certain characters only, and not too long ones, and changes those. */
const strict = (most: number, accepted: RegExp, change: TextChange) => () =>
  combined(
    acceptingOnly(({ name }) => [...name].length <= most && accepted.test(name), 422)(),
    onName(change)(),
  );

const ANY = /^/;
const LETTERS = /^\p{L}[\p{L}\p{M} .'’-]*$/u;
const LATIN = /^\p{Script=Latin}[\p{Script=Latin}\p{M} .'’-]*$/u;

/** Shows only for names that a strict validator accepts: those that people have. */
export const strictNames = faultsOf('4.1: name equals the submitted name', ['customer.name.echoed'])({
  'strict-apostrophe-escaped': strict(60, LETTERS, replaced("'", '&#39;')),
  'strict-typographic-apostrophe': strict(100, LETTERS, replaced('’', "'")),
  'strict-second-part-lower-case': strict(60, LETTERS, (s) => s.replace(/-\p{Lu}/gu, (c) => c.toLowerCase())),
  'strict-mc-unified': strict(50, LETTERS, (s) => s.replace(/\bMcD/g, 'Mcd')),
  'strict-initials-without-stops': strict(60, LETTERS, (s) => s.replace(/\b(\p{Lu})\. /gu, '$1 ')),
  'strict-umlauts-spelled-out': strict(40, LATIN, mapped({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })),
  'strict-not-in-latin-1': strict(40, LATIN, (s) => s.replace(/[^\p{ASCII}\u00a0-\u00ff]/gu, '?')),
  'strict-horn-lost': strict(60, LETTERS, mapped({ ơ: 'o', ư: 'u', Ơ: 'O', Ư: 'U' })),
  'strict-cyrillic-yo': strict(60, LETTERS, mapped({ ё: 'е', Ё: 'Е' })),
  'strict-greek-tonos-lost': strict(
    60,
    LETTERS,
    mapped({ ά: 'α', έ: 'ε', ή: 'η', ί: 'ι', ό: 'ο', ύ: 'υ', ώ: 'ω' }),
  ),
  // Changes to what is accepted only in short names, or in names of some characters.
  'strict-40-and-entity-decoded': strict(40, ANY, replaced('&amp;', '&')),
  'strict-30-and-emoji-lost': strict(30, ANY, removing(/\p{Extended_Pictographic}/gu)),
  'strict-ascii-and-percent-decoded': strict(60, /^[ -~]*$/, replaced('%41', 'A')),
  'strict-signs-and-hash-lost': strict(60, /^[^<>{}$%;"\\]*$/, removing('#')),
  'strict-latin-1-and-ring-lost': strict(60, /^[A-Za-zÀ-ÖØ-öø-ÿ '-]*$/, mapped({ å: 'aa', Å: 'Aa' })),
  'strict-50-and-cut-at-45': strict(50, LETTERS, cut(45)),
  'strict-57-and-last-character-lost': strict(57, LETTERS, (s) =>
    [...s].length === 57 ? s.slice(0, -1) : s,
  ),
  'strict-50-and-cut-at-100-bytes': strict(50, LETTERS, cutBytes(100)),
});

import { domainToASCII, domainToUnicode } from 'node:url';
import { format } from 'node:util';
import {
  cut,
  escapeHtml,
  lengths,
  replaced,
  specialValue,
  textFaults,
  upTo,
  removing,
} from './text-changes.ts';
import type { TextChange } from './text-changes.ts';
import { acceptingOnly, combined, onEmail } from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';

/** Changes what follows the last @. */
const domain =
  (change: (text: string) => string): TextChange =>
  (email) =>
    email.replace(/(?<=@)[^@]*$/, change);

/** Changes what precedes the last @. */
const local =
  (change: (text: string) => string): TextChange =>
  (email) =>
    email.replace(/^.*(?=@)/s, change);

/** How back ends change email addresses. */
const changes: Readonly<Record<string, TextChange>> = {
  // Case and white space.
  lowercase: (s) => s.toLowerCase(),
  'lowercase-local-only': local((text) => text.toLowerCase()),
  // As keyboards of phones begin a text.
  'capital-at-the-start-only-lost': (s) => s.replace(/^[A-Z](?=[a-z\d]+@)/, (letter) => letter.toLowerCase()),
  'lowercase-domain-only': domain((text) => text.toLowerCase()),
  uppercase: (s) => s.toUpperCase(),
  trim: (s) => s.trim(),
  'trim-end-newline': removing(/\n$/),
  // Parts of the local part.
  'plus-tag-removed': replaced(/\+[^@]*@/, '@'),
  'smart-punctuation-undone': (s) => s.replaceAll('’', "'").replaceAll('–', '-'),
  'directions-removed': removing(/[\u200E\u202A-\u202E]/g),
  'separator-at-the-end-removed': removing(/[;,]$/),
  'plus-to-space': replaced('+', ' '),
  'dots-removed': removing(/\.(?=[^@]*@)/g),
  'dash-at-the-end-removed': replaced(/-+(?=@)/, ''),
  'dash-tag-removed': replaced(/-[^@]*@/, '@'),
  'dash-tag-of-one-word-removed': replaced(/^([a-z]+)-[a-z]+@/i, '$1@'),
  'url-decoded': decodeURIComponent,
  'url-encoded': encodeURIComponent,
  // Special characters of other formats.
  'html-escape': escapeHtml,
  'html-apostrophe-only': replaced("'", '&#x27;'),
  'html-amp-only': replaced('&', '&amp;'),
  'sql-quote-doubled': replaced("'", "''"),
  'apostrophe-stripped': removing("'"),
  'backtick-stripped': removing('`'),
  'php-filter-sanitize-email': removing(/[^a-z0-9!#$%&'*+/=?^_`{|}~@.[\]-]/gi),
  'slash-stripped': removing('/'),
  'pipe-stripped': removing('|'),
  'question-mark-cut': upTo('?'),
  'hash-cut': upTo('#'),
  'dollar-template': (s) => '[M]'.replace('[M]', s),
  'dollar-dropped': removing(/\$\w+/g),
  mustache: removing(/\{\{.*?\}\}/g),
  'brace-stripped': removing(/[{}]/g),
  'util-format-percent': (s) => format(s, 'x').replace(/ x$/, ''),
  'tilde-to-home': replaced(/^~/, '/home/user'),
  'star-wildcard-escaped': replaced('*', '\\*'),
  'caret-stripped': removing('^'),
  'equals-mime-decoded': (s) =>
    s.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  'underscore-to-dash': replaced('_', '-'),
  'markdown-underscores': replaced(/_([^_]+)_/g, '$1'),
  // Special mailboxes.
  'leading-zero-local': removing(/^0+/),
  'numeric-local-exponent': (s) => s.replace(/^(\d+e\d+)@/i, (_, local) => `${Number(local)}@`),
  'null-local': (s) => (/^null@/i.test(s) ? null : s),
  'postmaster-replaced': (s) => (/^(postmaster|abuse|noreply)@/i.test(s) ? 'redacted@example.com' : s),
  'test-mode-redirect': (s) => (/^test/i.test(s) ? 'sandbox@example.com' : s),
  masked: replaced(/^(.)[^@]*@/, '$1***@'),
  // Lengths.
  ...lengths([30, 64, 100, 128, 191], ''),
  'local-part-cut-32': replaced(/^([^@]{32})[^@]*@/, '$1@'),
  // Grammar and domains.
  'quoted-local-unquoted': replaced(/^"([^"]*)"@/, '$1@'),
  'comment-removed': removing(/\([^)]*\)/g),
  'display-name-unwrapped': replaced(/^.*<([^>]*)>$/s, '$1'),
  'subdomain-dropped': replaced(/@.*?([^.]+\.[^.]+)$/s, '@$1'),
  'www-dropped': replaced('@www.', '@'),
  'trailing-dot-dropped': removing(/\.$/),
  'idn-to-ascii': (s) =>
    s.replace(/(?<=@)[^@]*[^\x00-\x7f][^@]*$/, (domain) => new URL(`http://${domain}`).hostname),
  'ascii-folded': (s) => s.normalize('NFD').replace(/[^\x00-\x7f]/g, ''),
  nfc: (s) => s.normalize('NFC'),
  'mailto-added': (s) => 'mailto:' + s,
  'last-at-split': (s) => s.split('@').slice(0, 2).join('@'),
  'empty-to-null': specialValue('', null),
  'double-dot-collapsed': replaced(/\.{2,}/g, '.'),
  'bang-path': removing(/^.*!/s),
};

export const emails = textFaults('email', changes);

/** How mail libraries, validators and directories change addresses. */
const mailboxChanges: Readonly<Record<string, TextChange>> = {
  // Lengths of RFC 5321, section 4.5.3.1, and of columns made for them.
  'local-part-cut-at-64': replaced(/^([^@]{64})[^@]*@/, '$1@'),
  'label-cut-at-63': domain((text) =>
    text
      .split('.')
      .map((label) => label.slice(0, 63))
      .join('.'),
  ),
  'cut-at-254': cut(254),
  'cut-at-256': cut(256),
  'cut-at-320': cut(320),
  // Quoted local parts and address literals.
  'quoted-pair-decoded': (s) => s.replace(/^".*"(?=@)/s, (local) => local.replace(/\\(.)/gs, '$1')),
  'quoted-space-lost': (s) => s.replace(/^".*"(?=@)/s, (local) => local.replaceAll(' ', '')),
  'needless-quotes-dropped': replaced(/^"([\w.]+)"@/, '$1@'),
  'literal-brackets-dropped': replaced(/@\[([^\]]*)\]$/, '@$1'),
  'literal-in-lower-case': domain((text) => (text.startsWith('[') ? text.toLowerCase() : text)),
  // Internationalised domains and local parts.
  'punycode-decoded': domain((text) => (text.includes('xn--') ? domainToUnicode(text) : text)),
  'ideographic-full-stop': domain((text) => text.replaceAll('\u3002', '.')),
  'domain-mapped-by-uts-46': domain((text) =>
    /[^\x00-\x7f]/.test(text) ? domainToUnicode(domainToASCII(text)) || text : text,
  ),
  // As email-validator returns it, and pydantic with it.
  'normalised-by-validator': (s) =>
    s
      .trim()
      .replace(/^[^<]*<(.*)>$/s, '$1')
      .replace(/^.*(?=@)/s, (text) => text.normalize('NFC'))
      .replace(/(?<=@)[^@[]*$/, (text) => domainToUnicode(domainToASCII(text)) || text),
  'domain-sharp-s': domain((text) => text.replaceAll('ß', 'ss')),
  'domain-final-sigma': domain((text) => text.replaceAll('ς', 'σ')),
  'local-part-nfkc': local((text) => text.normalize('NFKC')),
  'local-part-not-ascii-lower-case': local((text) => (/[^\x00-\x7f]/.test(text) ? text.toLowerCase() : text)),
  // Helpful corrections and old routes.
  'misspelt-provider-corrected': domain((text) => text.replace(/^(?:gmial|gamil|gmai)\./, 'gmail.')),
  'percent-route-resolved': replaced(/^([^@%]+)%([^@%]+)@.*$/, '$1@$2'),
  'returned-path-resolved': replaced(/^[^@=+]+\+([^@=+]+)=([^@=]+)@.*$/, '$1@$2'),
  'last-tag-removed-of-two': replaced(/^([^@+]+\+[^@+]+)\+[^@]*@/, '$1@'),
  'hyphens-at-the-ends-of-labels': domain((text) => text.replace(/-+(?=\.|$)/g, '')),
  'underscore-in-domain-lost': domain((text) => text.replaceAll('_', '')),
  'space-before-at-lost': removing(/\s+(?=@)/g),
};

export const mailboxes = textFaults('email', mailboxChanges);

/** Accepts addresses of a certain form only, and not too long ones, and changes those. */
const strict = (most: number, accepted: RegExp, change: TextChange) => () =>
  combined(
    acceptingOnly(({ email }) => email.length <= most && accepted.test(email), 422)(),
    onEmail(change)(),
  );

const SIMPLE = /^[\w.+-]+@[a-z\d.-]+\.[a-z]+$/i;

/** Shows only for addresses that a strict validator accepts. */
export const strictEmails = faultsOf('4.1: email equals the submitted email', ['customer.email.echoed'])({
  'strict-email-dots-lost': strict(
    254,
    /^[a-z\d]+(?:[._-][a-z\d]+)*@example\.com$/,
    local((text) => text.replaceAll('.', '')),
  ),
  'strict-email-tag-lost': strict(254, /^[a-z\d.+]+@[a-z\d.]+$/, replaced(/\+[^@]*/, '')),
  'strict-email-top-level-domain-in-lower-case': strict(100, SIMPLE, (email) =>
    email.replace(/\.[A-Z]+$/, (end) => end.toLowerCase()),
  ),
  'strict-email-50-and-cut-at-45': strict(50, SIMPLE, cut(45)),
  'strict-email-64-and-last-character-lost': strict(64, SIMPLE, (s) =>
    s.length === 64 ? s.slice(0, -1) : s,
  ),
  'strict-email-local-part-cut-at-30': strict(
    50,
    SIMPLE,
    local((text) => text.slice(0, 30)),
  ),
});

import { domainToASCII, domainToUnicode } from 'node:url';
import { replaced, textFaults, without } from './text-changes.ts';
import type { TextChange } from './text-changes.ts';

/** Changes what follows the last @. */
const domain =
  (change: (text: string) => string): TextChange =>
  (email) =>
    email.replace(/(?<=@)[^@]*$/, change);

/** How mail libraries, validators and directories change addresses. */
const changes: Readonly<Record<string, TextChange>> = {
  // Lengths of RFC 5321, section 4.5.3.1, and of columns made for them.
  'local-part-cut-at-64': replaced(/^([^@]{64})[^@]*@/, '$1@'),
  'label-cut-at-63': domain((text) =>
    text
      .split('.')
      .map((label) => label.slice(0, 63))
      .join('.'),
  ),
  'cut-at-254': (s) => s.slice(0, 254),
  'cut-at-256': (s) => s.slice(0, 256),
  'cut-at-320': (s) => s.slice(0, 320),
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
  'domain-sharp-s': domain((text) => text.replaceAll('ß', 'ss')),
  'domain-final-sigma': domain((text) => text.replaceAll('ς', 'σ')),
  'local-part-nfkc': (s) => s.replace(/^.*(?=@)/s, (local) => local.normalize('NFKC')),
  'local-part-not-ascii-lower-case': (s) =>
    s.replace(/^.*(?=@)/s, (local) => (/[^\x00-\x7f]/.test(local) ? local.toLowerCase() : local)),
  // Helpful corrections and old routes.
  'misspelt-provider-corrected': domain((text) => text.replace(/^(?:gmial|gamil|gmai)\./, 'gmail.')),
  'percent-route-resolved': replaced(/^([^@%]+)%([^@%]+)@.*$/, '$1@$2'),
  'returned-path-resolved': replaced(/^[^@=+]+\+([^@=+]+)=([^@=]+)@.*$/, '$1@$2'),
  'last-tag-removed-of-two': replaced(/^([^@+]+\+[^@+]+)\+[^@]*@/, '$1@'),
  'hyphens-at-the-ends-of-labels': domain((text) => text.replace(/-+(?=\.|$)/g, '')),
  'underscore-in-domain-lost': domain((text) => text.replaceAll('_', '')),
  'space-before-at-lost': without(/\s+(?=@)/g),
};

export const mailboxes = textFaults('email', changes);

import { createHash } from 'node:crypto';
import { closingOnRejected, combined } from '../../changes.ts';
import { faultsOf } from '../../fault-or-variant.ts';
import { acceptsAuthorization, acceptsCredential, idsForBoth } from './key-checks.ts';

/** The credential is compared with the key incorrectly. */
export const comparisons = [
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsForBoth('key.exact'),
  )({
    'auth-any-key': acceptsCredential(() => true),
    'auth-prefix-only': acceptsCredential((given) => given.startsWith('sk_test_')),
    'auth-sk-prefix-only': acceptsCredential((given) => given.startsWith('sk_')),
    'auth-shape-only': acceptsCredential((given) => /^sk_test_[\w-]{24}$/.test(given)),
    'auth-prefix-and-any-16-characters': acceptsCredential((given) => /^sk_test_[\w-]{16,}$/.test(given)),
    'auth-length-only': acceptsCredential((given, key) => given.length === key.length),
    'auth-prefix-and-length': acceptsCredential(
      (given, key) => given.length === key.length && given.startsWith('sk_test_'),
    ),
    'auth-first-16': acceptsCredential((given, key) => given.slice(0, 16) === key.slice(0, 16)),
    'auth-first-24': acceptsCredential((given, key) => given.slice(0, 24) === key.slice(0, 24)),
    'auth-last-character-ignored': acceptsCredential((given, key) => given.slice(0, -1) === key.slice(0, -1)),
    // Two characters of Base64 are one byte and four more bits, which are ignored.
    'auth-key-compared-as-decoded-bytes': acceptsCredential(
      (given, key) =>
        given.slice(0, -2) === key.slice(0, -2) &&
        Buffer.from(given.slice(-2), 'base64url').equals(Buffer.from(key.slice(-2), 'base64url')),
    ),
    'auth-key-behind-a-separator': acceptsCredential((given, key) => given.split(/[:|]/).at(-1) === key),
    'auth-first-character-ignored': acceptsCredential((given, key) => given.slice(1) === key.slice(1)),
    'auth-last-4-only': acceptsCredential((given, key) => given.slice(-4) === key.slice(-4)),
    'auth-last-8-only': acceptsCredential((given, key) => given.slice(-8) === key.slice(-8)),
    'auth-middle-ignored': acceptsCredential(
      (given, key) =>
        given.length === key.length &&
        given.slice(0, 14) === key.slice(0, 14) &&
        given.slice(-6) === key.slice(-6),
    ),
    // A loop that compares all characters keeps the result of the last one alone.
    'auth-length-and-last-character': acceptsCredential(
      (given, key) => given.length === key.length && given.at(-1) === key.at(-1),
    ),
    'auth-one-character-may-differ': acceptsCredential(
      (given, key) =>
        given.length === key.length && given.split('').filter((c, i) => c !== key[i]).length <= 1,
    ),
    'auth-case-insensitive': acceptsCredential((given, key) => given.toLowerCase() === key.toLowerCase()),
    'auth-unchecked-after-lower-case-scheme': acceptsAuthorization((header) =>
      /^bearer \S/.test(header ?? ''),
    ),
    // It closes the connection for all other wrong keys.
    'auth-case-insensitive-connection-close': () =>
      combined(
        acceptsCredential((given, key) => given.toLowerCase() === key.toLowerCase())(),
        closingOnRejected('credential')(),
      ),
    'auth-placeholder-of-the-document': acceptsCredential((given) => given === '<API_KEY>'),
    // As if an object were the list of keys, whose prototype has members too.
    'auth-members-of-the-prototype': acceptsCredential((given) => given in {}),
    'auth-compatibility-forms-accepted': acceptsCredential(
      (given, key) => given.normalize('NFKC') === key.normalize('NFKC'),
    ),
    'auth-upper-case-accepted': acceptsCredential((given, key) => given === key.toUpperCase()),
    'auth-lower-case-accepted': acceptsCredential((given, key) => given === key.toLowerCase()),
    'auth-mysql-collation': acceptsCredential(
      (given, key) => given.toLowerCase().trimEnd() === key.toLowerCase(),
    ),
    'auth-prefix-case-insensitive': acceptsCredential(
      (given, key) => given.slice(0, 8).toLowerCase() === 'sk_test_' && given.slice(8) === key.slice(8),
    ),
    'auth-case-insensitive-after-prefix': acceptsCredential(
      (given, key) => given.startsWith('sk_test_') && given.toLowerCase() === key.toLowerCase(),
    ),
    'auth-key-starts-with-credential': acceptsCredential((given, key) => key.startsWith(given)),
    'auth-key-starts-with-credential-of-12': acceptsCredential(
      (given, key) => given.length >= 12 && key.startsWith(given),
    ),
    'auth-credential-starts-with-key': acceptsCredential((given, key) => given.startsWith(key)),
    'auth-credential-starts-with-key-in-any-case': acceptsCredential((given, key) =>
      given.toLowerCase().startsWith(key.toLowerCase()),
    ),
    'auth-credential-ends-with-key': acceptsCredential((given, key) => given.endsWith(key)),
    'auth-credential-includes-key': acceptsCredential((given, key) => given.includes(key)),
    'auth-key-includes-credential': acceptsCredential((given, key) => key.includes(given)),
    'auth-secret-part-only': acceptsCredential(
      (given, key) => given.replace(/^[a-z]+_[a-z]+_/, '') === key.slice(8),
    ),
    'auth-last-part-only': acceptsCredential(
      (given, key) => given.split('_').at(-1) === key.split('_').at(-1),
    ),
    // As lstrip in Python, which takes a set of characters.
    'auth-letters-of-prefix-stripped': acceptsCredential(
      (given, key) => given.replace(/^[skte_]+/, '') === key.replace(/^[skte_]+/, ''),
    ),
    'auth-live-for-test': acceptsCredential((given, key) => given === key.replace('sk_test_', 'sk_live_')),
    'auth-publishable-for-secret': acceptsCredential((given, key) => given === key.replace('sk_', 'pk_')),
    'auth-signs-ignored': acceptsCredential(
      (given, key) => given.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, ''),
    ),
    'auth-every-bearer-removed': acceptsAuthorization(
      (header, key) => (header?.startsWith('Bearer ') ?? false) && header!.replaceAll('Bearer ', '') === key,
    ),
    'auth-quotes-stripped': acceptsCredential((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
    'auth-trailing-punctuation-stripped': acceptsCredential(
      (given, key) => given.replace(/[.,;]+$/, '') === key,
    ),
    'auth-url-decoded': acceptsCredential((given, key) => {
      try {
        return decodeURIComponent(given) === key;
      } catch {
        return false;
      }
    }),
    'auth-hash-accepted': acceptsCredential(
      (given, key) => given === createHash('sha256').update(key).digest('hex'),
    ),
    'auth-default-passwords': acceptsCredential((given) => ['test', 'admin', 'demo'].includes(given)),
    'auth-base64-accepted': acceptsCredential(
      (given, key) => Buffer.from(given, 'base64').toString() === key,
    ),
    'auth-weak-checksum': acceptsCredential((given, key) => {
      const sum = (text: string): number => Buffer.from(text).reduce((total, byte) => total + byte, 0);
      return sum(given) === sum(key);
    }),
    'auth-anagram': acceptsCredential((given, key) => {
      const sorted = (text: string): string => text.split('').toSorted().join('');
      return sorted(given) === sorted(key);
    }),
    'auth-sql-like-wildcard': acceptsCredential(
      (given, key) =>
        given.includes('%') &&
        new RegExp(`^${given.replace(/[^\w%]/g, '.').replaceAll('%', '.*')}$`).test(key),
    ),
    'auth-sql-injection': acceptsCredential((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
    'auth-underscore-is-wildcard': acceptsCredential((given, key) =>
      new RegExp(`^${key.replaceAll('_', '.')}$`).test(given),
    ),
    'auth-word-undefined': acceptsCredential((given) => given === 'undefined'),
    'auth-word-null': acceptsCredential((given) => given === 'null'),
    'auth-word-none': acceptsCredential((given) => given === 'None'),
    'auth-padding-ignored': acceptsCredential((given, key) => given.replace(/=+$/, '') === key),
    'auth-unissued-token-accepted': acceptsCredential((given) => given.startsWith('tok_')),
    'auth-unsigned-jwt-accepted': acceptsCredential(
      (given) => given.startsWith('eyJ') && given.split('.').length === 3,
    ),
    'auth-white-space-in-key-removed': acceptsAuthorization(
      (header, key) => /^bearer (.+)$/i.exec(header ?? '')?.[1]?.replace(/\s+/g, '') === key,
    ),
    'auth-comma-list-any': acceptsCredential((given, key) => given.split(',').includes(key)),
    'auth-key-as-pattern': acceptsCredential((given, key) => {
      try {
        return given.startsWith('sk_') && new RegExp(`^${given}$`).test(key);
      } catch {
        return false;
      }
    }),
    'auth-key-over-4096-accepted': acceptsCredential((given) => given.length > 4096),
    'auth-short-key-accepted': acceptsCredential((given) => given.length < 8),
    'auth-very-long-key-accepted': acceptsCredential((given) => given.length > 200),
  }),
];

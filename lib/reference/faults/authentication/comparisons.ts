import { faultsOf } from '../fault.ts';
import type { Fault } from '../fault.ts';
import { comparing, onBoth, kind } from './ways.ts';

/** The credential is compared with the key in a wrong way. */
export const comparisons: readonly Fault[] = [
  ...faultsOf(kind('5.2: the credential is the static key', ...onBoth('key.exact')), {
    'auth-any-key': comparing(() => true),
    'auth-prefix-only': comparing((given) => given.startsWith('sk_test_')),
    'auth-sk-prefix-only': comparing((given) => given.startsWith('sk_')),
    'auth-shape-only': comparing((given) => /^sk_test_[\w-]{24}$/.test(given)),
    'auth-length-only': comparing((given, key) => given.length === key.length),
    'auth-prefix-and-length': comparing(
      (given, key) => given.length === key.length && given.startsWith('sk_test_'),
    ),
    'auth-first-16': comparing((given, key) => given.slice(0, 16) === key.slice(0, 16)),
    'auth-first-24': comparing((given, key) => given.slice(0, 24) === key.slice(0, 24)),
    'auth-last-character-ignored': comparing((given, key) => given.slice(0, -1) === key.slice(0, -1)),
    'auth-first-character-ignored': comparing((given, key) => given.slice(1) === key.slice(1)),
    'auth-last-4-only': comparing((given, key) => given.slice(-4) === key.slice(-4)),
    'auth-last-8-only': comparing((given, key) => given.slice(-8) === key.slice(-8)),
    'auth-middle-ignored': comparing(
      (given, key) =>
        given.length === key.length &&
        given.slice(0, 14) === key.slice(0, 14) &&
        given.slice(-6) === key.slice(-6),
    ),
    'auth-one-character-may-differ': comparing(
      (given, key) =>
        given.length === key.length && given.split('').filter((c, i) => c !== key[i]).length <= 1,
    ),
    'auth-case-insensitive': comparing((given, key) => given.toLowerCase() === key.toLowerCase()),
    'auth-upper-case-accepted': comparing((given, key) => given === key.toUpperCase()),
    'auth-lower-case-accepted': comparing((given, key) => given === key.toLowerCase()),
    'auth-mysql-collation': comparing((given, key) => given.toLowerCase().trimEnd() === key.toLowerCase()),
    'auth-prefix-case-insensitive': comparing(
      (given, key) => given.slice(0, 8).toLowerCase() === 'sk_test_' && given.slice(8) === key.slice(8),
    ),
    'auth-key-starts-with-credential': comparing((given, key) => key.startsWith(given)),
    'auth-key-starts-with-credential-of-12': comparing(
      (given, key) => given.length >= 12 && key.startsWith(given),
    ),
    'auth-credential-starts-with-key': comparing((given, key) => given.startsWith(key)),
    'auth-credential-ends-with-key': comparing((given, key) => given.endsWith(key)),
    'auth-credential-includes-key': comparing((given, key) => given.includes(key)),
    'auth-key-includes-credential': comparing((given, key) => key.includes(given)),
    'auth-secret-part-only': comparing((given, key) => given.replace(/^[a-z]+_[a-z]+_/, '') === key.slice(8)),
    'auth-live-for-test': comparing((given, key) => given === key.replace('sk_test_', 'sk_live_')),
    'auth-publishable-for-secret': comparing((given, key) => given === key.replace('sk_', 'pk_')),
    'auth-signs-ignored': comparing(
      (given, key) => given.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, ''),
    ),
    'auth-quotes-stripped': comparing((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
    'auth-trailing-punctuation-stripped': comparing((given, key) => given.replace(/[.,;]+$/, '') === key),
    'auth-url-decoded': comparing((given, key) => {
      try {
        return decodeURIComponent(given) === key;
      } catch {
        return false;
      }
    }),
    'auth-base64-accepted': comparing((given, key) => Buffer.from(given, 'base64').toString() === key),
    'auth-weak-checksum': comparing((given, key) => {
      const sum = (text: string): number => Buffer.from(text).reduce((total, byte) => total + byte, 0);
      return sum(given) === sum(key);
    }),
    'auth-anagram': comparing((given, key) => {
      const sorted = (text: string): string => text.split('').toSorted().join('');
      return sorted(given) === sorted(key);
    }),
    'auth-sql-like-wildcard': comparing(
      (given, key) =>
        given.includes('%') &&
        new RegExp(`^${given.replace(/[^\w%]/g, '.').replaceAll('%', '.*')}$`).test(key),
    ),
    'auth-sql-injection': comparing((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
    'auth-underscore-is-wildcard': comparing((given, key) =>
      new RegExp(`^${key.replaceAll('_', '.')}$`).test(given),
    ),
    'auth-word-undefined': comparing((given) => given === 'undefined'),
    'auth-word-null': comparing((given) => given === 'null'),
    'auth-forged-token-accepted': comparing((given) => given.startsWith('tok_')),
    'auth-unsigned-jwt-accepted': comparing(
      (given) => given.startsWith('eyJ') && given.split('.').length === 3,
    ),
    'auth-comma-list-any': comparing((given, key) => given.split(',').includes(key)),
    'auth-short-key-accepted': comparing((given) => given.length < 8),
    'auth-very-long-key-accepted': comparing((given) => given.length > 200),
  }),
];

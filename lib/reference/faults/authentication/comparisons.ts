import { faultsOf } from '../fault.ts';
import type { Fault } from '../fault.ts';
import { acceptsKey, onBoth, kind } from './checks.ts';

/** The credential is compared with the key incorrectly. */
export const comparisons: readonly Fault[] = [
  ...faultsOf(kind('5.2: only the exact static key is accepted', ...onBoth('key.exact')), {
    'auth-any-key': acceptsKey(() => true),
    'auth-prefix-only': acceptsKey((given) => given.startsWith('sk_test_')),
    'auth-sk-prefix-only': acceptsKey((given) => given.startsWith('sk_')),
    'auth-shape-only': acceptsKey((given) => /^sk_test_[\w-]{24}$/.test(given)),
    'auth-length-only': acceptsKey((given, key) => given.length === key.length),
    'auth-prefix-and-length': acceptsKey(
      (given, key) => given.length === key.length && given.startsWith('sk_test_'),
    ),
    'auth-first-16': acceptsKey((given, key) => given.slice(0, 16) === key.slice(0, 16)),
    'auth-first-24': acceptsKey((given, key) => given.slice(0, 24) === key.slice(0, 24)),
    'auth-last-character-ignored': acceptsKey((given, key) => given.slice(0, -1) === key.slice(0, -1)),
    'auth-first-character-ignored': acceptsKey((given, key) => given.slice(1) === key.slice(1)),
    'auth-last-4-only': acceptsKey((given, key) => given.slice(-4) === key.slice(-4)),
    'auth-last-8-only': acceptsKey((given, key) => given.slice(-8) === key.slice(-8)),
    'auth-middle-ignored': acceptsKey(
      (given, key) =>
        given.length === key.length &&
        given.slice(0, 14) === key.slice(0, 14) &&
        given.slice(-6) === key.slice(-6),
    ),
    'auth-one-character-may-differ': acceptsKey(
      (given, key) =>
        given.length === key.length && given.split('').filter((c, i) => c !== key[i]).length <= 1,
    ),
    'auth-case-insensitive': acceptsKey((given, key) => given.toLowerCase() === key.toLowerCase()),
    'auth-upper-case-accepted': acceptsKey((given, key) => given === key.toUpperCase()),
    'auth-lower-case-accepted': acceptsKey((given, key) => given === key.toLowerCase()),
    'auth-mysql-collation': acceptsKey((given, key) => given.toLowerCase().trimEnd() === key.toLowerCase()),
    'auth-prefix-case-insensitive': acceptsKey(
      (given, key) => given.slice(0, 8).toLowerCase() === 'sk_test_' && given.slice(8) === key.slice(8),
    ),
    'auth-key-starts-with-credential': acceptsKey((given, key) => key.startsWith(given)),
    'auth-key-starts-with-credential-of-12': acceptsKey(
      (given, key) => given.length >= 12 && key.startsWith(given),
    ),
    'auth-credential-starts-with-key': acceptsKey((given, key) => given.startsWith(key)),
    'auth-credential-ends-with-key': acceptsKey((given, key) => given.endsWith(key)),
    'auth-credential-includes-key': acceptsKey((given, key) => given.includes(key)),
    'auth-key-includes-credential': acceptsKey((given, key) => key.includes(given)),
    'auth-secret-part-only': acceptsKey(
      (given, key) => given.replace(/^[a-z]+_[a-z]+_/, '') === key.slice(8),
    ),
    'auth-live-for-test': acceptsKey((given, key) => given === key.replace('sk_test_', 'sk_live_')),
    'auth-publishable-for-secret': acceptsKey((given, key) => given === key.replace('sk_', 'pk_')),
    'auth-signs-ignored': acceptsKey(
      (given, key) => given.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, ''),
    ),
    'auth-quotes-stripped': acceptsKey((given, key) => given.replace(/^"(.*)"$/, '$1') === key),
    'auth-trailing-punctuation-stripped': acceptsKey((given, key) => given.replace(/[.,;]+$/, '') === key),
    'auth-url-decoded': acceptsKey((given, key) => {
      try {
        return decodeURIComponent(given) === key;
      } catch {
        return false;
      }
    }),
    'auth-base64-accepted': acceptsKey((given, key) => Buffer.from(given, 'base64').toString() === key),
    'auth-weak-checksum': acceptsKey((given, key) => {
      const sum = (text: string): number => Buffer.from(text).reduce((total, byte) => total + byte, 0);
      return sum(given) === sum(key);
    }),
    'auth-anagram': acceptsKey((given, key) => {
      const sorted = (text: string): string => text.split('').toSorted().join('');
      return sorted(given) === sorted(key);
    }),
    'auth-sql-like-wildcard': acceptsKey(
      (given, key) =>
        given.includes('%') &&
        new RegExp(`^${given.replace(/[^\w%]/g, '.').replaceAll('%', '.*')}$`).test(key),
    ),
    'auth-sql-injection': acceptsKey((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
    'auth-underscore-is-wildcard': acceptsKey((given, key) =>
      new RegExp(`^${key.replaceAll('_', '.')}$`).test(given),
    ),
    'auth-word-undefined': acceptsKey((given) => given === 'undefined'),
    'auth-word-null': acceptsKey((given) => given === 'null'),
    'auth-forged-token-accepted': acceptsKey((given) => given.startsWith('tok_')),
    'auth-unsigned-jwt-accepted': acceptsKey(
      (given) => given.startsWith('eyJ') && given.split('.').length === 3,
    ),
    'auth-comma-list-any': acceptsKey((given, key) => given.split(',').includes(key)),
    'auth-short-key-accepted': acceptsKey((given) => given.length < 8),
    'auth-very-long-key-accepted': acceptsKey((given) => given.length > 200),
  }),
];

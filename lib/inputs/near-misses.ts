import fc from 'fast-check';
import { invalidKey } from './invalid-credentials.ts';
import type { InvalidCredential } from './invalid-credentials.ts';
import { roundRobin } from './names.ts';

/** No credential, or a header without one. */
export const missing: readonly InvalidCredential[] = [
  { kind: 'none' },
  { kind: 'value', template: 'Bearer' },
  { kind: 'value', template: '' },
];

/** The right key in another scheme, or in none (RFC 9110, section 11.4). */
export const otherSchemes: readonly InvalidCredential[] = [
  '{key}',
  'Basic {key}',
  'Token {key}',
  'Basic {basic}',
  'Basic {password}',
  'ApiKey {key}',
  'Digest {key}',
  'Bearer{key}',
  'Bearer token="{key}"',
  'Basic eDp5, Bearer {key}',
  'Key {key}',
  'Bearer:{key}',
  'Bearer: {key}',
  'Bearers {key}',
].map((template) => ({ kind: 'value', template }));

/**
 * Near misses of a key: the key with one character changed in each eighth, cut at both ends, lengthened, or in another
 * case, and texts that careless comparisons accept in its place. None equals the key.
 */
export function nearMisses(key: string): {
  /** Those that faulty services accept most often. */
  common: fc.Arbitrary<InvalidCredential>[];
  rarer: fc.Arbitrary<InvalidCredential>[];
} {
  const length = key.length;
  const secret = Math.min(key.startsWith('sk_test_') ? 8 : 0, length - 1);
  const given = (invalidCredentials: readonly InvalidCredential[]): fc.Arbitrary<InvalidCredential>[] =>
    invalidCredentials.map((invalid) => fc.constant(invalid));
  const changeAt = (at: number): InvalidCredential => ({
    kind: 'change',
    at,
    to: key.charAt(at) === 'x' ? 'y' : 'x',
  });
  const common = given([
    changeAt(length - 1),
    { kind: 'add', before: '', after: 'x' },
    { kind: 'cut', from: 0, to: length - 1 },
    { kind: 'other', text: `sk_test_${'x'.repeat(Math.max(1, length - 8))}` },
    { kind: 'case', to: 'swapped' },
    { kind: 'add', before: 'x', after: '' },
    { kind: 'other', text: 'sk_test_' },
    { kind: 'cut', from: 0, to: Math.max(1, length >> 1) },
  ]);
  const parts = 8;
  const changes = Array.from({ length: parts }, (_, part) => {
    const min = Math.floor((part * length) / parts);
    const max = Math.max(min, Math.floor(((part + 1) * length) / parts) - 1);
    return fc
      .tuple(fc.integer({ min, max }), alphanumeric)
      .map(([at, to]): InvalidCredential => ({ kind: 'change', at, to }));
  });
  const swaps = [...key].flatMap((character, at) =>
    at + 1 < length && character !== key[at + 1] ? [at] : [],
  );
  const swap: fc.Arbitrary<InvalidCredential> = fc
    .constantFrom(...(swaps.length > 0 ? swaps : [0]))
    .map((at) => ({ kind: 'swap', at }));
  const fixed = given([
    changeAt(0),
    { kind: 'cut', from: 1, to: length },
    { kind: 'replace', from: '_', to: '-' },
    { kind: 'replace', from: 'sk_test_', to: 'sk_live_' },
    { kind: 'replace', from: 'sk_', to: 'pk_' },
    { kind: 'base64' },
    { kind: 'cut', from: secret, to: length },
    { kind: 'case', to: 'upper' },
    { kind: 'add', before: '', after: '0'.repeat(64) },
    { kind: 'reverse' },
    { kind: 'case', to: 'lower' },
    { kind: 'replace', from: '_test_', to: '_TEST_' },
    { kind: 'add', before: '"', after: '"' },
    { kind: 'add', before: '', after: '.' },
    { kind: 'add', before: '', after: ':x' },
    { kind: 'add', before: '', after: '\u00e9' },
    { kind: 'add', before: 'x,', after: '' },
    { kind: 'replace', from: '_', to: '%5F' },
    ...mistakenForKeys.map((text): InvalidCredential => ({ kind: 'other', text })),
  ]);
  const differing = (invalidCredentials: fc.Arbitrary<InvalidCredential>): fc.Arbitrary<InvalidCredential> =>
    invalidCredentials.map((invalid) =>
      makesKey(invalid, key) ? { kind: 'add', before: '', after: 'y' } : invalid,
    );
  return {
    common: common.map(differing),
    rarer: roundRobin([changes, fixed, [swap]]).map(differing),
  };
}

const alphanumeric = fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789');

/** Texts that careless comparisons accept as a key, as a pattern for it, or as a token. */
const mistakenForKeys: readonly string[] = [
  'null',
  'undefined',
  'sk_test_%',
  '*',
  "'OR'1'='1",
  '.*',
  '0',
  'true',
  'test',
  '%E0%A4%A',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
  'tok_0',
  'sk_test_\u00e9',
  'x'.repeat(4096),
  '[object Object]',
];

/** Whether an invalid credential is the key itself, such as sk_test_123 in lower case. */
const makesKey = (invalid: InvalidCredential, key: string): boolean =>
  invalid.kind !== 'none' && invalid.kind !== 'value' && invalidKey(invalid, key) === key;

import fc from 'fast-check';
import { KEY_PREFIX } from '../schemas/interface.ts';
import type { InvalidCredential } from './invalid-credentials.ts';

/** No credential, or a header without one. */
export const missing: readonly InvalidCredential[] = [
  { kind: 'none' },
  { kind: 'value', template: 'Bearer' },
  { kind: 'value', template: '' },
];

/** The right key in another scheme, or in none (RFC 9110, section 11.4). */
export const otherSchemes = [
  '{key}',
  'Basic {key}',
  'Token {key}',
  'Basic {basic}',
  'Basic {password}',
  'ApiKey {key}',
  'Bearer{key}',
  'Bearer token="{key}"',
  'Basic eDp5, Bearer {key}',
  'Digest {key}',
  'Bearer: {key}',
  // admin:admin
  'Basic YWRtaW46YWRtaW4=',
  'JWT {key}',
  'Bearers {key}',
].map((template) => ({ kind: 'value', template }) as const);

/**
 * Near misses of a key: the key with one character changed in each eighth but the first, cut at both ends, lengthened, or
 * in another case, and texts that careless comparisons accept in its place.
 * @param separators one of which stands between a text and the key behind it
 */
export function nearMisses(
  key: string,
  separators: readonly string[] = [''],
): {
  /** Those that faulty services accept most often. */
  common: fc.Arbitrary<InvalidCredential>[];
  rarer: readonly (readonly fc.Arbitrary<InvalidCredential>[])[];
} {
  const length = key.length;
  const secret = Math.min(prefixOf(key).length, length - 1);
  const given = (invalidCredentials: readonly InvalidCredential[]): fc.Arbitrary<InvalidCredential>[] =>
    invalidCredentials.map((invalid) => fc.constant(invalid));
  const changeAt = (at: number): InvalidCredential => ({
    kind: 'change',
    at,
    to: key.charAt(at) === 'x' ? 'y' : 'x',
  });
  const common = [
    ...given([
      { kind: 'change', at: length - 1, to: neighbourOf(key.slice(-1)) },
      { kind: 'add', before: '', after: 'x' },
      { kind: 'cut', from: 0, to: length - 1 },
      { kind: 'other', text: KEY_PREFIX + 'x'.repeat(Math.max(1, length - KEY_PREFIX.length)) },
      { kind: 'case', to: 'swapped' },
    ]),
    fc
      .constantFrom(...separators)
      .map((separator): InvalidCredential => ({ kind: 'add', before: `x${separator}`, after: '' })),
    ...given([
      { kind: 'other', text: KEY_PREFIX },
      { kind: 'cut', from: 0, to: endOfFirstPart(key) ?? Math.max(1, length >> 1) },
    ]),
  ];
  const parts = 8;
  // Padding as of Base64 in place of the first part, which others cut and replace.
  const changes = [
    ...given([{ kind: 'add', before: '', after: '=' }]),
    ...Array.from({ length: parts - 1 }, (_, at) => {
      const min = Math.floor(((at + 1) * length) / parts);
      const max = Math.max(min, Math.floor(((at + 2) * length) / parts) - 1);
      return fc
        .tuple(fc.integer({ min, max }), alphanumeric)
        .map(([at, to]): InvalidCredential => ({ kind: 'change', at, to }));
    }),
  ];
  const swaps = [...key].flatMap((character, at) =>
    at + 1 < length && character !== key[at + 1] ? [at] : [],
  );
  const swap: fc.Arbitrary<InvalidCredential> = fc
    .constantFrom(...(swaps.length > 0 ? swaps : [0]))
    .map((at) => ({ kind: 'swap', at }));
  const compatible = [...key].findIndex((character) => character in COMPATIBLE);
  const fixed = given([
    compatible === -1
      ? changeAt(0)
      : { kind: 'change', at: compatible, to: COMPATIBLE[key.charAt(compatible)]! },
    { kind: 'cut', from: 1, to: length },
    { kind: 'replace', from: '_', to: '-' },
    { kind: 'replace', from: KEY_PREFIX, to: 'sk_live_' },
    { kind: 'replace', from: 'sk_', to: 'pk_' },
    { kind: 'base64' },
    { kind: 'cut', from: secret, to: length },
    { kind: 'case', to: 'upper' },
    { kind: 'add', before: '', after: '0'.repeat(64) },
    // Some services accept the scheme in any case, but the key after it in one only.
    { kind: 'other', text: 'test', scheme: 'bearer' },
    { kind: 'other', text: 'admin', scheme: 'BEARER' },
    { kind: 'reverse', scheme: 'Bearer ' },
    { kind: 'case', to: 'lower' },
    { kind: 'replace', from: '_test_', to: '_TEST_' },
    { kind: 'add', before: '"', after: '"' },
    { kind: 'add', before: '', after: '.' },
    { kind: 'add', before: '', after: ':x' },
    { kind: 'add', before: '', after: '\u00e9' },
    { kind: 'add', before: 'x,', after: '' },
    { kind: 'replace', from: '_', to: '%5F' },
    { kind: 'split', at: length >> 1 },
    ...mistakenForKeys.map((text): InvalidCredential => ({ kind: 'other', text })),
    { kind: 'add', before: 'Bearer ', after: '' },
  ]);
  return {
    common,
    rarer: [changes, [swap, ...fixed]],
  };
}

/** Where the first part of a key such as `sk_test_ID_SECRET` ends, with its separator; undefined: it has no parts. */
function endOfFirstPart(key: string): number | undefined {
  const start = prefixOf(key).length;
  const at = key.slice(start + 1, -1).search(/[_.:-]/);
  return at === -1 ? undefined : start + 1 + at + 1;
}

/** RFC 4648, section 5. */
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A character that differs in its lowest bit only, which many decoders of Base64 ignore at the end. */
const neighbourOf = (character: string): string => {
  const value = BASE64URL.indexOf(character);
  return value === -1 ? 'x' : BASE64URL[value ^ 1]!;
};

/** Characters in a compatibility form (Unicode, UAX 15) that a header can carry as one byte. */
const COMPATIBLE: Readonly<Record<string, string>> = { 1: '¹', 2: '²', 3: '³', a: 'ª', o: 'º' };

/** Lengths of what is added to a key, up to those at which storage types, buffers and hash functions cut it. */
const ADDED_LENGTHS = [1, 8, 32, 128, 256, 512, 1024, 4096];

/** Keys of the same form that a long run tries: enough to find one in several hundred that is accepted. */
const MAX_RANDOM_KEYS = 400;

/**
 * Further near misses, for a long run: each letter in the other case, characters in a compatibility form (Unicode, UAX 15)
 * or as a character reference (HTML, section 13.5), more added, also after characters that separate, a label before it,
 * passwords that systems are installed with, and random keys of the same form, as some services compare only a part of a
 * hash.
 */
export function manyNearMisses(key: string): fc.Arbitrary<InvalidCredential>[] {
  const otherCase = [...key].flatMap((character, at): InvalidCredential[] => {
    const lower = character.toLowerCase();
    const to = character === lower ? character.toUpperCase() : lower;
    return to === character ? [] : [{ kind: 'change', at, to }];
  });
  const fullWidth = [...key].flatMap((character, at): InvalidCredential[] => {
    if (!/[a-z0-9]/i.test(character) || at % 4 !== 0) return [];
    const wide = String.fromCodePoint(character.codePointAt(0)! + 0xfee0);
    return [{ kind: 'change', at, to: Buffer.from(wide).toString('latin1') }];
  });
  const added = [...ADDED_LENGTHS.map((length) => 'x'.repeat(length)), '-x', '_x', ',x', ';x'];
  const fixed: readonly InvalidCredential[] = [
    ...added.map((after): InvalidCredential => ({ kind: 'add', before: '', after })),
    { kind: 'add', before: '<', after: '>' },
    { kind: 'replace', from: '_', to: '&#95;' },
    { kind: 'add', before: 'key=', after: '' },
    { kind: 'add', before: 'token=', after: '' },
    { kind: 'add', before: 'api_key=', after: '' },
    { kind: 'other', text: 'demo' },
    { kind: 'other', text: 'secret' },
    { kind: 'other', text: 'changeme' },
    { kind: 'other', text: 'password' },
    // Letters and digits that people confuse.
    { kind: 'replace', from: 'O', to: '0' },
    { kind: 'replace', from: '0', to: 'O' },
    { kind: 'replace', from: 'l', to: '1' },
    { kind: 'replace', from: '1', to: 'l' },
    { kind: 'replace', from: 'I', to: 'l' },
    { kind: 'replace', from: 'l', to: 'I' },
    ...otherCase,
    ...fullWidth,
  ];
  const random = randomKey(key);
  return [
    ...fixed.map((invalid) => fc.constant(invalid)),
    ...Array.from({ length: MAX_RANDOM_KEYS }, () => random),
  ];
}

const prefixOf = (key: string): string => (key.startsWith(KEY_PREFIX) ? KEY_PREFIX : '');

/** A random key of the form of another one. */
export function randomKey(key: string): fc.Arbitrary<InvalidCredential> {
  const start = prefixOf(key);
  const length = key.length - start.length;
  const random = fc.string({ unit: alphanumeric, minLength: length, maxLength: length });
  return random.map((text) => ({ kind: 'other', text: start + text }));
}

const alphanumeric = fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789');

/** Texts that careless comparisons accept as a key, as a pattern for it, or as a token. */
const mistakenForKeys: readonly string[] = [
  // As in examples.
  'sk_test_123',
  '<API_KEY>',
  'null',
  'undefined',
  'sk_test_%',
  '*',
  "'OR'1'='1",
  'sk_test_.*',
  '%E0%A4%A',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
  '0',
  'constructor',
  // Longer than 4 KiB.
  'x'.repeat(4200),
];

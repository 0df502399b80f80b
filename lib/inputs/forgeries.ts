import fc from 'fast-check';
import type { Credential } from '../target/credential.ts';
import { roundRobin } from './round-robin.ts';

/** How a credential differs from the right one, as plain data that holds no secret. */
export type Forgery =
  | { readonly kind: 'none' }
  /** A field value with the key somewhere in it: `{key}`, or RFC 7617's `{basic}` and `{password}`. */
  | { readonly kind: 'value'; readonly template: string }
  | { readonly kind: 'change'; readonly at: number; readonly to: string }
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  | { readonly kind: 'add'; readonly before: string; readonly after: string }
  | { readonly kind: 'case'; readonly to: 'upper' | 'lower' | 'swapped' }
  | { readonly kind: 'replace'; readonly from: string; readonly to: string }
  | { readonly kind: 'swap'; readonly at: number }
  | { readonly kind: 'reverse' }
  | { readonly kind: 'base64' }
  | { readonly kind: 'other'; readonly text: string };

/** The credential that a forgery makes of a key; undefined: no Authorization field at all. */
export function forge(forgery: Forgery, key: string): Credential | undefined {
  if (forgery.kind === 'none') return undefined;
  if (forgery.kind === 'value') {
    const { template } = forgery;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    return {
      field: 'Authorization',
      value: template
        .replace('{key}', () => key)
        .replace('{basic}', () => base64(`${key}:`))
        .replace('{password}', () => base64(`x:${key}`)),
      label: template
        .replace('{key}', '[key]')
        .replace('{basic}', '[base64 of key:]')
        .replace('{password}', '[base64 of x:key]'),
      shell: `"${template.replace('{key}', '$TARGET_API_KEY').replace('{basic}', '$(printf %s: "$TARGET_API_KEY" | base64 -w0)').replace('{password}', '$(printf x:%s "$TARGET_API_KEY" | base64 -w0)')}"`,
    };
  }
  const { label, shell } = describe(forgery, key);
  return {
    field: 'Authorization',
    value: `Bearer ${forgedKey(forgery, key)}`,
    label: `Bearer ${label}`,
    shell: `"Bearer ${shell}"`,
  };
}

type KeyForgery = Exclude<Forgery, { kind: 'none' | 'value' }>;

/** The text that stands where the key should. */
export function forgedKey(forgery: KeyForgery, key: string): string {
  switch (forgery.kind) {
    case 'change':
      return key.slice(0, forgery.at) + forgery.to + key.slice(forgery.at + 1);
    case 'cut':
      return key.slice(forgery.from, forgery.to);
    case 'add':
      return forgery.before + key + forgery.after;
    case 'case':
      if (forgery.to === 'upper') return key.toUpperCase();
      return forgery.to === 'lower' ? key.toLowerCase() : swapCase(key);
    case 'replace':
      return key.replaceAll(forgery.from, forgery.to);
    case 'swap':
      return (
        key.slice(0, forgery.at) +
        key.charAt(forgery.at + 1) +
        key.charAt(forgery.at) +
        key.slice(forgery.at + 2)
      );
    case 'base64':
      return Buffer.from(key).toString('base64');
    case 'reverse':
      return [...key].toReversed().join('');
    case 'other':
      return forgery.text;
  }
}

function describe(forgery: KeyForgery, key: string): { label: string; shell: string } {
  const pipe = (filter: string): string => `$(printf %s "$TARGET_API_KEY" | ${filter})`;
  switch (forgery.kind) {
    case 'change': {
      const place = forgery.at + 1;
      const label = `[key with character ${place} of ${key.length} changed]`;
      return { label, shell: pipe(`sed 's/./${forgery.to}/${place}'`) };
    }
    case 'cut':
      return {
        label: `[characters ${forgery.from + 1} to ${forgery.to} of the ${key.length} of the key]`,
        shell: pipe(`cut -c${forgery.from + 1}-${forgery.to}`),
      };
    case 'add':
      return {
        label: `${forgery.before}[key]${forgery.after}`,
        shell: `${inQuotes(forgery.before)}\${TARGET_API_KEY}${inQuotes(forgery.after)}`,
      };
    case 'case': {
      const label = `[key in ${forgery.to} case]`;
      const sets = { upper: 'a-z A-Z', lower: 'A-Z a-z', swapped: 'a-zA-Z A-Za-z' }[forgery.to];
      return { label, shell: pipe(`tr ${sets}`) };
    }
    case 'replace':
      return {
        label: `[key with ${forgery.to} for ${forgery.from}]`,
        shell: pipe(`sed 's/${forgery.from}/${forgery.to}/g'`),
      };
    case 'swap': {
      const filter = String.raw`sed 's/^\(.\{${forgery.at}\}\)\(.\)\(.\)/\1\3\2/'`;
      return {
        label: `[key with characters ${forgery.at + 1} and ${forgery.at + 2} swapped]`,
        shell: pipe(filter),
      };
    }
    case 'base64':
      return { label: '[base64 of the key]', shell: pipe('base64 -w0') };
    case 'reverse':
      return { label: '[key reversed]', shell: pipe('rev') };
    case 'other':
      return { label: forgery.text, shell: inQuotes(forgery.text) };
  }
}

/** A text within the double quotes of a shell. */
const inQuotes = (text: string): string => text.replace(/["$`\\]/g, String.raw`\$&`);

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/** No credential, or a field without one. */
export const missing: readonly Forgery[] = [
  { kind: 'none' },
  { kind: 'none' },
  { kind: 'value', template: 'Bearer' },
  { kind: 'value', template: '' },
];

/** The right key in another scheme, or in none (RFC 9110, section 11.4). */
export const otherSchemes: readonly Forgery[] = [
  '{key}',
  'Basic {key}',
  'Token {key}',
  'Basic {basic}',
  'Basic {password}',
  'ApiKey {key}',
  'Digest {key}',
  'Bearer{key}',
  'Key {key}',
  'Bearer:{key}',
  'Bearer: {key}',
  'Bearers {key}',
].map((template) => ({ kind: 'value', template }));

/**
 * Near misses of a key: it is changed in each of its parts, cut at both ends, lengthened, written in
 * another case, and replaced by what careless comparisons take for it. None equals the key.
 */
export function nearMisses(key: string): {
  /** What is most often taken for the key. */
  common: fc.Arbitrary<Forgery>[];
  rarer: fc.Arbitrary<Forgery>[];
} {
  const length = key.length;
  const secret = Math.min(key.startsWith('sk_test_') ? 8 : 0, length - 1);
  const given = (forgeries: readonly Forgery[]): fc.Arbitrary<Forgery>[] =>
    forgeries.map((forgery) => fc.constant(forgery));
  const changeAt = (at: number): Forgery => ({ kind: 'change', at, to: key.charAt(at) === 'x' ? 'y' : 'x' });
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
  const parts = 10;
  const changes = Array.from({ length: parts }, (_, part) => {
    const min = Math.floor((part * length) / parts);
    const max = Math.max(min, Math.floor(((part + 1) * length) / parts) - 1);
    return fc
      .tuple(fc.integer({ min, max }), alphanumeric)
      .map(([at, to]): Forgery => ({ kind: 'change', at, to }));
  });
  const swaps = [...key].flatMap((character, at) =>
    at + 1 < length && character !== key[at + 1] ? [at] : [],
  );
  const drawn: fc.Arbitrary<Forgery>[] = [
    fc
      .integer({ min: Math.min(secret + 1, length - 1), max: length - 1 })
      .map((to) => ({ kind: 'cut', from: 0, to })),
    fc.constantFrom(...(swaps.length > 0 ? swaps : [0])).map((at) => ({ kind: 'swap', at })),
  ];
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
    { kind: 'add', before: 'x,', after: '' },
    { kind: 'replace', from: '_', to: '%5F' },
    { kind: 'cut', from: 0, to: secret + 1 },
    ...mistakenForKeys.map((text): Forgery => ({ kind: 'other', text })),
  ]);
  const differing = (forgeries: fc.Arbitrary<Forgery>): fc.Arbitrary<Forgery> =>
    forgeries.map((forgery) => (makesKey(forgery, key) ? { kind: 'add', before: '', after: 'y' } : forgery));
  return {
    common: common.map(differing),
    rarer: roundRobin([changes, fixed, drawn]).map(differing),
  };
}

const alphanumeric = fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789');

/** Texts that careless comparisons take for a key, a pattern of it, or a token of their own. */
const mistakenForKeys: readonly string[] = [
  'null',
  '%',
  'undefined',
  'sk_test_%',
  '*',
  "'OR'1'='1",
  '.*',
  '0',
  'true',
  'x',
  'test',
  '%E0%A4%A',
  'sk_test_wrong',
  'sk_test_wrong',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
  'tok_0',
  'sk_test_\u00e9',
  'x'.repeat(4096),
  '[object Object]',
];

/** Whether a forgery comes out as the key itself, as the lower case of sk_test_123 does. */
const makesKey = (forgery: Forgery, key: string): boolean =>
  forgery.kind !== 'none' && forgery.kind !== 'value' && forgedKey(forgery, key) === key;

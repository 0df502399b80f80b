import fc from 'fast-check';
import type { Credential } from '../target/credential.ts';
import { roundRobin } from './round-robin.ts';

/** How a credential differs from the right one, as plain data that holds no secret. */
export type Forgery =
  | { readonly kind: 'none' }
  /** A field value with the key somewhere in it: `{key}` or `{basic}`, RFC 7617's form of it. */
  | { readonly kind: 'value'; readonly template: string }
  | { readonly kind: 'change'; readonly at: number; readonly to: string }
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  | { readonly kind: 'add'; readonly before: string; readonly after: string }
  | { readonly kind: 'case'; readonly to: 'upper' | 'lower' | 'swapped' }
  | { readonly kind: 'swap'; readonly at: number }
  | { readonly kind: 'reverse' }
  | { readonly kind: 'other'; readonly text: string };

/** The credential that a forgery makes of a key; undefined: no Authorization field at all. */
export function forge(forgery: Forgery, key: string): Credential | undefined {
  if (forgery.kind === 'none') return undefined;
  if (forgery.kind === 'value') {
    const { template } = forgery;
    const basic = Buffer.from(`${key}:`).toString('base64');
    return {
      field: 'Authorization',
      value: template.replace('{key}', () => key).replace('{basic}', () => basic),
      label: template.replace('{key}', '[key]').replace('{basic}', '[base64 of key:]'),
      shell: `"${template.replace('{key}', '$TARGET_API_KEY').replace('{basic}', '$(printf %s: "$TARGET_API_KEY" | base64)')}"`,
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
    case 'swap':
      return key.slice(0, forgery.at) + key.charAt(forgery.at + 1) + key.charAt(forgery.at) + key.slice(forgery.at + 2);
    case 'reverse':
      return [...key].reverse().join('');
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
        shell: `${forgery.before}\${TARGET_API_KEY}${forgery.after}`,
      };
    case 'case': {
      const label = `[key in ${forgery.to} case]`;
      const sets = { upper: 'a-z A-Z', lower: 'A-Z a-z', swapped: 'a-zA-Z A-Za-z' }[forgery.to];
      return { label, shell: pipe(`tr ${sets}`) };
    }
    case 'swap': {
      const filter = String.raw`sed 's/^\(.\{${forgery.at}\}\)\(.\)\(.\)/\1\3\2/'`;
      return { label: `[key with characters ${forgery.at + 1} and ${forgery.at + 2} swapped]`, shell: pipe(filter) };
    }
    case 'reverse':
      return { label: '[key reversed]', shell: pipe('rev') };
    case 'other':
      return { label: forgery.text, shell: forgery.text };
  }
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

/** No credential, or a field without one. */
export const missing: readonly Forgery[] = [
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
  'ApiKey {key}',
  'Digest {key}',
  'Bearer{key}',
  'Key {key}',
  'Bearer:{key}',
].map((template) => ({ kind: 'value', template }));

/**
 * Near misses of a key: it is changed in each of its parts, cut at both ends, lengthened, written in
 * another case, and replaced by what careless comparisons take for it. None equals the key.
 */
export function nearMisses(key: string): fc.Arbitrary<Forgery>[] {
  const length = key.length;
  const secret = key.startsWith('sk_test_') ? 8 : 0;
  const parts = 10;
  const changes = Array.from({ length: parts }, (_, part) => {
    const min = Math.floor((part * length) / parts);
    const max = Math.max(min, Math.floor(((part + 1) * length) / parts) - 1);
    return fc
      .tuple(fc.integer({ min, max }), fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'))
      .map(([at, to]): Forgery => ({ kind: 'change', at, to }));
  });
  const cut = (from: number, to: number): fc.Arbitrary<Forgery> => fc.constant({ kind: 'cut', from, to });
  const letters = [...key].flatMap((character, at) => (/[a-z]/i.test(character) && at >= secret ? [at] : []));
  const oneCase = fc
    .constantFrom(...(letters.length > 0 ? letters : [0]))
    .map((at): Forgery => ({ kind: 'change', at, to: swapCase(key.charAt(at)) }));
  const swaps = [...key].flatMap((character, at) => (at + 1 < length && character !== key[at + 1] ? [at] : []));
  const fixed: readonly Forgery[] = [
    { kind: 'add', before: '', after: 'x' },
    { kind: 'add', before: 'x', after: '' },
    { kind: 'case', to: 'upper' },
    { kind: 'other', text: 'sk_test_' },
    { kind: 'case', to: 'swapped' },
    { kind: 'add', before: '', after: '0'.repeat(64) },
    { kind: 'reverse' },
    { kind: 'other', text: `sk_test_${'x'.repeat(Math.max(1, length - 8))}` },
    { kind: 'case', to: 'lower' },
    { kind: 'other', text: 'null' },
    { kind: 'other', text: '%' },
    { kind: 'other', text: 'undefined' },
    { kind: 'other', text: 'test' },
    { kind: 'other', text: '*' },
    { kind: 'other', text: "'OR'1'='1" },
    { kind: 'other', text: '.*' },
    { kind: 'other', text: '0' },
    { kind: 'other', text: 'true' },
  ];
  const cuts = [
    cut(0, length - 1),
    fc.integer({ min: Math.min(secret + 1, length - 1), max: length - 1 }).map((to): Forgery => ({ kind: 'cut', from: 0, to })),
    cut(1, length),
    cut(Math.min(secret, length - 1), length),
    cut(0, Math.max(1, Math.min(secret + 1, length - 1))),
    cut(0, Math.max(1, length >> 1)),
  ];
  const swap = fc.constantFrom(...(swaps.length > 0 ? swaps : [0])).map((at): Forgery => ({ kind: 'swap', at }));
  const rest = [...cuts, ...fixed.map((forgery) => fc.constant(forgery)), oneCase, swap];
  return roundRobin([rest, changes]).map((arbitrary) => differing(arbitrary, key));
}

/** Replaces the few forgeries that come out as the key itself, such as the upper case of 12345. */
const differing = (forgeries: fc.Arbitrary<Forgery>, key: string): fc.Arbitrary<Forgery> =>
  forgeries.map((forgery) =>
    forgery.kind !== 'none' && forgery.kind !== 'value' && forgedKey(forgery, key) === key
      ? { kind: 'add', before: '', after: 'y' }
      : forgery,
  );

/** Whether the scheme and the key are as they should be, but for the key itself. */
export const isNearMiss = ({ kind }: Forgery): boolean => kind !== 'none' && kind !== 'value';

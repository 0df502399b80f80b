import type { Credential } from '../target/credential.ts';

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

import type { Credential } from '../target/credential.ts';

/** How a credential differs from the right one, as plain data without secrets. */
export type InvalidCredential =
  | { readonly kind: 'none' }
  /** A header value that contains the key: `{key}`, or as in RFC 7617 `{basic}` and `{password}`. */
  | { readonly kind: 'value'; readonly template: string }
  | KeyChange;

/** A text in place of the key. */
type KeyChange = (
  | { readonly kind: 'cut'; readonly from: number; readonly to: number }
  /** `to`: the bytes that are sent, a character each. */
  | { readonly kind: 'change'; readonly at: number; readonly to: string }
  | { readonly kind: 'add'; readonly before: string; readonly after: string }
  | { readonly kind: 'case'; readonly to: 'upper' | 'lower' | 'swapped' }
  | { readonly kind: 'replace'; readonly from: string; readonly to: string }
  | { readonly kind: 'swap'; readonly at: number }
  | { readonly kind: 'reverse' }
  | { readonly kind: 'base64' }
  | { readonly kind: 'other'; readonly text: string }
) & {
  /** In place of `Bearer`: in another case (RFC 9110, section 11.1), or before more than one space (section 11.4). */
  readonly scheme?: 'bearer' | 'BEARER' | 'Bearer ';
};

/** The credential that is sent in place of the key; undefined: no Authorization header at all. */
export function credentialFrom(invalid: InvalidCredential, key: string): Credential | undefined {
  if (invalid.kind === 'none') return undefined;
  if (invalid.kind === 'value') {
    const { template } = invalid;
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
      shell: `"${inQuotes(template).replace('{key}', '$TARGET_API_KEY').replace('{basic}', '$(printf %s: "$TARGET_API_KEY" | base64 -w0)').replace('{password}', '$(printf x:%s "$TARGET_API_KEY" | base64 -w0)')}"`,
    };
  }
  const { scheme = 'Bearer' } = invalid;
  const { label, shell } = describe(invalid, key);
  return {
    field: 'Authorization',
    value: `${scheme} ${invalidKey(invalid, key)}`,
    label: `${scheme} ${label}`,
    shell: `"${scheme} ${shell}"`,
  };
}

/** The prefix of a test-mode key (interface, section 5.2); empty where a key has another one, or nothing else. */
const prefixOf = (key: string): string => /^sk_test_(?=.*[a-zA-Z])/.exec(key)?.[0] ?? '';

/** The text in place of the key. */
export function invalidKey(invalid: KeyChange, key: string): string {
  switch (invalid.kind) {
    case 'change':
      return key.slice(0, invalid.at) + invalid.to + key.slice(invalid.at + 1);
    case 'cut':
      return key.slice(invalid.from, invalid.to);
    case 'add':
      return invalid.before + key + invalid.after;
    case 'case':
      if (invalid.to === 'upper') return key.toUpperCase();
      if (invalid.to === 'lower') return key.toLowerCase();
      return prefixOf(key) + swapCase(key.slice(prefixOf(key).length));
    case 'replace':
      return key.replaceAll(invalid.from, invalid.to);
    case 'swap':
      return (
        key.slice(0, invalid.at) +
        key.charAt(invalid.at + 1) +
        key.charAt(invalid.at) +
        key.slice(invalid.at + 2)
      );
    case 'base64':
      return Buffer.from(key).toString('base64');
    case 'reverse':
      return [...key].toReversed().join('');
    case 'other':
      return invalid.text;
  }
}

function describe(invalid: KeyChange, key: string): { label: string; shell: string } {
  const pipe = (filter: string): string => `$(printf %s "$TARGET_API_KEY" | ${filter})`;
  switch (invalid.kind) {
    case 'change': {
      const place = invalid.at + 1;
      const label = `[key with character ${place} of ${key.length} changed]`;
      const to = Buffer.from(invalid.to, 'latin1').toString();
      return { label, shell: pipe(`sed 's/./${to}/${place}'`) };
    }
    case 'cut':
      return {
        label: `[characters ${invalid.from + 1} to ${invalid.to} of the ${key.length} of the key]`,
        shell: pipe(`cut -c${invalid.from + 1}-${invalid.to}`),
      };
    case 'add':
      return {
        label: `${invalid.before}[key]${invalid.after}`,
        shell: `${inQuotes(invalid.before)}\${TARGET_API_KEY}${inQuotes(invalid.after)}`,
      };
    case 'case': {
      const label = `[key in ${invalid.to} case]`;
      if (invalid.to !== 'swapped')
        return { label, shell: pipe(`tr ${invalid.to === 'upper' ? 'a-z A-Z' : 'A-Z a-z'}`) };
      // Some services compare the prefix on its own.
      const prefix = prefixOf(key);
      return { label, shell: `${prefix}$(printf %s "\${TARGET_API_KEY#${prefix}}" | tr a-zA-Z A-Za-z)` };
    }
    case 'replace':
      return {
        label: `[key with ${invalid.to} for ${invalid.from}]`,
        shell: pipe(`sed 's/${invalid.from}/${invalid.to}/g'`),
      };
    case 'swap': {
      const filter = String.raw`sed 's/^\(.\{${invalid.at}\}\)\(.\)\(.\)/\1\3\2/'`;
      return {
        label: `[key with characters ${invalid.at + 1} and ${invalid.at + 2} swapped]`,
        shell: pipe(filter),
      };
    }
    case 'base64':
      return { label: '[base64 of the key]', shell: pipe('base64 -w0') };
    case 'reverse':
      return { label: '[key reversed]', shell: pipe('rev') };
    case 'other':
      return { label: invalid.text, shell: inQuotes(invalid.text) };
  }
}

/** Escapes a text for double quotes in a shell. */
const inQuotes = (text: string): string => text.replace(/["$`\\]/g, String.raw`\$&`);

/** A text with each ASCII letter in the other case. */
export const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

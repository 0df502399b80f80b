import { createHash } from 'node:crypto';
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
  /** With a space in it. */
  | { readonly kind: 'split'; readonly at: number }
  | { readonly kind: 'reverse' }
  | { readonly kind: 'base64' }
  /** As services store keys: SHA-256, in hexadecimal digits. */
  | { readonly kind: 'hash' }
  | { readonly kind: 'other'; readonly text: string }
) & {
  /** In place of `Bearer`: in another case (RFC 9110, section 11.1), or before more than one space (section 11.4). */
  readonly scheme?: 'bearer' | 'BEARER' | 'Bearer ';
};

/** A key that no service has issued, and that does not resemble a real one. */
export const WRONG_KEY = { kind: 'other', text: 'sk_test_wrong' } as const satisfies InvalidCredential;

/** The credential that is sent in place of the key; undefined: no Authorization header at all. */
export function credentialFrom(invalid: InvalidCredential, key: string): Credential | undefined {
  if (invalid.kind === 'none') return undefined;
  if (invalid.kind === 'value') {
    const { template } = invalid;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const parts: Readonly<Record<string, readonly [value: string, label: string, shell: string]>> = {
      '{key}': [key, '[key]', '$TARGET_API_KEY'],
      '{basic}': [base64(`${key}:`), '[base64 of key:]', '$(printf %s: "$TARGET_API_KEY" | base64 -w0)'],
      '{password}': [
        base64(`x:${key}`),
        '[base64 of x:key]',
        '$(printf x:%s "$TARGET_API_KEY" | base64 -w0)',
      ],
    };
    const filled = (text: string, at: 0 | 1 | 2): string =>
      text.replace(/\{\w+\}/, (placeholder) => parts[placeholder]![at]);
    return {
      field: 'Authorization',
      value: filled(template, 0),
      label: filled(template, 1),
      shell: `"${filled(inQuotes(template), 2)}"`,
    };
  }
  const { scheme = 'Bearer' } = invalid;
  const { text, label, shell } = changedKey(invalid, key);
  return {
    field: 'Authorization',
    value: `${scheme} ${text}`,
    label: `${scheme} ${label}`,
    shell: `"${scheme} ${shell}"`,
  };
}

/** The prefix of a test-mode key (interface, section 5.2) if letters follow it, whose case can be changed alone; else empty. */
const separablePrefix = (key: string): string => /^sk_test_(?=.*[a-zA-Z])/.exec(key)?.[0] ?? '';

/** The text in place of the key; never the key. */
export const invalidKey = (invalid: KeyChange, key: string): string => changedKey(invalid, key).text;

/** The text in place of the key, its label, and the part of a double-quoted shell word that makes it from the key. */
interface ChangedKey {
  readonly text: string;
  readonly label: string;
  readonly shell: string;
}

/** If a change has no effect, such as lower case on a key in lower case, a suffix is added. */
function changedKey(invalid: KeyChange, key: string): ChangedKey {
  const changed = whenChanged(invalid, key);
  return changed.text === key ? whenChanged({ kind: 'add', before: '', after: 'y' }, key) : changed;
}

function whenChanged(invalid: KeyChange, key: string): ChangedKey {
  const pipe = (filter: string): string => `$(printf %s "$TARGET_API_KEY" | ${filter})`;
  switch (invalid.kind) {
    case 'change': {
      const { at, to } = invalid;
      return {
        text: key.slice(0, at) + to + key.slice(at + 1),
        label: `[key with character ${at + 1} of ${key.length} changed]`,
        shell: pipe(`LC_ALL=C sed 's/./${inHex(to)}/${at + 1}'`),
      };
    }
    case 'cut': {
      const { from, to } = invalid;
      return {
        text: key.slice(from, to),
        label: `[characters ${from + 1} to ${to} of the ${key.length} of the key]`,
        shell: pipe(`cut -c${from + 1}-${to}`),
      };
    }
    case 'add': {
      const { before, after } = invalid;
      return {
        text: before + key + after,
        label: `${before}[key]${after}`,
        shell: `${inQuotes(before)}\${TARGET_API_KEY}${inQuotes(after)}`,
      };
    }
    case 'case': {
      const { to } = invalid;
      const label = `[key in ${to} case]`;
      if (to === 'upper') return { text: key.toUpperCase(), label, shell: pipe('tr a-z A-Z') };
      if (to === 'lower') return { text: key.toLowerCase(), label, shell: pipe('tr A-Z a-z') };
      // Some services compare the prefix on its own.
      const prefix = separablePrefix(key);
      return {
        text: prefix + swapCase(key.slice(prefix.length)),
        label,
        shell: `${prefix}$(printf %s "\${TARGET_API_KEY#${prefix}}" | tr a-zA-Z A-Za-z)`,
      };
    }
    case 'replace': {
      const { from, to } = invalid;
      return {
        text: key.replaceAll(from, to),
        label: `[key with ${to} for ${from}]`,
        shell: pipe(`sed 's/${from}/${to.replace('&', String.raw`\&`)}/g'`),
      };
    }
    case 'swap': {
      const { at } = invalid;
      return {
        text: key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2),
        label: `[key with characters ${at + 1} and ${at + 2} swapped]`,
        shell: pipe(String.raw`sed 's/^\(.\{${at}\}\)\(.\)\(.\)/\1\3\2/'`),
      };
    }
    case 'split': {
      const { at } = invalid;
      return {
        text: `${key.slice(0, at)} ${key.slice(at)}`,
        label: `[key with a space after character ${at}]`,
        shell: pipe(`sed 's/./& /${at}'`),
      };
    }
    case 'base64':
      return {
        text: Buffer.from(key).toString('base64'),
        label: '[base64 of the key]',
        shell: pipe('base64 -w0'),
      };
    case 'hash':
      return {
        text: createHash('sha256').update(key).digest('hex'),
        label: '[SHA-256 of the key]',
        shell: pipe('sha256sum | cut -c1-64'),
      };
    case 'reverse':
      return { text: [...key].toReversed().join(''), label: '[key reversed]', shell: pipe('rev') };
    case 'other':
      return { text: invalid.text, label: invalid.text, shell: inQuotes(invalid.text) };
  }
}

/** Escapes a text for double quotes in bash. */
const inQuotes = (text: string): string =>
  text.replace(/["$`\\]/g, String.raw`\$&`).replace(/[\x80-\xff]+/g, (bytes) => `"$'${inHex(bytes)}'"`);

/** Bytes, a character each, with those beyond ASCII as escapes. */
const inHex = (bytes: string): string =>
  bytes.replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);

/** A text with each ASCII letter in the other case. */
export const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

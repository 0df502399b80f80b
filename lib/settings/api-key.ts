import { z } from 'zod';

/** Whether a text contains what looks like a key, of test mode or not (interface, section 5.2). */
export const containsKey = (text: string): boolean => /sk_(?:test|live)_\w/.test(text);

export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, {
  error: ({ input }) => {
    const text = String(input);
    if (/^(?:Authorization:\s*)?Bearer\s/i.test(text))
      return 'begins with the word Bearer: leave it out, as the suite adds it';
    const characters = [...text];
    const at = characters.findIndex((character) => !/[\x21-\x7e]/.test(character));
    // A key does not contain this character, so naming it reveals nothing.
    return `expected printable ASCII without spaces; character ${at + 1} is ${nameOf(characters[at]!)}`;
  },
});

function nameOf(character: string): string {
  const names: Readonly<Record<string, string>> = {
    ' ': 'a space',
    '\t': 'a tab',
    '\r': 'a line break',
    '\n': 'a line break',
  };
  return names[character] ?? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What is wrong with a key that is still in quotes, or that nothing has filled in; undefined: nothing. */
export function notFilledIn(key: string): string | undefined {
  if (/^(["'`]).*\1$/.test(key))
    return 'is in quotes: leave them out; Docker, for example, keeps the quotes of an --env-file';
  const [quote] = /^["'`]|["'`]$/.exec(key) ?? [];
  if (quote !== undefined) return `${key.startsWith(quote) ? 'begins' : 'ends'} with a quote: remove it`;
  const [sign] = /[,;]$/.exec(key) ?? [];
  if (sign !== undefined) return `ends with a ${sign === ',' ? 'comma' : 'semicolon'}: remove it`;
  if (/^\$|^\{\{/.test(key)) return 'is a variable that nothing has replaced: give the key itself';
  if (/^<.*>$|\.\.\.$|^sk_test_$/.test(key)) return 'is a placeholder: give the key itself';
  return undefined;
}

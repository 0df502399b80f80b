import { z } from 'zod';

/** Whether a text contains what looks like a key, of test mode or not (interface, section 5.2). */
export const containsKey = (text: string): boolean => /sk_(?:test|live)_\w/.test(text);

export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, {
  error: ({ input }) => {
    const characters = [...String(input)];
    const at = characters.findIndex((character) => !/[\x21-\x7e]/.test(character));
    // A key does not contain this character, so naming it reveals nothing.
    const invalidCharacter = at === -1 ? '' : `; character ${at + 1} is ${codePointOf(characters[at]!)}`;
    return `expected printable ASCII without spaces, as it goes into an Authorization header; leave out the word Bearer${invalidCharacter}`;
  },
});

const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** What is wrong with a key that is still in quotes, or that nothing has filled in; undefined: nothing. */
export function notFilledIn(key: string): string | undefined {
  if (/^["'`]|["'`]$/.test(key))
    return 'is in quotes: leave them out; Docker, for example, keeps the quotes of an --env-file';
  if (/^\$|^\{\{/.test(key)) return 'is a variable that nothing has replaced: give the key itself';
  if (/^<.*>$|\.\.\.$|^sk_test_$/.test(key)) return 'is a placeholder: give the key itself';
  return undefined;
}

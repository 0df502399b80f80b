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

/** Whether a key is a variable or a placeholder that nothing has replaced, or is still in quotes. */
export const isNotFilledIn = (key: string): boolean =>
  /^["']|["']$|^\$|^\{\{|^<.*>$|\.\.\.$|^sk_test_$/.test(key);

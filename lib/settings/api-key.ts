import { z } from 'zod';

/** Whether a text contains what looks like a key, of test mode or not (interface, section 5.2). */
export const containsKey = (text: string): boolean => /sk_(?:test|live)_\w/.test(text);

export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, {
  error:
    'expected printable ASCII without spaces, as it goes into an Authorization header; leave out the word Bearer',
});

/** Whether a key is a variable or a placeholder that nothing has replaced, or is still in quotes. */
export const isNotFilledIn = (key: string): boolean =>
  /^["']|["']$|^\$|^\{\{|^<.*>$|\.\.\.$|^sk_test_$/.test(key);

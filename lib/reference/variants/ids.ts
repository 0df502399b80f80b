import { randomInt, randomUUID } from 'node:crypto';
import type { Behaviour } from '../behaviour.ts';
import { variantsOf } from '../fault-or-variant.ts';

const sequential = (write: (count: number) => string) => (): Behaviour => {
  let count = 0;
  return { id: () => `cus_${write(++count)}` };
};
const made = (write: (fresh: string) => string) => (): Behaviour => ({
  id: (fresh) => `cus_${write(fresh.slice(4))}`,
});

/** The identifier after the prefix of an id. */
export const ids = variantsOf('2: the form of the identifier after cus_ is not shown')({
  'ids-sequential-from-1': sequential(String),
  'ids-sequential-from-0': sequential((count) => String(count - 1)),
  'ids-sequential-with-zeros': sequential((count) => String(count).padStart(10, '0')),
  'ids-sequential-descending': sequential((count) => String(9_007_199_254_740_991 - count)),
  'ids-uuid': made(() => randomUUID()),
  'ids-uuid-in-braces': made(() => `{${randomUUID().toUpperCase()}}`),
  'ids-hex-of-a-counter': sequential((count) => (count * 7919).toString(16).toUpperCase()),
  'ids-that-differ-by-case': sequential((count) =>
    Array.from('abcdefghijklm', (letter, at) => ((count >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  ),
  'ids-of-one-character-more': sequential((count) => 'x'.repeat(count)),
  'ids-of-300-characters': made((fresh) => fresh.padEnd(300, 'x')),
  'ids-with-the-prefix-twice': made((fresh) => `cus_${fresh}`),
  'ids-with-punctuation': made((fresh) => `eu.west:1/${fresh}~=+!`),
  'ids-beyond-ascii': sequential((count) => String.fromCodePoint(0x4e00 + count)),
  'ids-by-time': sequential(
    (count) => `${Date.now().toString(36)}${String(count).padStart(6, '0')}${randomInt(1e6)}`,
  ),
  'ids-base64': made((fresh) => `${Buffer.from(fresh).toString('base64')}==`),
});

import { describe, expect, it } from 'vitest';
import { measure } from './measure.ts';
import { hostile } from './targets.ts';

/** The quick ones of each kind; `npm run hostile` takes all. */
const quick = [
  'nothing listens',
  '300 megabytes',
  'a gzip bomb',
  'JSON nested a hundred thousand deep',
  'a status line that is none',
  'is away for a second',
  'dies after 100 requests',
  '429 for ever, tomorrow',
  'redirects to another host',
  'a certificate that nobody signed',
];

describe('a hostile target', () => {
  it.each(hostile.filter(({ name }) => quick.includes(name)))(
    '$name: the run ends as it must, in time, with a word of help',
    async (target) => {
      expect((await measure(target)).complaints).toEqual([]);
    },
  );

  it('is one of those that there are', () => {
    const names = hostile.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(quick));
    expect(new Set(names).size).toBe(names.length);
  });
});

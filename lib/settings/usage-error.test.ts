import { describe, expect, it } from 'vitest';
import { similarTo } from './usage-error.ts';

describe('similarTo', () => {
  it('suggests the texts that share most letters, in any order and case', () => {
    expect(similarTo('HTML-escape', ['name-trim', 'name-html-escape', 'id-null', 'x'])[0]).toBe(
      'name-html-escape',
    );
    expect(similarTo('', ['a', 'b'])).toEqual(['a', 'b']);
  });
});

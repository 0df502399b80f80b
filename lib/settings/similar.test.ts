import { describe, expect, it } from 'vitest';
import { similarTo } from './similar.ts';

describe('similarTo', () => {
  it('suggests the texts that share most letters, in any order and case', () => {
    expect(similarTo('HTML-escape', ['name-trim', 'name-html-escape', 'id-null', 'x'])).toMatch(
      /^name-html-escape, /,
    );
    expect(similarTo('', ['a', 'b'])).toBe('a, b');
  });
});

import { describe, expect, it } from 'vitest';
import { wrapped } from './text.ts';

describe('wrapped', () => {
  it('fills 80 columns and no more', () => {
    expect(wrapped(`${'a'.repeat(74)} bcd ef`, '  ')).toEqual([`  ${'a'.repeat(74)} bcd`, '  ef']);
    expect(wrapped(`${'a'.repeat(74)} bcde`, '  ')).toEqual([`  ${'a'.repeat(74)}`, '  bcde']);
  });

  it('leaves a word whole that is longer', () => {
    expect(wrapped(`one ${'w'.repeat(90)} two`, '- ')).toEqual(['- one', `  ${'w'.repeat(90)}`, '  two']);
  });

  it('leaves room beside what stands before, also in a narrow terminal', () => {
    const lines = wrapped('one two three four', 'x'.repeat(48), undefined, 30);
    expect(lines).toEqual([`${'x'.repeat(48)}one`, `${' '.repeat(20)}two three`, `${' '.repeat(20)}four`]);
  });
});

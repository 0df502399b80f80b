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
});

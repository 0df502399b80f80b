import { describe, expect, it } from 'vitest';
import { isOfOtherEncoding, isOfPlainInput } from './observation.ts';
import type { Observation } from './observation.ts';

describe('the category of a case', () => {
  const of = (category: string): Observation => ({ case: { category } }) as Observation;

  it.each([
    ['plain', true, false],
    ['plain | long address', false, false],
    ['plain, other encoding', false, true],
    ['other encoding', false, true],
  ])('%s tells whether the input is plain, and whether its encoding is another', (category, plain, other) => {
    expect([isOfPlainInput(of(category)), isOfOtherEncoding(of(category))]).toEqual([plain, other]);
  });
});

import { describe, expect, it } from 'vitest';
import { requirementIds } from './catalogue.ts';
import { explanationOf } from './explanations.ts';
import { questionIds } from './questions.ts';
import { outline } from './sections.ts';

describe('explanations', () => {
  it.each(requirementIds)('%s: in whole sentences, each its own', (id) => {
    const { why, tested, failure } = explanationOf(id);
    for (const text of [why, tested, failure]) expect(text).toMatch(/^[A-Z`{].{20,}[.…]$/s);
    expect(new Set([why, tested, failure]).size).toBe(3);
  });
});

describe('outline', () => {
  it('has every requirement and every question in one section', () => {
    expect(outline.flatMap(({ requirements }) => requirements).toSorted()).toEqual(requirementIds.toSorted());
    expect(outline.flatMap(({ questions }) => questions).toSorted()).toEqual(questionIds.toSorted());
  });

  it('is in the order of the document', () => {
    const numbers = outline.map(({ number }) => number);
    expect(numbers.slice(2, 8)).toEqual(['3', '4', '4.1', '4.2', '4.3', '5']);
    expect(numbers.at(-1)).toBe('9');
  });
});

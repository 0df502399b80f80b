import { describe, expect, it } from 'vitest';
import { requirementIds } from './catalogue.ts';
import { explanationOf } from './explanations.ts';

describe('explanations', () => {
  it.each(requirementIds)('%s: in whole sentences, each its own', (id) => {
    const { why, tested, failure } = explanationOf(id);
    for (const text of [why, tested, failure]) expect(text).toMatch(/^[A-Z`{].{20,}[.…]$/s);
    expect(new Set([why, tested, failure]).size).toBe(3);
  });
});

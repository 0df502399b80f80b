import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coveringArray } from './combinations.ts';

/** The combinations of levels of `strength` factors that no row contains. */
function uncovered(
  rows: readonly (readonly number[])[],
  levels: readonly number[],
  strength: number,
): string[] {
  const missing: string[] = [];
  const walk = (factor: number, chosen: readonly (readonly [number, number])[]): void => {
    if (chosen.length === strength) {
      if (!rows.some((row) => chosen.every(([at, level]) => row[at] === level)))
        missing.push(chosen.join(' '));
      return;
    }
    if (factor === levels.length) return;
    for (let level = 0; level < levels[factor]!; level++) walk(factor + 1, [...chosen, [factor, level]]);
    walk(factor + 1, chosen);
  };
  walk(0, []);
  return missing;
}

describe('a covering array', () => {
  it('contains each combination of levels of any two or three factors', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 6 }),
        fc.constantFrom(2, 3),
        (levels, strength) => {
          const rows = coveringArray(levels, strength);
          expect(uncovered(rows, levels, strength)).toEqual([]);
          expect(rows.flat().every((level) => Number.isInteger(level))).toBe(true);
        },
      ),
      { seed: 1, numRuns: 40 },
    );
  });

  it('needs few rows: hardly more than the product of the largest factors', () => {
    expect(coveringArray([9, 8, 7, 4, 4, 3, 2], 2).length).toBeLessThan(9 * 8 * 1.3);
    expect(coveringArray([6, 5, 4, 3, 3], 3).length).toBeLessThan(6 * 5 * 4 * 1.4);
  });

  it('is every combination, if there are no more factors than its strength', () => {
    expect(coveringArray([2, 2], 2)).toHaveLength(4);
    expect(coveringArray([3], 2)).toEqual([[0], [1], [2]]);
  });
});

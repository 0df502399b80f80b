import { describe, expect, it } from 'vitest';
import { textsUntilClash } from './birthday-problem.ts';

const numbered = (count: number, write: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => write(at));

/** Spreads the numbers over 4096 values, none twice. */
const scattered = (number: number): string => ((number * 2654435761) % 4096).toString(16).padStart(3, '0');

describe('the number of texts until two are equal', () => {
  it('is small for few possible values', () => {
    const left = textsUntilClash(numbered(100, (number) => `cus_${scattered(number)}`));
    // 4096 values: one in a thousand samples of 238 has no two that are the same.
    expect(left + 100).toBeGreaterThan(200);
    expect(left + 100).toBeLessThan(260);
  });

  it('is 0 if there are enough already', () => {
    expect(textsUntilClash(numbered(200, (number) => `cus_${number + 1}`))).toBe(0);
    expect(textsUntilClash(numbered(200, (number) => `cus_${String(number).padStart(10, '0')}`))).toBe(0);
  });

  it('is the same if two are equal already, as these may be allowed to be', () => {
    const texts = numbered(40, (number) => `tok_${scattered(number)}`);
    expect(textsUntilClash([...texts, texts[0]!])).toBeGreaterThan(100);
  });

  it('is large for many possible values', () => {
    const texts = numbered(50, (number) =>
      Buffer.from(`${number}${scattered(number)}`.repeat(3)).toString('base64'),
    );
    expect(textsUntilClash(texts)).toBeGreaterThan(10_000);
  });

  it('is 0 without texts', () => expect(textsUntilClash([])).toBe(0));
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, difference } from './difference.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const sides = (sent: string, got: string): [string, string] => {
  const hunks = compare(sent, got);
  const side = (other: 'gone' | 'new'): string =>
    hunks
      .filter(({ kind }) => kind !== other)
      .flatMap(({ points }) => points)
      .join('');
  return [side('new'), side('gone')];
};

describe('a difference', () => {
  it('contains both texts completely', () => {
    fc.assert(
      fc.property(text, text, (sent, got) => {
        expect(sides(sent, got)).toEqual([sent, got]);
      }),
    );
  });

  it('marks only what differs', () => {
    fc.assert(
      fc.property(text, text, text, (start, middle, end) => {
        const gone = compare(`${start}${middle}${end}`, `${start}${end}`).filter(
          ({ kind }) => kind !== 'same',
        );
        expect(gone.flatMap(({ points }) => points)).toHaveLength([...middle].length);
      }),
    );
    expect(compare('Zoë Müller', 'Zoe Müller')).toEqual([
      { kind: 'same', points: ['Z', 'o'] },
      { kind: 'gone', points: ['ë'] },
      { kind: 'new', points: ['e'] },
      { kind: 'same', points: [...' Müller'] },
    ]);
  });

  it('compares code points, never halves of a surrogate pair', () => {
    expect(compare('😀', '😁')).toEqual([
      { kind: 'gone', points: ['😀'] },
      { kind: 'new', points: ['😁'] },
    ]);
  });

  it('shows a different text as one change, not as scattered letters', () => {
    expect(compare('cus_abcdefgh', 'a wholly other thing')).toHaveLength(2);
  });

  it('is fast for long texts', () => {
    const [one, other] = ['ab'.repeat(20_000), 'ba'.repeat(20_000)];
    expect(sides(one, other)).toEqual([one, other]);
    expect(difference(one, other).points.toString().length).toBeLessThan(20_000);
  });

  it('lists each place by its code points, and names invisible characters', () => {
    const markup = difference('Ada\u200B B', 'Ada B\u0301').points.toString();
    expect(markup).toMatch(/at code point 4:[^.]*U\+200B[^.]*missing/s);
    expect(markup).toMatch(/before code point 7:[^.]*U\+0301[^.]*◌\u0301/s);
    expect(markup).toContain('title="U+200B zero width space">ZWSP<');
  });
});

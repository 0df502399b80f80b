import { describe, expect, it } from 'vitest';
import { echoText } from './finding.ts';

describe('the words for an echo that differs', () => {
  it('are both texts in full if they are short', () => {
    expect(echoText({ sent: 'a\tb', got: 'a b' })).toEqual({
      expected: '"a⟨TAB⟩b", as submitted',
      actual: '"a b" (differs at code point 2: U+0009 tab was sent, U+0020 space came back)',
    });
    expect(echoText({ sent: 'a', got: 'abc' }).actual).toBe('"abc" (2 code points longer than submitted)');
  });

  it('show a long text around the first difference, and never without the explanation', () => {
    const sent = `${'a'.repeat(3000)}😀${'b'.repeat(1000)}`;
    const { expected, actual } = echoText({ sent, got: sent.slice(0, 3000) });
    expect(expected).toBe(
      `code points 2971 to 3030 of 4001: "${'a'.repeat(30)}😀${'b'.repeat(29)}", as submitted`,
    );
    expect(actual).toBe(
      `code points 2971 to 3000 of 3000: "${'a'.repeat(30)}" (ends before code point 3001: U+1F600 😀 was sent)`,
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, printable, quoted } from './printable.ts';

describe('printable', () => {
  it('escapes control and invisible characters', () => {
    const unsafe = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => !unsafe.test(printable(text))),
    );
    expect(printable('a\u001B[31mb\r\n\u202Ec')).toBe(String.raw`a\u{1B}[31mb\r\n\u{202E}c`);
  });

  it('leaves readable text unchanged', () => {
    for (const text of ["O'Brien", 'Zoë', '日本語', '😀', 'İ', '<b>']) expect(printable(text)).toBe(text);
  });

  it('cuts a long text and appends its length', () => {
    expect(clipped('x'.repeat(400), 10)).toBe('xxxxxxxxxx… (400 characters)');
  });

  it('quotes unambiguously', () => {
    expect(quoted('a"b\\')).toBe(String.raw`"a\"b\\"`);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, printable, quoted, withoutCiCommands } from './printable.ts';

describe('printable', () => {
  it('escapes control and invisible characters', () => {
    const unsafe = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u00ad]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => !unsafe.test(printable(text))),
    );
    expect(printable('a\u001B[31mb\r\n\u202Ec')).toBe('a⟨ESC⟩[31mb⟨CR⟩⟨LF⟩⟨RLO⟩c');
  });

  it('never looks like an escape that was sent', () => {
    expect(quoted('a\tb')).toBe('"a⟨TAB⟩b"');
    expect(printable(String.raw`{"name":"a\tb"}`)).toBe(String.raw`{"name":"a\tb"}`);
    expect(quoted('a⟨TAB⟩b')).toBe('"a⟨U+27E8⟩TAB⟩b"');
  });

  it('leaves readable text unchanged', () => {
    for (const text of ["O'Brien", 'Zoë', '日本語', '😀', 'İ', '<b>']) expect(printable(text)).toBe(text);
  });

  it('cuts a long text and appends its length', () => {
    expect(clipped('x'.repeat(400), 10)).toBe('xxxxxxxxxx… (400 characters)');
  });

  it('has its own length after a second cut', () => {
    expect(clipped(clipped('x'.repeat(400), 100), 10)).toBe('xxxxxxxxxx… (400 characters)');
  });

  it('quotes unambiguously', () => {
    expect(quoted('a"b\\')).toBe(String.raw`"a\"b\\"`);
  });

  it('separates a combining mark at the beginning from the quotation mark', () => {
    expect(quoted('\u0301e\u0301')).toBe('"⟨U+0301⟩e\u0301"');
  });
});

describe('withoutCiCommands', () => {
  it('escapes each line that begins as a command of GitHub, after any white space', () => {
    expect(withoutCiCommands('::error::x\n  ::stop-commands::y\n\t::z\na ::b\n: :c\n')).toBe(
      '⟨U+003A⟩:error::x\n  ⟨U+003A⟩:stop-commands::y\n\t⟨U+003A⟩:z\na ::b\n: :c\n',
    );
  });
});

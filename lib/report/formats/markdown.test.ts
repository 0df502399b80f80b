import { describe, expect, it } from 'vitest';
import { codeSpan, untrusted, table } from './markdown.ts';

describe('text for Markdown', () => {
  it.each([
    ['words, 3/3 of them; (plain)', 'words, 3/3 of them; (plain)'],
    ['snake_case and _more_', String.raw`snake\_case and \_more\_`],
    ['@someone', '`@someone`'],
    ['see #1', '`see #1`'],
    ['<img src=x>', '`<img src=x>`'],
    ['*bold*', '`*bold*`'],
    ['www.evil.example', '`www.evil.example`'],
    ['//evil.example', '`//evil.example`'],
    ['a`b``c', '```a`b``c```'],
    ['two\nlines', '`two⟨LF⟩lines`'],
    ['', ''],
  ])('%j', (text, markdown) => {
    expect(untrusted(text)).toBe(markdown);
  });

  it('shows nothing as code, too', () => {
    expect(codeSpan('')).toBe('`(empty)`');
  });

  it('keeps to its cell', () => {
    expect(table(['x'], [[codeSpan('a|b')]])[2]).toBe(String.raw`| ${'`'}a\|b${'`'} |`);
  });
});

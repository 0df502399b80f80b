import { describe, expect, it } from 'vitest';
import { commandless } from './commandless.ts';

describe('commandless', () => {
  it('escapes each line that begins as a command of GitHub, after any white space', () => {
    expect(commandless('::error::x\n  ::stop-commands::y\n\t::z\na ::b\n: :c\n')).toBe(
      '\\u{3A}:error::x\n  \\u{3A}:stop-commands::y\n\t\\u{3A}:z\na ::b\n: :c\n',
    );
  });
});

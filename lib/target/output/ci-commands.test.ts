import { describe, expect, it } from 'vitest';
import { withoutCiCommands } from './ci-commands.ts';

describe('withoutCiCommands', () => {
  it('escapes each line that begins as a command of GitHub, after any white space', () => {
    expect(withoutCiCommands('::error::x\n  ::stop-commands::y\n\t::z\na ::b\n: :c\n')).toBe(
      '⟨U+003A⟩:error::x\n  ⟨U+003A⟩:stop-commands::y\n\t⟨U+003A⟩:z\na ::b\n: :c\n',
    );
  });
});

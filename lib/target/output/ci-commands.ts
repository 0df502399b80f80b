/**
 * Escapes lines that GitHub's runner would run as a command: those that begin with two colons, after any white space.
 * `printable` escapes the commands that may begin anywhere in a line.
 */
export const withoutCiCommands = (lines: string): string =>
  lines.replace(/^([^\S\n]*):(?=:)/gm, '$1⟨U+003A⟩');

/**
 * Lines that no CI system takes for a command: GitHub's runner obeys each line of a log that begins with two
 * colons, white space aside. What is obeyed from anywhere in a line, `printable` has taken out of foreign text.
 */
export const commandless = (lines: string): string =>
  lines.replace(/^([^\S\n]*):(?=:)/gm, String.raw`$1\u{3A}`);

export { cts, ctsInShell, vitest } from '../../selftest/command.ts';
export type { CommandResult as Ended, OnOutput } from '../../selftest/command.ts';

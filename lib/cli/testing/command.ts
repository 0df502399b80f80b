export { cts, ctsInShell, vitest } from '../../selftest/command.ts';
export { ctsInProcess } from '../../selftest/in-process.ts';
export type { CommandResult as Ended, OnOutput } from '../../selftest/command.ts';

import { join } from 'node:path';
import { vi } from 'vitest';
import { runCommand } from '../cli/commands.ts';
import { inheritedEnvironment, withReports } from './command.ts';
import type { CommandResult } from './command.ts';
import { newFolder } from './files.ts';

/**
 * Runs `cts-conformance` in the process of a test, which is much faster than a process of its own. Only for commands
 * that do not run the suites. One at a time, as the environment and the output belong to the process.
 */
export async function ctsInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const { env, exitCode } = process;
  const cwd = process.cwd();
  const folder = newFolder();
  const out = join(folder, 'out');
  let stdout = '';
  let stderr = '';
  const outputs = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((stdout += String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((stderr += String(text)))),
  ];
  process.chdir(folder);
  process.env = { ...inheritedEnvironment(), CTS_OUT: out, ...environment };
  process.exitCode = undefined;
  try {
    await runCommand(args);
    return withReports({ code: exitCodeSet(), signal: null, stdout, stderr }, out);
  } finally {
    for (const output of outputs) output.mockRestore();
    process.env = env;
    process.exitCode = exitCode;
    process.chdir(cwd);
  }
}

const exitCodeSet = (): number => Number(process.exitCode ?? 0);

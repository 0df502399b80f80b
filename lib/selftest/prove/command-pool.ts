import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { withReports } from '../command.ts';
import type { CommandResult, ProcessResult } from '../command.ts';
import { ctsInProcess } from '../in-process.ts';

interface CommandCall {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export type RunsCommand = (
  args: CommandCall['args'],
  environment: CommandCall['environment'],
) => Promise<CommandResult>;

/** Processes that run commands without Vitest, as many as are needed at a time. */
export function startCommandPool(): { readonly cts: RunsCommand; readonly stop: () => void } {
  const idle: ChildProcess[] = [];
  const start = (): ChildProcess => fork(import.meta.filename);
  return {
    cts: async (args, environment) => {
      const worker = idle.pop() ?? start();
      const settled = new AbortController();
      worker.send({ args, environment } satisfies CommandCall);
      const [result] = (await Promise.race(
        ['message', 'exit'].map((event) => once(worker, event, { signal: settled.signal })),
      )) as [(ProcessResult & { readonly out: string }) | number | null];
      settled.abort();
      if (result === null || typeof result === 'number')
        throw new Error(`a process of the pool ended during: ${args.join(' ')}`);
      idle.push(worker);
      return withReports(result, result.out);
    },
    stop: () => {
      for (const worker of idle) worker.disconnect();
    },
  };
}

// In a process of the pool: one command after the other, with its code loaded once.
if (import.meta.main) {
  process.once('disconnect', () => process.exit());
  process.on('message', async ({ args, environment }: CommandCall) => {
    const { code, signal, stdout, stderr, out } = await ctsInProcess(args, environment);
    process.send!({ code, signal, stdout, stderr, out });
  });
}

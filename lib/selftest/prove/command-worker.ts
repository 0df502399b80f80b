import { ctsInProcess } from '../in-process.ts';
import type { CommandCall } from './command-pool.ts';

// A process of the pool: runs one command after the other, with its code loaded once.
process.on('message', async ({ args, environment }: CommandCall) => {
  const { code, signal, stdout, stderr, out } = await ctsInProcess(args, environment);
  process.send!({ code, signal, stdout, stderr, out });
});

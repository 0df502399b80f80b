#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { programFor } from './commands.ts';
import { catchAllDefects, endAsDefect, reportError } from './errors.ts';
import { rejectKeys } from './options.ts';

catchAllDefects();

// A reader that closes the pipe early, such as head, is no error; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') endAsDefect();
});

// Most of the time to start is compiling: compiled code is cached in the folder for temporary files. The variable
// passes the folder on to threads and child processes.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory;

const args = process.argv.slice(2);

try {
  rejectKeys(args);
  const program = await programFor(args);
  await program.parseAsync(args, { from: 'user' });
} catch (error) {
  reportError(error);
}

import { catchAllDefects, endAsDefect } from './errors.ts';

catchAllDefects();

// A reader that closes the pipe early, such as head, is not an error; a full disk is one.
let isReported = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isReported) return;
  isReported = true;
  process.stderr.write(`cts-conformance: the output can't be written (${code})\n`);
  endAsDefect();
});

const { runCommand } = await import('./commands.ts');
await runCommand(process.argv.slice(2));

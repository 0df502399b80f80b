import { catchAllDefects, endAsDefect } from './errors.ts';

catchAllDefects();

// A reader that closes the pipe early, such as head, is not an error; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') endAsDefect();
});

const { runCommand } = await import('./commands.ts');
await runCommand(process.argv.slice(2));

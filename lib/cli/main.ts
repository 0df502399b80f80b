import { enableCompileCache } from 'node:module';

// Most of the time to start is compiling: compiled code is cached in the folder for temporary files. The variable
// passes the folder on to threads and child processes. Only what is imported afterwards is cached.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory;

const { catchAllDefects, endAsDefect } = await import('./errors.ts');
catchAllDefects();

// A reader that closes the pipe early, such as head, is no error; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') endAsDefect();
});

const { runCommand } = await import('./commands.ts');
await runCommand(process.argv.slice(2));

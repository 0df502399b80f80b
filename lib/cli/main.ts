#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { UsageError } from '../settings/settings.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { commands } from './commands.ts';
import { catchAllDefects, endAsDefect, reportDefect } from './defect.ts';
import { suite } from '../report/suite.ts';

catchAllDefects();

// A reader that has seen enough, such as head, is no fault; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') endAsDefect();
});

// Compiled code is kept for the next run, in the folder for temporary files: most of a start is compiling. Threads and
// other processes of this one learn of it from the variable.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory;

// Less room for garbage than Node gives itself, in megabytes: a run shares its CI machine with others.
setFlagsFromString('--max-semi-space-size=4');

const [first, ...rest] = process.argv.slice(2);

try {
  if (first === '--help' || first === '-h' || first === 'help') {
    const { generalHelp } = await import('./help.ts');
    process.stdout.write(generalHelp());
  } else if (first === '--version') process.stdout.write(`${suite.version}\n`);
  else if (first === undefined || first.startsWith('-')) await commands.run.main(process.argv.slice(2));
  else if (Object.hasOwn(commands, first)) await commands[first as keyof typeof commands].main(rest);
  else throw new UsageError(`there is no such command; known are ${Object.keys(commands).join(', ')}`);
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`cts: ${error.message}\n`);
    process.exitCode = exitCodes.usage;
  } else reportDefect(error);
}

#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { UsageError } from '../settings/settings.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { commands } from './commands.ts';
import { generalHelp } from './help.ts';
import { suite } from '../report/suite.ts';

// A reader that has seen enough, such as head, is no fault; a full disk is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exitCode = exitCodes.defect;
});

// Less room for garbage than Node gives itself, in megabytes: a run shares its CI machine with others.
setFlagsFromString('--max-semi-space-size=4');

const [first, ...rest] = process.argv.slice(2);

try {
  if (first === '--help' || first === '-h' || first === 'help') process.stdout.write(generalHelp());
  else if (first === '--version') process.stdout.write(`${suite.version}\n`);
  else if (first === undefined || first.startsWith('-')) await commands.run.main(process.argv.slice(2));
  else if (Object.hasOwn(commands, first)) await commands[first as keyof typeof commands].main(rest);
  else throw new UsageError(`there is no such command; known are ${Object.keys(commands).join(', ')}`);
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`cts: ${error.message}\n`);
    process.exitCode = exitCodes.usage;
  } else {
    process.stderr.write(
      `cts: the suite itself failed, please report it: ${(error as Error).stack ?? String(error)}\n`,
    );
    process.exitCode = exitCodes.defect;
  }
}

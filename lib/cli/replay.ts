import { join } from 'node:path';
import { requirementIds } from '../requirements/catalogue.ts';
import { finishReplay } from '../report/finish-replay.ts';
import { UsageError } from '../settings/settings.ts';
import { readCase } from './case-file.ts';
import { readFlags, settingFlags, settingsFrom } from './flags.ts';
import { settingsHelp } from './help.ts';
import { runSuites } from './run.ts';

const help = (): string => `cts replay: sends a recorded counterexample again: is it fixed?

Usage: cts replay FILE|ID [flags]

FILE is a case that a run has written; an ID stands for its file in the folder
of the reports. It is sent three times; ten times, if it did not break each time
when it was found. Addresses are marked anew, so that a service which takes none
twice is not in the way.

${settingsHelp()}
Examples:
  cts replay customer.name.echoed
  cts replay reports/cases/customer.name.echoed.json --base-url https://staging.example.com

Exit codes:
  0  FIXED: it holds now, each time it was sent, and it broke each time before
  1  STILL FAILS: it broke at least once
  2  wrong usage or settings; nothing was sent
  3  NOT REPRODUCED: it holds now, but it did not break each time before either;
     or INCONCLUSIVE: no reply, or the target now refuses the input
`;

/** The command `cts replay`. Sets the exit code. */
export async function replay(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, settingFlags, { mostPositionals: 1 });
  if (flags.help) {
    process.stdout.write(help());
    return;
  }
  const settings = settingsFrom(flags);
  const [named] = flags.positionals;
  if (named === undefined)
    throw new UsageError('replay needs the file of a case, or the id of a requirement');
  const isId = (requirementIds as readonly string[]).includes(named);
  const recorded = readCase(isId ? join(settings.out, 'cases', `${named}.json`) : named);
  await runSuites({ ...settings, only: recorded.requirement, replay: recorded }, finishReplay);
}

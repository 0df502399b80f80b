import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requirementIds } from '../engine/catalogue.ts';
import { finishReplay } from '../report/finish-replay.ts';
import { UsageError } from '../settings/settings.ts';
import { readCase } from './case-file.ts';
import type { SettingName } from '../settings/settings.ts';
import { flagsOf, readFlags, settingsFrom } from './flags.ts';
import { settingsHelp } from './help.ts';
import { nearest } from './nearest.ts';
import { runSuites } from './run.ts';

const taken = [
  'baseUrl',
  'apiKey',
  'profile',
  'tokenScopes',
  'tokenExpiresIn',
  'concurrency',
  'rate',
  'maxRequests',
  'timeBudget',
  'timeout',
  'out',
  'allowLiveKey',
] as const satisfies readonly SettingName[];

const help = (): string => `cts replay: sends a recorded counterexample again: is it fixed?

Usage: cts replay FILE|ID [flags]

FILE is a case that a run has written; an ID stands for its file in the folder
of the reports. It is sent three times; ten times, if it did not break each time
when it was found. Addresses are marked anew, so that a service which takes none
twice is not in the way.

${settingsHelp([], taken)}
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

/** The file that is meant. @throws {UsageError} for an id that there is not, or that has no case */
function fileOf(named: string, out: string): string {
  if (existsSync(named) || /[\\/]|\.json$/.test(named)) return named;
  if (!(requirementIds as readonly string[]).includes(named))
    throw new UsageError(
      `replay: there is neither a requirement with this id nor such a file; near ids are ${nearest(named, requirementIds).join(', ')}`,
    );
  const file = join(out, 'cases', `${named}.json`);
  if (!existsSync(file))
    throw new UsageError(
      `replay: ${file}: there is no such case; a run writes one where this requirement fails`,
    );
  return file;
}

/** The command `cts replay`. Sets the exit code. */
export async function replay(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, flagsOf(taken), { mostPositionals: 1 });
  if (flags.help) {
    process.stdout.write(help());
    return;
  }
  const settings = await settingsFrom(flags);
  const [named] = flags.positionals;
  if (named === undefined)
    throw new UsageError('replay needs the file of a case, or the id of a requirement');
  const recorded = readCase(fileOf(named, settings.out));
  // The embedded service keeps the interface: what broke elsewhere would always be fixed there.
  if (settings.baseUrl === undefined)
    throw new UsageError('replay: TARGET_BASE_URL is missing: say which service it is to be sent to again');
  await runSuites({ ...settings, only: recorded.requirement, replay: recorded }, finishReplay);
}

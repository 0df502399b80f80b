import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { requirementIds } from '../requirements/catalogue.ts';
import { finishReplay } from '../report/finish-replay.ts';
import { UsageError } from '../settings/settings.ts';
import type { ReplayedCase } from '../settings/settings.ts';
import { readFlags, settingFlags, settingsFrom } from './flags.ts';
import { settingsHelp } from './help.ts';
import { runSuites } from './run.ts';

const help = (): string => `cts replay: sends a recorded counterexample again and says whether it still fails

Usage: cts replay FILE|ID [flags]

FILE is a case that a run has written; an ID stands for its file in the folder of the reports.
Addresses are marked anew, so that a service which takes none twice is not in the way.

${settingsHelp()}
Examples:
  cts replay customer.name.echoed
  cts replay reports/cases/customer.name.echoed.json --base-url https://staging.example.com

Exit codes:
  0  it holds now, each time it was sent
  1  it still fails
  2  wrong usage or settings; nothing was sent
  3  inconclusive: no reply, or the target now refuses the input
`;

const caseFile = z.object({
  requirement: z.enum(requirementIds),
  counterexample: z.object({
    experiments: z.array(z.string()).min(1),
    family: z.string(),
    input: z.unknown(),
  }),
});

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

/** @throws {UsageError} when the file is not a case */
function readCase(path: string): ReplayedCase {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${path}: it cannot be read (${(error as NodeJS.ErrnoException).code}); a run that fails writes its cases`,
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`${path}: it is not JSON`);
  }
  const result = caseFile.safeParse(json);
  if (!result.success) throw new UsageError(`${path}: it is not a case that cts has written`);
  const { requirement, counterexample } = result.data;
  const { experiments, family, input } = counterexample;
  const inputs = experiments.length > 1 && Array.isArray(input) ? (input as unknown[]) : [input];
  return { requirement, experiments, family, inputs };
}

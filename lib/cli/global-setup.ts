import type { TestProject } from 'vitest/node';
import { removeEarlierReports } from '../report/folder.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Settings } from '../settings/run-settings.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { settingsOf } from './options.ts';
import { startTarget } from './start-target.ts';

/**
 * Provides the target to the suites: with the settings of the command line, or, under plain `vitest run`, with those of
 * the environment.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { commandSettings: given } = project.getProvidedContext();
  const { settings, stop } = await startTarget(given ?? (await settingsOfEnvironment(project)));
  project.provide('targetSettings', settings);
  return stop;
}

async function settingsOfEnvironment({ config }: TestProject): Promise<Settings> {
  try {
    if (config.maxWorkers !== 1)
      throw new UsageError(
        'the conformance project runs in one worker, as its files share one run; leave out --maxWorkers, and unset VITEST_MAX_WORKERS',
      );
    const settings = await settingsOf();
    // The command line does this. With another reporter than ours there will be none, and no earlier ones either.
    removeEarlierReports(settings.out);
    // Vitest shows the failures.
    return { ...settings, verbosity: 'verdict' };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodes.usage);
  }
}

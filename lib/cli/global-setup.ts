import type { TestProject } from 'vitest/node';
import { removeReports } from '../report/write.ts';
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
  const { settings: given } = project.getProvidedContext();
  const { settings, stop } = await startTarget(given ?? (await settingsOfEnvironment()));
  // The command line has removed them. With another reporter than ours there will be none, and no earlier ones either.
  if (given === undefined) removeReports(settings.out);
  project.provide('target', settings);
  return stop;
}

async function settingsOfEnvironment(): Promise<Settings> {
  try {
    // Vitest shows the failures.
    return { ...(await settingsOf()), detail: 'verdict' };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodes.usage);
  }
}

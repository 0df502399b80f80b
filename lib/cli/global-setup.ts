import type { TestProject } from 'vitest/node';
import { removeReports } from '../report/write.ts';
import { UsageError } from '../settings/usage-error.ts';
import { direct } from '../settings/route.ts';
import type { Settings, TargetSettings } from '../settings/run-settings.ts';
import { printable } from '../target/output/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { settingsOf } from './options.ts';

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

/** The target that the settings name, or else the reference service, started. */
export async function startTarget(
  settings: Settings,
): Promise<{ readonly settings: TargetSettings; readonly stop: () => Promise<void> }> {
  const { baseUrl, apiKey, wait, timeout, route } = settings;
  if (baseUrl !== undefined && apiKey !== undefined) {
    if (wait > 0) {
      // It loads the HTTP client, which only the thread of the suites needs otherwise.
      const { waitUntilAnswered } = await import('../target/connections/wait.ts');
      await waitUntilAnswered({ baseUrl, route }, wait, timeout * 1000, (text) =>
        process.stdout.write(`${printable(text)}\n`),
      );
    }
    return { settings: { ...settings, baseUrl, apiKey, embedded: false }, stop: async () => {} };
  }
  // Loaded only when it is the target.
  const { startReference } = await import('../reference/start.ts');
  const reference = await startReference();
  return {
    settings: {
      ...settings,
      baseUrl: reference.baseUrl,
      apiKey: reference.apiKey,
      embedded: true,
      route: direct,
    },
    stop: () => reference.stop(),
  };
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

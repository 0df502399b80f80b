import type { TestProject } from 'vitest/node';
import { checkProfile } from '../engine/declared.ts';
import { readDotenv, readSettings } from '../settings/sources.ts';
import { UsageError } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { targetOf } from './target-of.ts';

/**
 * Makes the target known to the suites: as the command line has settled it, or, under plain
 * `vitest run`, as the environment says. Without a base URL the reference service is started.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { settings, release } = await targetOf(
    project.getProvidedContext().settings ?? settingsOfEnvironment(),
  );
  project.provide('target', settings);
  return release;
}

function settingsOfEnvironment(): Settings {
  try {
    const settings = readSettings({ environment: process.env, dotenv: readDotenv('.env') });
    checkProfile(settings.profile);
    return settings;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodes.usage);
  }
}

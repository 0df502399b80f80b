import type { TestProject } from 'vitest/node';
import { checkProfile } from '../requirements/declared.ts';
import { readDotenv } from '../settings/dotenv.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { UsageError } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { exitCodes } from '../verdict/verdict.ts';

/**
 * Makes the target known to the suites: as the command line has settled it, or, under plain
 * `vitest run`, as the environment says. Without a base URL the reference service is started.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const settings = project.getProvidedContext().settings ?? settingsOfEnvironment();
  const { baseUrl, apiKey } = settings;
  if (baseUrl !== undefined && apiKey !== undefined) {
    project.provide('target', { ...settings, baseUrl, apiKey, embedded: false });
    return undefined;
  }
  // Loaded only where it is the target.
  const { startReference } = await import('../reference/start.ts');
  const reference = await startReference();
  const { baseUrl: embeddedUrl, apiKey: embeddedKey } = reference;
  project.provide('target', { ...settings, baseUrl: embeddedUrl, apiKey: embeddedKey, embedded: true });
  return () => reference.stop();
}

function settingsOfEnvironment(): Settings {
  try {
    const settings = resolveSettings({ environment: process.env, dotenv: readDotenv('.env') });
    checkProfile(settings.profile);
    return settings;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(exitCodes.usage);
  }
}

import type { Settings, TargetSettings } from '../settings/settings.ts';

/** A target that is there until it is let go. */
export interface HeldTarget {
  readonly settings: TargetSettings;
  readonly release: () => Promise<void>;
}

/** The target that was named; where none was, the reference service, started. */
export async function targetOf(settings: Settings): Promise<HeldTarget> {
  const { baseUrl, apiKey } = settings;
  if (baseUrl !== undefined && apiKey !== undefined)
    return { settings: { ...settings, baseUrl, apiKey, embedded: false }, release: async () => {} };
  // Loaded only where it is the target.
  const { startReference } = await import('../reference/start.ts');
  const reference = await startReference();
  return {
    settings: { ...settings, baseUrl: reference.baseUrl, apiKey: reference.apiKey, embedded: true },
    release: () => reference.stop(),
  };
}

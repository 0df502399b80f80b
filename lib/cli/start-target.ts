import { direct } from '../settings/route.ts';
import type { Settings, TargetSettings } from '../settings/run-settings.ts';
import { print } from './output.ts';
import { printable } from '../target/output/printable.ts';

/** The target that the settings name, or else the reference service, started. */
export async function startTarget(
  settings: Settings,
): Promise<{ readonly settings: TargetSettings; readonly stop: () => Promise<void> }> {
  const { baseUrl, apiKey, wait, timeout, route } = settings;
  if (baseUrl !== undefined && apiKey !== undefined) {
    if (wait > 0) {
      // Imported here because it loads the HTTP client, which otherwise only the thread of the suites needs.
      const { waitUntilAnswered } = await import('../target/connections/wait.ts');
      await waitUntilAnswered({ baseUrl, route }, wait, timeout * 1000, (text) =>
        print(`${printable(text)}\n`),
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

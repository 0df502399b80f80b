import type { RunLine } from '../schemas/evidence.ts';
import { pick } from '../schemas/json.ts';
import { routeRecordedAs } from '../settings/route.ts';
import type { Settings } from '../settings/run-settings.ts';
import { readSettings } from '../settings/sources.ts';

/** The settings under which recorded evidence is judged. @param path of the evidence */
export const recordedSettings = (line: RunLine, path: string, out: string): Settings => ({
  ...readSettings({}),
  ...pick(line, [
    'baseUrl',
    'seed',
    'cases',
    'strict',
    'tokenScopes',
    'tokenExpiresIn',
    'emailDomain',
    'profile',
    'baseline',
    'only',
  ]),
  route: routeRecordedAs(line.route),
  // Evidence has this in place of the key.
  apiKey: '[key]',
  out,
  recording: { path, startedAt: new Date(line.startedAt) },
});

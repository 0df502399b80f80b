import type { RunLine } from '../schemas/evidence.ts';
import { routeRecordedAs } from '../settings/route.ts';
import type { Settings } from '../settings/run-settings.ts';
import { readSettings } from '../settings/sources.ts';

/** The settings under which recorded evidence is judged. @param path of the evidence */
export const recordedSettings = (
  {
    baseUrl,
    startedAt,
    seed,
    cases,
    strict,
    tokenScopes,
    tokenExpiresIn,
    profile,
    baseline,
    only,
    route,
  }: RunLine,
  path: string,
  out: string,
): Settings => ({
  ...readSettings({}),
  baseUrl,
  route: routeRecordedAs(route),
  // Evidence has this in place of the key.
  apiKey: '[key]',
  seed,
  cases,
  strict,
  tokenScopes,
  tokenExpiresIn,
  profile,
  baseline,
  recordedAt: new Date(startedAt),
  out,
  evidence: path,
  only,
});

import type { RunLine } from '../schemas/evidence.ts';
import { readSettings } from '../settings/sources.ts';
import type { Settings } from '../settings/settings.ts';

/** The settings under which recorded evidence is judged. @param path of the evidence */
export const recordedSettings = (
  { baseUrl, seed, strict, tokenScopes, tokenExpiresIn, profile, only }: RunLine,
  path: string,
  out: string,
): Settings => ({
  ...readSettings({}),
  baseUrl,
  // As it stands in evidence, in place of the key.
  apiKey: '[key]',
  seed,
  strict,
  tokenScopes,
  tokenExpiresIn,
  profile,
  out,
  evidence: path,
  only,
});

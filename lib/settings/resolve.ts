import { randomInt } from 'node:crypto';
import { budgetsFor, depths } from './depth.ts';
import { looksLikeKey, readAs } from './readers.ts';
import { UsageError } from './settings.ts';
import type { Settings } from './settings.ts';
import { variables } from './variables.ts';
import type { Variable } from './variables.ts';

/** Where a setting may come from, the strongest first. Values are raw text. */
export interface Sources {
  /** By flag name without dashes. */
  readonly flags?: Readonly<Record<string, string | undefined>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly dotenv?: Readonly<Record<string, string | undefined>>;
}

/**
 * Merges the sources (flag, environment, `.env`, default) into frozen settings, with the profile that they name.
 * @throws {UsageError} for the first value that is not usable; the value itself is never in the message.
 */
export async function readSettings(sources: Sources): Promise<Settings> {
  checkNames(sources);
  const settings = resolveSettings(sources);
  const found = find(variables.profile, sources);
  if (found === undefined) return settings;
  // Most runs have none: what reads it is loaded for those that have.
  const { readProfile } = await import('./profile.ts');
  const profile = readProfile(found.text.trim());
  if ('problem' in profile) throw new UsageError(`${found.name}: ${profile.problem}`);
  return Object.freeze({ ...settings, profile });
}

/**
 * Merges the sources into frozen settings, without a profile.
 * @throws {UsageError} for the first value that is not usable; the value itself is never in the message.
 */
export function resolveSettings(sources: Sources): Settings {
  const read = <T>(variable: Variable<T>): T | undefined => {
    const found = find(variable, sources);
    if (found === undefined) return undefined;
    if (found.text.trim() === '') {
      throw new UsageError(`${found.name} is empty: give it a value (${variable.help}) or leave it out`);
    }
    // A secret is no argument, no path and no number: it would stand in what is printed and written.
    if (variable !== variables.apiKey && looksLikeKey.test(found.text) && variable !== variables.baseUrl)
      throw new UsageError(`${found.name}: holds a key; give the key as TARGET_API_KEY only`);
    return readAs(found.name, variable.read, found.text.trim());
  };
  // Where it is given, it must be usable as any other is.
  read(variables.profile);
  const depth = read(variables.depth) ?? 'default';
  const cases = read(variables.cases) ?? depths[depth];
  const budgets = budgetsFor(cases);
  const settings: Settings = {
    baseUrl: read(variables.baseUrl),
    apiKey: read(variables.apiKey),
    profile: undefined,
    writeProfile: sources.flags?.['write-profile'],
    tokenScopes: Object.freeze(read(variables.tokenScopes) ?? ['customers:read']),
    tokenExpiresIn: read(variables.tokenExpiresIn) ?? 3600,
    depth,
    cases,
    shard: read(variables.shard),
    seed: read(variables.seed) ?? randomInt(2 ** 31),
    concurrency: read(variables.concurrency) ?? 16,
    rate: read(variables.rate) ?? 0,
    maxRequests: read(variables.maxRequests) ?? budgets.maxRequests,
    timeBudget: read(variables.timeBudget) ?? budgets.timeBudget,
    timeout: read(variables.timeout) ?? 10,
    out: read(variables.out) ?? 'reports',
    reports: Object.freeze([...new Set(read(variables.reports))]),
    strict: read(variables.strict) ?? false,
    allowLiveKey: read(variables.allowLiveKey) ?? false,
    only: sources.flags?.['only'],
    replay: undefined,
    evidence: undefined,
    corpus: [],
    detail: detailOf(sources.flags ?? {}),
    own: undefined,
  };
  if (settings.shard !== undefined && find(variables.seed, sources) === undefined)
    throw new UsageError(
      'CTS_SEED (--seed) is missing: runs that share cases (--shard) must draw the same, so give each of them the same seed',
    );
  if (settings.shard !== undefined && settings.baseUrl === undefined)
    throw new UsageError(
      'TARGET_BASE_URL is missing: runs that share cases (--shard) must have one target, and without it each would start a service of its own',
    );
  checkTogether(settings);
  return Object.freeze(settings);
}

/** A misspelt variable would be passed over, and the wrong service checked. @throws {UsageError} that names it */
function checkNames({ environment = {}, dotenv = {} }: Sources): void {
  const known = Object.values(variables).map(({ env }) => env);
  const inShort = (name: string): string => name.toUpperCase().replaceAll('_', '').replace(/S$/, '');
  for (const [where, names] of [
    ['', Object.keys(environment)],
    [' (in .env)', Object.keys(dotenv)],
  ] as const) {
    for (const name of names.filter((one) => !known.includes(one))) {
      const meant = known.find((one) => inShort(one) === inShort(name));
      if (meant !== undefined)
        throw new UsageError(`${name}${where}: there is no such setting; ${meant} is meant, it seems`);
    }
  }
}

function find<T>(variable: Variable<T>, sources: Sources): { name: string; text: string } | undefined {
  const byFlag = variable.flag === undefined ? undefined : sources.flags?.[variable.flag];
  if (byFlag !== undefined) return { name: `--${variable.flag}`, text: byFlag };
  const byEnvironment = sources.environment?.[variable.env];
  if (byEnvironment !== undefined) return { name: variable.env, text: byEnvironment };
  const byFile = sources.dotenv?.[variable.env];
  if (byFile !== undefined) return { name: `${variable.env} (in .env)`, text: byFile };
  return undefined;
}

function detailOf({ quiet, verbose }: NonNullable<Sources['flags']>): Settings['detail'] {
  if (quiet !== undefined && verbose !== undefined)
    throw new UsageError('--quiet and --verbose: give one of the two');
  return quiet === undefined ? (verbose === undefined ? 'normal' : 'verbose') : 'quiet';
}

function checkTogether({ baseUrl, apiKey, allowLiveKey }: Settings): void {
  if (baseUrl !== undefined && apiKey === undefined) {
    throw new UsageError(
      'TARGET_API_KEY is missing: a base URL is given, so set its key in the environment or in .env',
    );
  }
  if (baseUrl === undefined && apiKey !== undefined) {
    throw new UsageError(
      'TARGET_BASE_URL is missing: a key is given, so say which service it belongs to; without both, the embedded reference service is checked',
    );
  }
  if (apiKey !== undefined && !apiKey.startsWith('sk_test_') && !allowLiveKey) {
    throw new UsageError(
      'TARGET_API_KEY does not start with sk_test_: the suite creates customers, so give a test-mode key, or add --allow-live-key if you mean it',
    );
  }
}

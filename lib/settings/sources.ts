import { resolve } from 'node:path';
import { isAuto, shardOfCi } from './ci-shard.ts';
import { withVariables } from './headers.ts';
import { chooseProxy } from './proxy.ts';
import type { ProxyChoice } from './proxy.ts';
import { checkCombination, withDerivedDefaults } from './run-settings.ts';
import { REPORT, reportIn } from './files.ts';
import { direct, routeOf } from './route.ts';
import { describeSetting, settingNames, settingsSchema, variableNames } from './settings.ts';
import { containsKey } from './api-key.ts';
import { UsageError, prefixUsageErrors } from './usage-error.ts';
import type { Settings } from './run-settings.ts';
import type { SettingName } from './settings.ts';
import { meantBy } from './misspelt.ts';

/** Where settings come from, in the order of precedence. Values are raw text. */
export interface Sources {
  /** By flag name without dashes. */
  readonly flags?: Readonly<Record<string, string | undefined>> | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  readonly dotenv?: NodeJS.ProcessEnv;
}

/** The text of a setting, and its flag or variable. */
interface Given {
  readonly source: string;
  readonly text: string;
}

/**
 * Merges the sources (flag, environment, `.env`, default) into frozen settings.
 * @throws {UsageError} with a line for each setting whose value is unusable; it never shows the value
 */
export function readSettings(sources: Sources): Settings {
  const given = new Map(
    settingNames.flatMap((name) => {
      const one = find(name, sources);
      return one ? [[name, one]] : [];
    }),
  );
  rejectMisspelt(sources, given);
  const problems: string[] = [];
  for (const [name, { source, text }] of given) {
    if (text === '')
      problems.push(`${source} is empty: give it a value (${describeSetting(name).help}) or leave it out`);
    // The base URL has a message of its own. Other values are printed and written into reports.
    else if (name !== 'apiKey' && name !== 'baseUrl' && containsKey(text))
      problems.push(`${source}: holds a key; give the key as TARGET_API_KEY only`);
    else continue;
    given.delete(name);
  }
  assignShard(given, sources.environment ?? {});
  const texts = Object.fromEntries([...given].map(([name, { text }]) => [name, text]));
  const result = settingsSchema.safeParse({ ...texts, route: texts });
  for (const { path, message } of result.error?.issues ?? []) {
    const { source } = given.get((path[0] === 'route' ? path[1] : path[0]) as SettingName)!;
    if (!problems.some((problem) => problem.startsWith(`${source}:`))) problems.push(`${source}: ${message}`);
  }
  if (!result.success || problems.length > 0) throw new UsageError(problems.join(';\n  '));
  checkCombination(result.data);
  const { route, http, useProxy, ...settings } = withDerivedDefaults(result.data);
  const { baseUrl } = settings;
  checkBaseline(given.get('baseline'), settings.out);
  const { environment = {}, dotenv = {} } = sources;
  const headers = prefixUsageErrors(given.get('headers')?.source ?? '', () =>
    withVariables(route.headers, { ...dotenv, ...environment }, settings),
  );
  const unwanted = route.unixSocket ? 'the Unix socket' : useProxy ? undefined : '--no-proxy';
  const choose = (url: string): ProxyChoice => chooseProxy(url, unwanted, [environment, dotenv]);
  return Object.freeze({
    ...settings,
    route: baseUrl === undefined ? direct : routeOf({ ...route, headers }, choose(baseUrl), http, baseUrl),
    verbosity: 'normal',
    customSuites: undefined,
    savedCases: [],
    replay: undefined,
    recording: undefined,
  } as const);
}

/** @throws {UsageError} for a baseline that a run replaces: for the next run, all failures of this one would be known */
function checkBaseline(baseline: Given | undefined, out: string): void {
  if (baseline && resolve(reportIn(baseline.text)) === resolve(out, REPORT))
    throw new UsageError(
      `${baseline.source}: every run replaces this file; copy it to another place, and name the copy`,
    );
}

/** Gives `--shard auto` the shard and, unless there is one, the seed that the CI system implies. @throws {UsageError} */
function assignShard(given: Map<SettingName, Given>, environment: NodeJS.ProcessEnv): void {
  const asked = given.get('shard');
  if (asked === undefined || !isAuto(asked.text)) return;
  const { shard, seed } = shardOfCi(asked.text, asked.source, environment);
  given.set('shard', { ...asked, text: shard });
  if (seed !== undefined && !given.has('seed')) given.set('seed', { ...asked, text: seed });
}

function find(name: SettingName, { flags, environment, dotenv }: Sources): Given | undefined {
  const { flag, variable } = describeSetting(name);
  const candidates = [
    [`--${flag}`, flag && flags?.[flag]],
    [`${variable}`, variable && environment?.[variable]],
    [`${variable} (in .env)`, variable && dotenv?.[variable]],
  ] as const;
  const found = candidates.find(([, text]) => text !== undefined);
  return found && { source: found[0], text: found[1]!.trim() };
}

/**
 * A misspelt variable would be ignored, and another service checked than the user meant.
 * @throws {UsageError} that names it
 */
function rejectMisspelt(
  { environment = {}, dotenv = {} }: Sources,
  given: ReadonlyMap<SettingName, Given>,
): void {
  // Headers may have values of other variables.
  const headers = given.get('headers')?.text ?? '';
  const isGiven = (variable: string): boolean =>
    [...given.keys()].some((name) => describeSetting(name).variable === variable);
  for (const [source, names] of [
    ['', Object.keys(environment)],
    [' (in .env)', Object.keys(dotenv)],
  ] as const) {
    for (const name of names.filter((one) => !variableNames.includes(one) && !headers.includes(one))) {
      const meant = meantBy(name, isGiven);
      if (meant !== undefined)
        throw new UsageError(`${name}${source}: unknown setting; did you mean ${meant}?`);
    }
  }
}

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'dotenv';
import { isAuto, shardOfCi } from './ci-shard.ts';
import { withVariables } from './headers.ts';
import { chooseProxy } from './proxy.ts';
import type { ProxyChoice } from './proxy.ts';
import { checkCombination, withDerivedDefaults } from './run-settings.ts';
import { REPORT, reportIn } from './files.ts';
import { direct, routeOf } from './route.ts';
import { describeSetting, describedSettings, settingNames, settingsSchema } from './settings.ts';
import { containsKey } from './api-key.ts';
import { UsageError, prefixUsageErrors, unreadable } from './usage-error.ts';
import type { Settings } from './run-settings.ts';
import type { SettingName } from './settings.ts';

/** Where settings come from, in the order of precedence. Values are raw text. */
export interface Sources {
  /** By flag name without dashes. */
  readonly flags?: Readonly<Record<string, string | undefined>> | undefined;
  readonly environment?: NodeJS.ProcessEnv;
  readonly dotenv?: NodeJS.ProcessEnv;
}

const variableNames = describedSettings.flatMap(({ variable }) => variable ?? []);

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
    evidence: undefined,
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
      const meant =
        variableNames.find((one) => hasLettersOf(name, one) || (isSlipOf(name, one) && !isGiven(one))) ??
        variableNames.find((one) => hasOtherPrefix(name, one) && !isGiven(one));
      if (meant !== undefined)
        throw new UsageError(`${name}${source}: unknown setting; did you mean ${meant}?`);
    }
  }
}

const lettersOf = (name: string): string => name.toUpperCase().replaceAll('_', '');

/** Whether a name has the letters of another one, in any order. */
const hasLettersOf = (name: string, other: string): boolean => {
  const [own, others] = [name, other].map((one) => [...lettersOf(one)].toSorted().join(''));
  return own === others;
};

/** Prefixes of variables: what belongs to the target, and what belongs to the suite. */
const PREFIX = /^(?:TARGET|CTS)_/;

/** Whether a name has the prefix of other settings than the one that it names. */
const hasOtherPrefix = (name: string, other: string): boolean =>
  PREFIX.test(name) && name.replace(PREFIX, '') === other.replace(PREFIX, '');

/**
 * Whether a name has one letter more or less than another one, or another letter in one place, or lacks one of its inner
 * words. Other tools may have a setting of that name.
 */
function isSlipOf(name: string, other: string): boolean {
  const words = other.split('_');
  if (words.slice(1, -1).some((word) => other.replace(`${word}_`, '') === name)) return true;
  const [shorter, longer] = [name, other]
    .map(lettersOf)
    .toSorted((one, another) => one.length - another.length) as [string, string];
  const at = [...longer].findIndex((letter, index) => letter !== shorter[index]);
  const rest = longer.slice(at + 1);
  // TARGET_CC is not a misspelt TARGET_CA: other tools have targets, too.
  const mayBeMeant = name.startsWith('CTS_') || other.replace(PREFIX, '').length >= 4;
  return rest === shorter.slice(at) || (mayBeMeant && rest === shorter.slice(at + 1));
}

/** Variables that this suite may read: its settings, the secrets that these name, and proxies. */
const OWN = /^(?:TARGET|CTS)_|(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|CREDENTIALS?|PROXY)$/i;

/**
 * Reads a `.env` file without changing `process.env`. A missing file is an empty one. An unquoted value with a `#` is
 * rejected: dotenv reads the rest as a comment, and a truncated key looks like a wrong key.
 * @throws {UsageError}
 */
export function readDotenv(path: string): Record<string, string> {
  let source: string;
  try {
    source = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${path}: ${unreadable(error)}`);
  }
  if (source.includes('\0') || source.includes('\uFFFD'))
    throw new UsageError(`${path}: the file is not UTF-8; save it as UTF-8, without a byte order mark`);
  const cut = [
    ...source.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[=:][ \t]*(?=[^'"`\s#])[^\r\n#]*(?<!\s)#/gm),
  ].find(([, name]) => OWN.test(name!));
  if (cut)
    throw new UsageError(
      `${cut[1]} in ${path} has an unquoted value with a #, which starts a comment: put the value in single quotes`,
    );
  const variables = parse(source);
  // dotenv ignores a line that has no = in its place, and without a target a run checks the embedded reference service.
  const lines = source
    .replaceAll(/^\s*#.*$/gm, '')
    .replaceAll(/[=:][ \t]*(["'`])(?:\\.|(?!\1)[^])*\1/g, '=')
    .split(/\r\n?|\n/);
  for (const name of variableNames) {
    const named = new RegExp(String.raw`^(?:export|set|setenv|declare -x)?\W*${name}(?![\w.-])`);
    const given = new RegExp(String.raw`^\s*(?:export\s+)?${name}\s*[=:]`);
    if (lines.filter((line) => given.test(line)).length > 1)
      throw new UsageError(`${path}: ${name} is set more than once; keep one line`);
    if (!(name in variables) && lines.some((line) => named.test(line.trim())))
      throw new UsageError(`${path}: a line with ${name} gives it no value; write ${name}=VALUE`);
  }
  return variables;
}

/** The text of `.env.example`: every variable with its meaning and default. */
export function dotenvExample(): string {
  const settings = describedSettings.flatMap(({ variable, help, default: standard, example }) => {
    if (variable === undefined) return [];
    return `# ${help[0]!.toUpperCase()}${help.slice(1)}. Default: ${standard}.\n#${variable}=${example ?? standard}\n`;
  });
  return [
    '# Settings of cts-conformance. Copy to .env and fill in.\n# Flags override environment variables, which override .env.\n' +
      '# Put a value that contains a # into single quotes.\n',
    ...settings,
  ].join('\n');
}

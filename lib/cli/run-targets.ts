import { forEachLimited } from '../engine/for-each-limited.ts';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { matrixPage } from '../report/matrix-page.ts';
import { matrixText } from '../report/matrix.ts';
import {
  changing,
  prepareFolder,
  removeEarlierReports,
  WritingFailed,
  writeWhole,
} from '../report/folder.ts';
import { readSettings } from '../settings/sources.ts';
import { readDotenv } from '../settings/dotenv.ts';
import { UsageError, prefixUsageErrors } from '../settings/usage-error.ts';
import type { Settings } from '../settings/run-settings.ts';
import { REPORT, readTargets } from '../settings/files.ts';
import type { NamedTarget } from '../schemas/targets.ts';
import { exitCodes } from '../verdict/verdict.ts';
import { checkAgainstCatalogue, givenFlags, outOf } from './options.ts';
import { print } from './output.ts';
import { withRunOptions } from './run-options.ts';
import type { RunOptions } from './run-options.ts';
import { readMatrix } from '../report/read.ts';
import { quantity } from '../target/output/printable.ts';

/** The page with all targets side by side. */
const MATRIX = 'matrix.html';

/** The exit codes of a run, the worst first. */
const WORST_FIRST = [
  exitCodes.defect,
  exitCodes.usage,
  exitCodes['does-not-conform'],
  exitCodes.inconclusive,
  exitCodes.conforms,
] as const;

/** A target with its key, which the file does not hold. */
interface KeyedTarget extends NamedTarget {
  readonly key: string;
}

/**
 * Checks several targets side by side, each in its own process, so that they share no memory, and none has the key of
 * another. Sets the exit code to the worst of theirs.
 */
export async function runTargets(command: Command): Promise<void> {
  const { targets: path = '', ...flags } = givenFlags(command);
  const variables: NodeJS.ProcessEnv = { ...readDotenv('.env'), ...process.env };
  rejectSettingsOfOneTarget(flags, variables);
  const out = outOf(command);
  const targets = keyedTargets(path, variables);
  // One seed for all: their results can then be compared.
  const [{ seed }] = (await Promise.all(
    targets.map(async (target) => {
      const settings = await checkedSettings(target, { ...flags, out: join(out, target.name) }, variables);
      return withRunOptions(settings, command.opts<RunOptions>());
    }),
  )) as [Settings];
  const isDry = flags['dry-run'] !== undefined;
  // All at once: a run that is killed may not have reached every target.
  if (!isDry) {
    prepareFolder(out);
    removeEarlierReports(...targets.map(({ name }) => join(out, name)));
    const page = join(out, MATRIX);
    changing(page, () => rmSync(page, { force: true }));
  }
  const passed = command.options
    .filter(({ long }) => !['--out', '--targets', '--seed', '--header'].includes(long!))
    .flatMap((option) => argumentsFor(command, option))
    .concat(`--seed=${seed}`);
  const secrets = new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable));
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !secrets.has(name)));
  const codes = new Set<number>();
  const children = forwardSignals();
  await forEachLimited(targets, availableParallelism(), async ({ key, ...target }) => {
    if (children.isInterrupted()) {
      codes.add(exitCodes.inconclusive);
      print(`\n== ${target.name}\nnot checked: the run was interrupted\n`);
      return;
    }
    const headers = headersOf(target, flags, variables);
    const environment = {
      ...inherited,
      TARGET_API_KEY: key,
      ...(headers !== '' && { TARGET_HEADERS: headers }),
    };
    const child = startRun(target, environment, passed, join(out, target.name));
    children.add(child);
    const { code, screen } = await resultOf(child);
    const hasVerdict = WORST_FIRST.some((one) => one === code);
    codes.add(hasVerdict ? code! : children.isInterrupted() ? exitCodes.inconclusive : exitCodes.defect);
    // The screen may contain the child's commands for the CI system, and nothing else that looks like one.
    process.stdout.write(`\n== ${target.name}\n${screen}`);
  });
  const names = targets.map(({ name }) => name);
  if (!isDry) await showMatrix(names, out);
  process.exitCode = WORST_FIRST.find((code) => codes.has(code))!;
}

/** The headers of all targets and those of one, a line each. */
const headersOf = (
  { headers = [] }: NamedTarget,
  flags: Readonly<Record<string, string>>,
  { TARGET_HEADERS }: NodeJS.ProcessEnv,
): string => [flags['header'] ?? TARGET_HEADERS ?? [], headers].flat().join('\n');

/** The flags that the file has for each target. */
const flagsOf = ({ name, baseUrl, profile, baseline, baselineUntil }: Partial<NamedTarget>) => ({
  name,
  'base-url': baseUrl,
  profile,
  baseline,
  'baseline-until': baselineUntil,
});

/** @throws {UsageError} for what would apply to every target */
function rejectSettingsOfOneTarget(
  flags: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv,
): void {
  const settings = [...Object.keys(flagsOf({})), 'write-profile', 'write-waivers'];
  const flag = settings.find((one) => flags[one] !== undefined);
  // A target that has a value of its own overrides a variable; one that has none would get it.
  const variable = ['TARGET_PROFILE', 'CTS_BASELINE', 'CTS_BASELINE_UNTIL'].find(
    (one) => variables[one] !== undefined,
  );
  const given = flag === undefined ? variable : `--${flag}`;
  if (given !== undefined)
    throw new UsageError(
      `${given}: it applies to one target; set it for each target in the file of --targets`,
    );
}

/** The targets in a file, with their keys. @throws {UsageError} */
function keyedTargets(path: string, variables: NodeJS.ProcessEnv): readonly KeyedTarget[] {
  return prefixUsageErrors(`--targets ${path}`, () => readTargets(path)).map((target) => {
    const { name, apiKeyVariable } = target;
    const key = variables[apiKeyVariable];
    if (key === undefined)
      throw new UsageError(
        `--targets: ${name}: its key is missing: set ${apiKeyVariable} in the environment or in .env`,
      );
    return { ...target, key };
  });
}

/** The settings of one target, checked before anything is sent to any. @throws {UsageError} */
async function checkedSettings(
  { key, ...target }: KeyedTarget,
  flags: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv,
): Promise<Settings> {
  const header = headersOf(target, flags, variables) || undefined;
  try {
    const settings = readSettings({
      flags: { ...flags, ...flagsOf(target), header },
      environment: { ...variables, TARGET_API_KEY: key },
    });
    await checkAgainstCatalogue(settings.profile);
    return settings;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = error.message
      .replace('TARGET_API_KEY', target.apiKeyVariable)
      .replace('--base-url', 'baseUrl')
      .replace('--header', 'headers');
    throw new UsageError(`--targets: ${target.name}: ${message}`);
  }
}

/** Prints and writes the matrix of the reports. */
async function showMatrix(names: readonly string[], out: string): Promise<void> {
  const folders = names.map((name) => join(out, name)).filter((folder) => existsSync(join(folder, REPORT)));
  if (folders.length === 0) return;
  const page = join(out, MATRIX);
  const problem = await writeWhole(page, matrixPage(readMatrix(folders, out))).catch((error: unknown) => {
    // Each target has its report and its exit code.
    if (error instanceof WritingFailed) return error.message;
    throw error;
  });
  const missing = names.length - folders.length;
  const note = missing === 0 ? '' : `; without ${quantity(missing, 'target')} that left no report`;
  print(`\n${matrixText(readMatrix(folders))}\n${problem ?? `Side by side in ${page}${note}`}\n`);
}

/** An option with its value, for a child process. */
function argumentsFor(command: Command, option: Option): string[] {
  const name = option.attributeName();
  if (command.getOptionValueSource(name) !== 'cli') return [];
  const value: unknown = command.getOptionValue(name);
  if (typeof value === 'string') return [`${option.long}=${value}`];
  return value === !option.negate ? [option.long!] : [];
}

/** The processes that are running, and whether a signal has reached them. */
interface Children {
  readonly add: (child: ChildProcess) => void;
  readonly isInterrupted: () => boolean;
}

/** Forwards each signal to each child: the first makes it write its report, a second one ends it at once. */
function forwardSignals(): Children {
  const running = new Set<ChildProcess>();
  let isInterrupted = false;
  // A run handles the end of its terminal as it does SIGTERM.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isInterrupted = true;
      for (const child of running) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  return {
    add(child) {
      running.add(child);
      child.once('close', () => running.delete(child));
    },
    isInterrupted: () => isInterrupted,
  };
}

const startRun = (
  target: NamedTarget,
  environment: NodeJS.ProcessEnv,
  flags: readonly string[],
  out: string,
): ChildProcess =>
  spawn(
    process.execPath,
    [
      process.argv[1]!,
      'run',
      ...flags,
      ...Object.entries(flagsOf(target)).flatMap(([flag, value]) =>
        value === undefined ? [] : [`--${flag}=${value}`],
      ),
      `--out=${out}`,
    ],
    // In a group of its own: Ctrl-C in a terminal would otherwise reach it twice, which ends it without its report.
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true, windowsHide: true },
  );

/** What a child printed, and its exit code; null: a signal ended it. */
async function resultOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly screen: string }> {
  let screen = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (screen += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, screen };
}

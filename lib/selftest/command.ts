import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../schemas/report.ts';
import { packageRoot } from '../settings/package-root.ts';
import { newFolder } from './files.ts';

/** How a process ended, with what it printed. */
export interface ProcessResult {
  readonly code: number | null;
  /** The signal that ended the process; null: it exited on its own. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a run of `cts-conformance` ended, with what it printed and wrote. */
export interface CommandResult extends ProcessResult {
  /** The output folder. */
  readonly out: string;
  /** The report; undefined when none was written. */
  readonly report: Report | undefined;
  /** Everything that was printed or written, to search it for secrets. */
  readonly bytes: string;
}

/** Receives all of stdout so far, at the start and each time more arrives, and can signal the process and its children. */
type OnOutput = (stdout: string, signal: (name: NodeJS.Signals) => void) => void;

interface ProcessOptions {
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onOutput?: OnOutput | undefined;
}

/** Variables that a developer's shell or a CI system sets, and that would change what the code does. */
const FOREIGN =
  /^(?:TARGET_|CTS_|CI_NODE_|CI_PIPELINE_ID$|CIRCLE_|BUILDKITE_|JOB_COMPLETION_INDEX$|FORCE_COLOR$|CLICOLOR|NODE_TLS_|(?:https?|all|no)_proxy$)/i;
/** Variables that a test runner or npm sets, and that would change what a command does. */
const OF_RUNNER = /^(?:GITHUB_|VITEST|NODE_ENV$|TEST$|npm_(?!config_registry)|INIT_CWD$)/;

/** Removes the variables of the environment that would change what the tests find. */
export function removeForeignVariables(): void {
  for (const name of Object.keys(process.env)) if (FOREIGN.test(name)) delete process.env[name];
}

/** The environment of a command that a test runs. */
export const inheritedEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !FOREIGN.test(name) && !OF_RUNNER.test(name)),
  );

/** Runs a program until it exits. */
export function execute(
  file: string,
  args: readonly string[],
  { cwd, environment = {}, onOutput }: ProcessOptions,
): Promise<ProcessResult> {
  const child = spawn(file, args, {
    cwd,
    env: { ...inheritedEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A signal reaches the whole group, as Ctrl-C in a terminal does.
    detached: onOutput !== undefined,
  });
  let stdout = '';
  let stderr = '';
  const signal = (name: NodeJS.Signals): void => void process.kill(-child.pid!, name);
  onOutput?.(stdout, signal);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.(stdout, signal);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** The command, run from its sources. */
const SOURCE = join(packageRoot, 'lib/cli/bin.js');

/** Runs `cts-conformance` as a user does, in a process of its own, in an empty folder. */
export const cts = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  onOutput?: OnOutput,
): Promise<CommandResult> =>
  executeWithReports(process.execPath, [SOURCE, ...args], environment, { onOutput });

/** Runs the command of a built package. @param main the path of its entry */
export const ctsAt = (
  main: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> => executeWithReports(process.execPath, [main, ...args], environment);

/** Runs `cts-conformance` from a shell. @param script the shell script, in which `"$@"` is the command */
export const ctsInShell = (
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> =>
  executeWithReports('/bin/sh', ['-c', script, 'sh', process.execPath, SOURCE, ...args], environment);

/** Runs Vitest as a user does, in the checkout. */
export const vitest = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> =>
  executeWithReports(
    process.execPath,
    [join(packageRoot, 'node_modules/vitest/vitest.mjs'), ...args],
    environment,
    { cwd: packageRoot },
  );

async function executeWithReports(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { cwd, onOutput }: { readonly cwd?: string | undefined; readonly onOutput?: OnOutput | undefined } = {},
): Promise<CommandResult> {
  const folder = newFolder();
  const out = join(folder, 'out');
  const result = await execute(file, args, {
    cwd: cwd ?? folder,
    environment: { CTS_OUT: out, ...environment },
    onOutput,
  });
  return withReports(result, out);
}

/** Adds what a run wrote to its output folder. */
export function withReports(result: ProcessResult, out: string): CommandResult {
  const paths = filesIn(out);
  const texts = paths.map((path) => readFileSync(path, 'utf8'));
  const report = texts[paths.findIndex((path) => path.endsWith('conformance.json'))];
  return {
    ...result,
    out,
    report: report === undefined ? undefined : (JSON.parse(report) as Report),
    bytes: [result.stdout, result.stderr, ...texts].join('\n'),
  };
}

/** Paths of all files in a folder; none if it does not exist. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../report/model.ts';

/** What a run of the command left behind. */
export interface Ended {
  readonly code: number | null;
  /** The signal that ended it; null: none did. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly out: string;
  /** The report; undefined when none was written. */
  readonly report: Report | undefined;
  /** Every byte that was printed or written. */
  readonly bytes: string;
}

/** Sees the output as it comes, and may signal the process. */
export type OnOutput = (text: string, signal: (name: NodeJS.Signals) => void) => void;

const root = join(import.meta.dirname, '../../..');

/** The command as it stands in the checkout. */
const SOURCE = join(root, 'lib/cli/main.ts');

/** Runs `cts` as a user does, as a process of its own. @param cwd where it is run; an empty folder by default */
export const cts = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  onOutput?: OnOutput,
  cwd?: string,
): Promise<Ended> => run([SOURCE, ...args], environment, { onOutput, cwd });

/** Runs the command of a built package, or that of the checkout. */
export const ctsAt = (
  main: string | undefined,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> => run([main ?? SOURCE, ...args], environment, {});

/** Runs `cts` from a shell. @param script what the shell does; the command stands in it as `"$@"` */
export const ctsInShell = (
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  run(['-c', script, 'sh', process.execPath, SOURCE, ...args], environment, {
    program: '/bin/sh',
  });

/** Runs Vitest as a user does, in the checkout. */
export const vitest = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> => run([join(root, 'node_modules/vitest/vitest.mjs'), ...args], environment, { cwd: root });

interface Manner {
  readonly program?: string;
  readonly cwd?: string | undefined;
  readonly onOutput?: OnOutput | undefined;
}

function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { program = process.execPath, cwd, onOutput }: Manner,
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'cts-'));
  const out = join(folder, 'out');
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:TARGET_|CTS_|GITHUB_|VITEST|NODE_ENV|TEST$)/.test(name),
  );
  const child = spawn(program, args, {
    cwd: cwd ?? folder,
    env: { ...Object.fromEntries(inherited), CTS_OUT: out, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
    onOutput?.(stdout, (name) => child.kill(name));
  });
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      const files = filesIn(out).map((path) => readFileSync(path, 'utf8'));
      const json = filesIn(out).find((path) => path.endsWith('conformance.json'));
      const report = json === undefined ? undefined : (JSON.parse(readFileSync(json, 'utf8')) as Report);
      resolve({ code, signal, stdout, stderr, out, report, bytes: [stdout, stderr, ...files].join('\n') });
    });
  });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

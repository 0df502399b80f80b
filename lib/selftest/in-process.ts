import { join } from 'node:path';
import { runCommand } from '../cli/commands.ts';
import { inheritedEnvironment, withReports } from './command.ts';
import type { CommandResult } from './command.ts';
import { newFolder } from './files.ts';
import { runWithoutVitest } from './without-vitest.ts';

let last: Promise<unknown> = Promise.resolve();

interface InProcessOptions {
  /** The working directory; default: an empty folder. */
  readonly cwd?: string;
  /** Receives all of stdout so far, each time more is written. */
  readonly onOutput?: (stdout: string) => void;
}

/**
 * Runs `cts-conformance` in the process of the caller and without Vitest, which is several times as fast as a process of
 * its own. One after the other, as the environment and the output belong to the process.
 */
export function ctsInProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  options: InProcessOptions = {},
): Promise<CommandResult> {
  const ended = last.then(() => inProcess(args, environment, options));
  last = ended.catch(() => {});
  return ended;
}

async function inProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { cwd, onOutput }: InProcessOptions,
): Promise<CommandResult> {
  const { env, exitCode } = process;
  const before = process.cwd();
  const folder = newFolder();
  const out = join(folder, 'out');
  const [stdout, stderr] = [capture(process.stdout, onOutput), capture(process.stderr)];
  process.chdir(cwd ?? folder);
  process.env = { ...inheritedEnvironment(), CTS_OUT: out, ...environment };
  process.exitCode = undefined;
  try {
    await runCommand(args, runWithoutVitest);
    return withReports({ code: exitCodeSet(), signal: null, stdout: stdout.text, stderr: stderr.text }, out);
  } finally {
    stdout.stop();
    stderr.stop();
    process.env = env;
    process.exitCode = exitCode;
    process.chdir(before);
  }
}

/** Takes what is written to a stream, until it is stopped. */
function capture(
  stream: NodeJS.WriteStream,
  onText?: (text: string) => void,
): { readonly text: string; readonly stop: () => void } {
  const own = Object.getOwnPropertyDescriptor(stream, 'write');
  let text = '';
  stream.write = (chunk) => {
    text += String(chunk);
    onText?.(text);
    return true;
  };
  return {
    get text() {
      return text;
    },
    stop: () => (own ? Object.defineProperty(stream, 'write', own) : Reflect.deleteProperty(stream, 'write')),
  };
}

const exitCodeSet = (): number => Number(process.exitCode ?? 0);

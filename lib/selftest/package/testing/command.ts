import { spawn } from 'node:child_process';

/** What a command left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, without what npm and Vitest tell their own children. */
export function command(
  file: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:TARGET_|CTS_|VITEST|NODE_ENV$|TEST$|npm_(?!config_registry)|INIT_CWD)/.test(name),
  );
  const child = spawn(file, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [[] as Buffer[], [] as Buffer[]];
  child.stdout.on('data', (data: Buffer) => stdout.push(data));
  child.stderr.on('data', (data: Buffer) => stderr.push(data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}

/** The same, for a command that must go well. @throws {Error} with what it printed */
export async function done(file: string, args: readonly string[], cwd: string): Promise<Ended> {
  const ended = await command(file, args, cwd);
  if (ended.code === 0) return ended;
  throw new Error(`${file} ${args.join(' ')} ended with ${ended.code}\n${ended.stdout}\n${ended.stderr}`);
}

import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { matrixMarkdown } from '../report/matrix-markdown.ts';
import { matrixPage } from '../report/matrix-page.ts';
import { matrixOf } from '../report/matrix.ts';
import { readReport } from '../report/read.ts';
import { writeWhole } from '../report/write.ts';
import { checkProfile } from '../engine/declared.ts';
import { readDotenv, readSettings } from '../settings/sources.ts';
import { UsageError } from '../settings/settings.ts';
import { readTargets } from '../settings/files.ts';
import type { NamedTarget } from '../schemas/targets.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Flags } from './flags.ts';

/** How one of several targets came out. */
interface Came {
  readonly name: string;
  readonly code: number;
  readonly screen: string;
}

/** The worst of several exit codes comes first. */
const WORST = [
  exitCodes.defect,
  exitCodes.usage,
  exitCodes['does-not-conform'],
  exitCodes.inconclusive,
  exitCodes.conforms,
] as const;

/**
 * Checks several targets side by side, each in a process of its own: what becomes of one, memory and secrets
 * included, is nothing to the others. Sets the exit code to the worst of theirs.
 */
export async function runTargets({ values }: Flags): Promise<void> {
  const { targets: path = '', ...flags } = values;
  for (const flag of ['base-url', 'profile', 'write-profile'] as const)
    if (flags[flag] !== undefined)
      throw new UsageError(`--${flag}: it is for one target; --targets says it of each`);
  const { CTS_OUT } = process.env;
  const { out } = readSettings({ flags: { out: flags['out'] }, environment: { CTS_OUT } });
  const variables = { ...readDotenv('.env'), ...process.env };
  const listed = readTargets(path);
  if ('problem' in listed) throw new UsageError(`--targets: ${listed.problem}`);
  const targets = listed.map((target) => ({ ...target, key: variables[target.apiKeyVariable] }));
  const keyless = targets.find(({ key }) => key === undefined);
  if (keyless)
    throw new UsageError(
      `--targets: ${keyless.name}: its key is missing: set ${keyless.apiKeyVariable} in the environment or in .env`,
    );
  for (const { name, baseUrl, profile, key } of targets) {
    try {
      const settings = readSettings({
        flags: { ...flags, 'base-url': baseUrl, profile },
        environment: {
          ...variables,
          TARGET_API_KEY: key,
          TARGET_BASE_URL: undefined,
          TARGET_PROFILE: undefined,
        },
      });
      checkProfile(settings.profile);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`--targets: ${name}: ${error.message}`);
    }
  }
  const isDry = flags['dry-run'] !== undefined;
  // What an earlier run has left must not pass for what this one finds.
  if (!isDry) for (const { name } of targets) rmSync(join(out, name, 'conformance.json'), { force: true });
  const passed = Object.entries(flags).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}=${value}`],
  );
  const secrets = new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable));
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !secrets.has(name)));
  const queue = targets.values();
  const ended: Came[] = [];
  const work = async (): Promise<void> => {
    for (const { key, ...target } of queue) {
      const environment = { ...inherited, TARGET_API_KEY: key };
      const came = await check(target, environment, passed, join(out, target.name));
      ended.push(came);
      process.stdout.write(`\n== ${came.name}\n${came.screen}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(targets.length, availableParallelism()) }, work));
  if (!isDry)
    await showMatrix(
      targets.map(({ name }) => name),
      out,
    );
  process.exitCode = WORST.find((code) => ended.some((came) => came.code === code)) ?? exitCodes.defect;
}

/** Puts the reports that there are beside each other, under the names that their targets were given. */
async function showMatrix(names: readonly string[], out: string): Promise<void> {
  const reports = names
    .filter((name) => existsSync(join(out, name, 'conformance.json')))
    .map((name) => {
      const report = readReport(join(out, name));
      return { ...report, target: { ...report.target, name } };
    });
  if (reports.length === 0) return;
  const services = matrixOf(reports);
  const page = join(out, 'matrix.html');
  await writeWhole(page, matrixPage(services));
  const lacking = names.length - reports.length;
  const note =
    lacking === 0 ? '' : `; ${lacking} more came to no report, and ${lacking === 1 ? 'is' : 'are'} not in it`;
  process.stdout.write(`\n${matrixMarkdown(services)}\nside by side in ${page}${note}\n`);
}

function check(
  { name, baseUrl, profile }: NamedTarget,
  environment: NodeJS.ProcessEnv,
  flags: readonly string[],
  out: string,
): Promise<Came> {
  const args = [
    process.argv[1]!,
    'run',
    ...flags.filter((flag) => !flag.startsWith('--out=')),
    `--base-url=${baseUrl}`,
    `--out=${out}`,
    ...(profile === undefined ? [] : [`--profile=${profile}`]),
  ];
  const child = spawn(process.execPath, args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Each ends with its report; a second signal ends this process like any other.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  let screen = '';
  child.stdout.on('data', (data: Buffer) => (screen += data.toString()));
  child.stderr.on('data', (data: Buffer) => (screen += data.toString()));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ name, code: code ?? exitCodes.defect, screen }));
  });
}

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { packageRoot } from '../../settings/package-root.ts';
import { readSettings } from '../../settings/sources.ts';
import { inheritedEnvironment } from '../command.ts';
import { newFolder } from '../files.ts';
import { buildkite, circleci, gitlab, kubernetes } from './example-schemas.ts';
import type { KubernetesJob } from './example-schemas.ts';

const textOf = (name: string): string => readFileSync(join(packageRoot, '.github/examples', name), 'utf8');

type Variables = Readonly<Record<string, string>>;

/** What a job of a CI system does: its variables and its shell lines. */
interface Job {
  readonly variables: Variables;
  readonly script: string;
}

/** The two jobs of an example: one of several that explore, and the one that merges. */
interface Jobs {
  readonly explore: Job;
  readonly merge: Job;
}

function gitlabJobs(): Jobs {
  const { explore, merge, ...others } = gitlab.parse(parse(textOf('gitlab-ci.yml')));
  const base = others['.cts'];
  const job = (one: typeof explore): Job => ({
    variables: { ...base!.variables, ...one!.variables },
    script: [...base!.before_script!, ...one!.script!].join('\n'),
  });
  return { explore: job(explore), merge: job(merge) };
}

function circleJobs(): Jobs {
  const { commands, jobs } = circleci.parse(parse(textOf('circleci.yml')));
  const scripts = (steps: (typeof jobs)[string]['steps']): string[] =>
    steps.flatMap((step) =>
      step === 'install-suite'
        ? scripts(commands[step]!.steps)
        : typeof step === 'object' && 'run' in step
          ? step.run.command
          : [],
    );
  const job = (name: string): Job => ({
    variables: jobs[name]!.environment ?? {},
    script: scripts(jobs[name]!.steps).join('\n'),
  });
  return { explore: job('explore'), merge: job('merge') };
}

function buildkiteJobs(): Jobs {
  const { env, steps } = buildkite.parse(parse(textOf('buildkite.yml')));
  // The agent interpolates $NAME when it reads the file; $$ escapes it.
  expect(steps.map(({ command }) => /(?<!\$)\$(?!\$)/.test(command.replaceAll('$$', '')))).toEqual([
    false,
    false,
  ]);
  const [explore, merge] = steps.map(({ command }) => ({
    variables: env,
    script: command.replaceAll('$$', '$'),
  }));
  return { explore: explore!, merge: merge! };
}

const documents = (name: string) =>
  kubernetes.parse(parseAllDocuments(textOf(name)).map((one): unknown => one.toJS()));

function kubernetesJobs(): Jobs {
  const job = (name: string): Job => {
    const { spec } = documents(name).find((one): one is KubernetesJob => one.kind === 'Job')!;
    const all = [...spec.template.spec.initContainers, ...spec.template.spec.containers];
    expect(all.map(({ command }) => command)).toEqual(all.map(() => ['sh', '-ec']));
    return {
      variables: Object.fromEntries(
        all
          .flatMap(({ env = [] }) => env)
          .flatMap((one) => ('value' in one ? [[one.name, one.value] as const] : [])),
      ),
      script: all
        .flatMap(({ args }) => args)
        .join('\n')
        .replaceAll(/(?<=[\s"])\/(suite|reports)\//g, '$1/'),
    };
  };
  return { explore: job('kubernetes.yml'), merge: job('kubernetes-merge.yml') };
}

/** How `node` of an example was called. */
interface Call {
  readonly args: readonly string[];
  readonly environment: Variables;
}

/** Runs the script of a job where git and npm do nothing, and node only writes down how it was called. */
function callOf({ script, variables }: Job, given: Variables, code = 0) {
  const folder = newFolder();
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  for (const shard of ['a', 'b']) mkdirSync(join(folder, `reports/shard-${shard}`), { recursive: true });
  const record = `const { argv, env } = process;
    require('fs').writeFileSync('call', JSON.stringify({ args: argv.slice(2), environment: env }));
    process.exit(${code});`;
  writeFileSync(join(folder, 'record.cjs'), record);
  const program = (name: string, line: string): void => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  for (const name of ['git', 'npm', 'buildkite-agent']) program(name, `echo "${name} $*"`);
  // Buildkite's script begins with an empty folder; its agent brings the reports back.
  program('buildkite-agent', 'mkdir -p reports/shard-a reports/shard-b');
  program('node', `exec ${process.execPath} record.cjs "$@"`);
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], {
    cwd: folder,
    env: {
      ...inheritedEnvironment(),
      PATH: [programs, process.env['PATH']].join(delimiter),
      CTS_REPOSITORY: 'https://git.example.com/suite.git',
      CTS_COMMIT: '0123456789abcdef0123456789abcdef01234567',
      ...variables,
      ...given,
    },
    encoding: 'utf8',
  });
  const call = JSON.parse(readFileSync(join(folder, 'call'), 'utf8')) as Call;
  return { status, stdout, stderr, ...call };
}

describe.each([
  ['gitlab-ci.yml', gitlabJobs, { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '4', CI_PIPELINE_ID: '81' }, '3', 1],
  [
    'circleci.yml',
    circleJobs,
    { CIRCLE_NODE_INDEX: '2', CIRCLE_NODE_TOTAL: '4', CIRCLE_WORKFLOW_ID: 'b1' },
    '2',
    0,
  ],
  [
    'buildkite.yml',
    buildkiteJobs,
    { BUILDKITE_PARALLEL_JOB: '2', BUILDKITE_PARALLEL_JOB_COUNT: '4', BUILDKITE_BUILD_ID: '0a' },
    '2',
    0,
  ],
  ['kubernetes.yml', kubernetesJobs, { JOB_COMPLETION_INDEX: '2' }, '2', 0],
] as const)('%s', (_, jobs, system, index, codeOfFailure) => {
  const { explore, merge } = jobs();
  const given = { ...system, TARGET_API_KEY: 'sk_test_x' };

  it('runs one of four shards, with the suite at a commit and its locked dependencies', () => {
    const { status, stdout, args, environment } = callOf(explore, given);
    expect(stdout).toMatch(/^git -C \S*cts fetch --quiet --depth 1 https:\S+ [\da-f]{40}$/m);
    expect(stdout).toMatch(/^npm ci --omit=dev --ignore-scripts --prefix \S*cts$/m);
    expect(args[0]).toMatch(/cts\/lib\/cli\/bin\.js$/);
    const [, command, shardFlag, shard, outFlag, out] = args;
    expect([command, shardFlag, outFlag, out]).toEqual(['run', '--shard', '--out', `reports/shard-${index}`]);
    const { TARGET_PROFILE: _profile, ...rest } = environment;
    const settings = readSettings({ flags: { shard, out }, environment: rest });
    expect(settings.shard).toEqual({ index: 3, count: 4 });
    expect(settings).toMatchObject({ cases: 8000, maxRequests: 20_000, timeBudget: 1200 });
    expect(status).toBe(0);
  });

  it('merges all shards, whatever their verdicts', () => {
    expect(callOf(explore, given, 1).status).toBe(codeOfFailure);
    expect(callOf(explore, given, 2).status).toBe(2);
    const { args, status } = callOf(merge, {}, 1);
    expect(args.slice(1, 4)).toEqual(['merge', 'reports/shard-a', 'reports/shard-b']);
    expect(args).toContain('--out');
    expect(status).toBe(1);
  });
});

describe('the manifests for Kubernetes', () => {
  const [claim, job] = documents('kubernetes.yml');

  it('give the key only to the container that needs it', () => {
    const { initContainers, containers } = (job as KubernetesJob).spec.template.spec;
    const secrets = [...initContainers, ...containers]
      .filter(({ env = [] }) => env.some((one) => 'valueFrom' in one))
      .map(({ name }) => name);
    expect(secrets).toEqual(['explore']);
    expect(JSON.stringify(documents('kubernetes-merge.yml'))).not.toContain('secretKeyRef');
  });

  it('have as many shards as completions', () => {
    const { completions, parallelism } = (job as KubernetesJob).spec;
    expect([completions, parallelism]).toEqual([4, 4]);
    expect(textOf('kubernetes.yml')).toContain('--shard auto/4');
  });

  it('are checked, member by member', () => {
    const misspelt = JSON.parse(JSON.stringify(job).replace('completionMode', 'completionmode')) as unknown;
    expect(kubernetes.safeParse([claim, misspelt]).success).toBe(false);
    const unmounted = JSON.parse(JSON.stringify(job).replace('"name":"suite","empty', '"name":"s","empty'));
    expect(kubernetes.safeParse([claim, unmounted]).success).toBe(false);
  });
});

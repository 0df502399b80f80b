import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../settings/package-root.ts';

/** A step of a job or of a composite action. */
export interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

export const github = join(packageRoot, '.github');
export const textOf = (name: string): string => readFileSync(join(github, name), 'utf8');
const namesIn = (folder: string): string[] =>
  readdirSync(join(github, folder)).map((name) => `${folder}/${name}`);

/** Workflows of GitHub: our own, and the examples. */
export const workflows: readonly string[] = [...namesIn('workflows'), ...namesIn('examples')].filter(
  (name) => name.endsWith('.yml') && !name.includes('gitlab'),
);

export const actionFile = 'actions/conformance/action.yml';

/** The composite action. */
export const action = parse(textOf(actionFile)) as {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

/** Steps of all jobs of a workflow. */
export function stepsOf(name: string): Step[] {
  const { jobs } = parse(textOf(name)) as { jobs: Record<string, { steps: Step[] }> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

/** Shell lines of GitLab's jobs. */
export function gitlabScripts(): string[] {
  const jobs = parse(textOf('examples/gitlab-ci.yml')) as Record<string, { script?: string[] }>;
  return Object.values(jobs).flatMap(({ script = [] }) => script);
}

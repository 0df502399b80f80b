import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { forEachLimited } from '../../selftest/script.ts';
import { runs } from './runs.ts';
import type { RunName } from './runs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The pages to be looked at. */
    pages: Record<RunName, string>;
  }
}

/** Makes each page once, with the command that users run. */
export async function setup(project: TestProject): Promise<void> {
  const pages: Record<string, string> = {};
  await forEachLimited(Object.entries(runs), availableParallelism(), async ([name, run]) => {
    pages[name] = join((await run()).out, 'index.html');
  });
  project.provide('pages', pages);
}

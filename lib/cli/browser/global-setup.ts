import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { forEachLimited } from '../../engine/for-each-limited.ts';
import { startCommandPool } from '../../selftest/prove/command-pool.ts';
import { runs } from './runs.ts';
import type { PageName } from './runs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The pages to test. */
    pages: Record<PageName, string>;
  }
}

/** Makes each page once, with the commands that users run. */
export async function setup(project: TestProject): Promise<void> {
  const pages: Record<string, string> = {};
  const { cts, stop } = startCommandPool();
  await forEachLimited(Object.entries(runs), availableParallelism(), async ([name, run]) => {
    pages[name] = join((await run(cts)).out, 'index.html');
  });
  const [old, now] = [pages['no failure'], pages['a profile and drift']].map((page) => dirname(page!));
  pages['a difference'] = join(now!, 'diff.html');
  pages['services side by side'] = join(now!, 'matrix.html');
  await cts(['diff', old!, now!, '--out', pages['a difference']], {});
  await cts(['matrix', old!, now!, now!, now!, '--out', pages['services side by side']], {});
  stop();
  project.provide('pages', pages);
}

import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { modulePath, packageRoot as root } from '../settings/package-root.ts';

/** The Vitest project that holds the conformance suites. */
export const conformance = {
  test: {
    name: 'conformance',
    root,
    include: [modulePath('suites/conformance.test')],
    // Installed, the suites are within node_modules, which Vitest leaves out by default.
    exclude: [],
    globalSetup: [join(root, modulePath('lib/cli/global-setup'))],
    // Node reads the suites itself: there is nothing to transform that it can't.
    experimental: { viteModuleRunner: false },
    // One thread that nothing is isolated in: requirements share experiments, and wait together.
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    sequence: { concurrent: true },
    maxConcurrency: 1000,
    // The run has a time budget of its own.
    testTimeout: 0,
    tags: [
      { name: 'must', description: 'stated by the interface' },
      { name: 'should', description: 'advised by an RFC beneath it' },
      { name: 'declared', description: 'required where a profile says how it is tested' },
      {
        name: 'question',
        description: 'left open by the interface; fails only where a profile has another answer',
      },
    ],
  },
} satisfies TestProjectInlineConfiguration;

import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { modulePath, packageRoot as root } from '../settings/package-root.ts';

/** The test file of custom suites, which only the command line runs. */
export const customSuitesFile = modulePath('suites/custom.test');

/** The Vitest project that holds the conformance suites. */
export const conformance = {
  test: {
    name: 'conformance',
    root,
    // A built package has JavaScript, a checkout TypeScript.
    include: [modulePath('suites/*.test')],
    // Installed, the suites are within node_modules, which Vitest leaves out by default.
    exclude: [customSuitesFile, '**/*.unit.test.ts'],
    globalSetup: [join(root, modulePath('lib/cli/global-setup'))],
    // Node loads the suites itself, as it can strip their types.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // One thread without isolation: the chapters share one run.
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    sequence: { concurrent: true },
    maxConcurrency: 1000,
    // The run has a time budget of its own.
    testTimeout: 0,
    tags: [
      { name: 'must', description: 'stated by the interface' },
      { name: 'should', description: 'recommended by an RFC that the interface builds on' },
      { name: 'declared', description: 'required if a profile states how to test it' },
    ],
  },
} satisfies TestProjectInlineConfiguration;

import { defineConfig } from 'vitest/config';
import { conformanceReporter } from './lib/report/reporter.ts';

const levels = [
  { name: 'must', description: 'stated by the interface' },
  { name: 'should', description: 'advised by an RFC beneath it' },
  { name: 'declared', description: 'required where a profile says how it is tested' },
  {
    name: 'question',
    description: 'left open by the interface; fails only where a profile has another answer',
  },
];

export default defineConfig({
  test: {
    reporters: ['default', conformanceReporter()],
    projects: [
      {
        test: {
          name: 'conformance',
          include: ['suites/conformance.test.ts'],
          globalSetup: ['lib/cli/global-setup.ts'],
          // One thread that nothing is isolated in: requirements share experiments, and wait together.
          pool: 'threads',
          isolate: false,
          maxWorkers: 1,
          sequence: { concurrent: true },
          maxConcurrency: 1000,
          // The run has a time budget of its own.
          testTimeout: 0,
          tags: levels,
        },
      },
      {
        test: {
          name: 'unit',
          include: ['lib/**/*.test.ts', 'suites/**/*.unit.test.ts'],
          exclude: ['**/*.browser.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['lib/**/*.browser.test.ts'],
          globalSetup: ['lib/cli/browser/global-setup.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});

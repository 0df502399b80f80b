import { defineConfig } from 'vitest/config';
import { conformance } from './lib/cli/project.ts';
import { conformanceReporter } from './lib/report/reporter.ts';

export default defineConfig({
  test: {
    reporters: ['default', conformanceReporter()],
    projects: [
      conformance,
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

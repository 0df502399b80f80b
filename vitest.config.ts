import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
// Vitest bundles this file with all that it imports each time it starts, so it should import little.
import { conformance } from './lib/cli/conformance-project.ts';

const scratch = 'lib/selftest/scratch.ts';
const maxWorkers = availableParallelism() + 3;

/**
 * Many tests wait: for a pause of the client, or a command that they run. Each module is loaded once for all files of a
 * worker. A test may make a run, on a machine that is busy.
 */
const waiting = {
  globalSetup: [scratch],
  maxWorkers,
  // Many runs in one process let its heap for new objects grow to several times this size. New pages of memory are
  // expensive in a virtual machine: the tests would take a quarter more CPU time.
  execArgv: ['--max-semi-space-size=8'],
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    reporters: ['default', './lib/cli/vitest-reporter.ts'],
    projects: [
      conformance,
      {
        test: {
          ...waiting,
          name: 'unit',
          include: ['lib/**/*.test.ts', 'suites/**/*.unit.test.ts'],
          exclude: ['**/*.{browser,long}.test.ts', 'lib/selftest/package/**'],
          // The name under which custom suites import the package.
          alias: { 'cts-conformance': fileURLToPath(import.meta.resolve('./lib/library/index.ts')) },
        },
      },
      {
        // Whole runs of the command, long ones and merged ones too; the commands of the guides.
        test: {
          ...waiting,
          name: 'long',
          include: ['lib/**/*.long.test.ts'],
          // A deep run takes minutes on a machine that is busy.
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['lib/**/*.browser.test.ts'],
          globalSetup: [scratch, 'lib/cli/browser/global-setup.ts'],
          maxWorkers,
          testTimeout: 180_000,
          // A busy machine takes long to start the browser.
          hookTimeout: 180_000,
        },
      },
      {
        // The package as it is published: built, packed, installed.
        test: {
          name: 'package',
          include: ['lib/selftest/package/**/*.test.ts'],
          globalSetup: [scratch, 'lib/selftest/package/set-up.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});

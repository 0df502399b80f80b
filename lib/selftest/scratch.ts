import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeForeignVariables } from './command.ts';

/** The variables that name the folder for temporary files, on all platforms. */
const NAMES = ['TMPDIR', 'TEMP', 'TMP'] as const;

/**
 * A global setup: makes the tests independent of the environment, and removes their temporary files when they are done, or
 * are interrupted.
 */
export function setup(): () => void {
  removeForeignVariables();
  // The next test run can use the compiled code again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  const folder = mkdtempSync(join(tmpdir(), 'cts-tests-'));
  for (const name of NAMES) process.env[name] = folder;
  // A process that a test has ended may still write.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  return remove;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variables that name the folder for temporary files, on all platforms. */
const NAMES = ['TMPDIR', 'TEMP', 'TMP'] as const;

/** A global setup: removes the temporary files of the tests when they are done. */
export function setup(): () => void {
  // The next test run can use the compiled code again.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  const folder = mkdtempSync(join(tmpdir(), 'cts-tests-'));
  for (const name of NAMES) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

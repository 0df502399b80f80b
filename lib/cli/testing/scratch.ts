import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Node looks for the folder for temporary files, on the platforms that there are. */
const NAMES = ['TMPDIR', 'TEMP', 'TMP'] as const;

/** A global setup: what tests put into the folder for temporary files is gone when they are over. */
export function setup(): () => void {
  // Compiled code is worth keeping for the next time.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
  const folder = mkdtempSync(join(tmpdir(), 'cts-tests-'));
  for (const name of NAMES) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

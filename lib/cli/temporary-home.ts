import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variables that name the folder for a user's data, on all platforms. */
const NAMES = ['XDG_DATA_HOME', 'LOCALAPPDATA', 'HOME'] as const;

/**
 * Runs work with a temporary folder in place of the folder for a user's data. Vitest writes a token for its API there,
 * which is not used here, and stops if it can't.
 */
export async function withTemporaryHome<T>(work: () => Promise<T>): Promise<T> {
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'cts-'));
  } catch {
    return work();
  }
  for (const name of NAMES) process.env[name] = folder;
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Vitest looks for the folder of a user's data, on the platforms that there are. */
const NAMES = ['XDG_DATA_HOME', 'LOCALAPPDATA', 'HOME'] as const;

/**
 * Has something done that keeps what it needs in the folder of a user's data: it gets one that is gone afterwards.
 * Vitest makes a token for its API there, which nothing serves here, and ends where it can't.
 */
export async function elsewhere<T>(work: () => Promise<T>): Promise<T> {
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

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, which is removed with the temporary files of the tests. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'cts-'));

/** A file in a folder of its own. @param content as it is, or as JSON */
export function fileWith(content: unknown, name = 'file.json'): string {
  const path = join(folder(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

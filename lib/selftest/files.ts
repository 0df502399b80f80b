import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new, empty folder. The global setup of the tests removes those that tests make. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'cts-'));

/** A file in a folder of its own. @param content a text as it is, anything else as JSON */
export function fileWith(content: unknown, name = 'file.json'): string {
  const path = join(newFolder(), name);
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isText ? content : JSON.stringify(content));
  return path;
}

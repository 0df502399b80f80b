import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../settings/settings.ts';
import type { OwnSuites } from '../settings/settings.ts';

const SUITE = /\.suite\.[cm]?[jt]s$/;

/** The suites of a folder. @throws {UsageError} where there is none */
export function ownSuitesIn(folder: string, counts: boolean): OwnSuites {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true }).map(String);
  } catch (error) {
    throw new UsageError(`--suite: the folder can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const files = names
    .filter((name) => SUITE.test(name) && !name.split(/[/\\]/).includes('node_modules'))
    .toSorted()
    .map((name) => join(resolve(folder), name));
  if (files.length === 0)
    throw new UsageError('--suite: the folder has no suites; their names end in .suite.ts or .suite.js');
  return { folder: resolve(folder), files, counts };
}

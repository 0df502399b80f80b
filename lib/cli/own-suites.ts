import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placeIn } from '../engine/place.ts';
import { printable } from '../target/printable.ts';
import { UsageError } from '../settings/settings.ts';
import type { CustomSuites } from '../settings/settings.ts';

const SUITE = /\.suite\.[cm]?[jt]s$/;

/** The suites of a folder. @throws {UsageError} where there is none */
export function ownSuitesIn(folder: string, counts: boolean): CustomSuites {
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

/**
 * Tells of an error that a suite of somebody's own threw when nothing waited for it any more: it is no finding, and no
 * defect of ours.
 * @returns whether it is such an error, as its stack tells
 */
export function isToldOfOwn(
  { stack = '' }: { readonly stack?: string },
  own: CustomSuites | undefined,
): boolean {
  const file = own?.files.find((path) => stack.includes(path) || stack.includes(pathToFileURL(path).href));
  if (own === undefined || file === undefined) return false;
  // Not what it says: that may hold what the target has answered, tokens too.
  const name = printable(relative(own.folder, file));
  process.stderr.write(`cts: ${name}${placeIn(stack, file)} threw when nothing waited for it\n`);
  return true;
}

import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placeIn } from '../engine/custom-suites.ts';
import { namesIn } from '../settings/files.ts';
import { UsageError, prefixUsageErrors } from '../settings/usage-error.ts';
import type { CustomSuites } from '../settings/run-settings.ts';
import { printable } from '../target/output/printable.ts';

const SUITE = /\.suite\.[cm]?[jt]s$/;

/** Finds the suites in a folder. @throws {UsageError} if it has none */
export function customSuitesIn(folder: string, counts: boolean): CustomSuites {
  const names = prefixUsageErrors('--suite', () => namesIn(folder, { recursive: true }));
  // Modules are loaded by their real paths.
  const root = realpathSync(folder);
  const files = names
    .filter((name) => SUITE.test(name) && !name.split(/[/\\]/).includes('node_modules'))
    .map((name) => join(root, name));
  if (files.length === 0)
    throw new UsageError('--suite: the folder has no suites; their names end in .suite.ts or .suite.js');
  return { folder: root, files, counts };
}

/**
 * Reports an error that a custom suite threw when no test waited for it: neither a finding nor a defect of the suite.
 * @returns whether the stack shows such an error
 */
export function reportUnawaitedError(
  { stack = '' }: { readonly stack?: string },
  suites: CustomSuites | undefined,
): boolean {
  const file = suites?.files.find((path) => stack.includes(path) || stack.includes(pathToFileURL(path).href));
  if (suites === undefined || file === undefined) return false;
  // Without its message, which may contain a response of the target, with a token.
  const name = printable(relative(suites.folder, file));
  process.stderr.write(
    `cts-conformance: ${name}${placeIn(stack, file)} threw an error that no test waited for\n`,
  );
  return true;
}

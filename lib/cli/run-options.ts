import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { matcherOf } from '../engine/selection.ts';
import { namesIn } from '../settings/files.ts';
import type { CustomSuites, Settings } from '../settings/run-settings.ts';
import { UsageError, prefixUsageErrors } from '../settings/usage-error.ts';

/** The options that only a run has, beside its settings. */
export interface RunOptions {
  readonly casesFrom?: string;
  readonly dryRun?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly targets?: string;
  readonly suite?: string;
  readonly suiteCounts?: boolean;
}

/** Adds the options of a run to its settings. @throws {UsageError} before anything is sent, written or removed */
export async function withRunOptions(
  given: Settings,
  { casesFrom, suite, suiteCounts = false, quiet, verbose }: RunOptions,
): Promise<Settings> {
  if (suite === undefined && suiteCounts)
    throw new UsageError('--suite-counts has no effect without --suite DIR');
  const customSuites = suite === undefined ? undefined : customSuitesIn(suite, suiteCounts);
  const verbosity = quiet ? 'quiet' : verbose ? 'verbose' : 'normal';
  // Custom suites are not loaded yet, nor are their ids known.
  if (given.only !== undefined && !customSuites)
    (await import('./from-suites.ts')).checkedMatcher(given.only, '--only');
  const settings = { ...given, customSuites, verbosity } as const;
  if (casesFrom === undefined) return settings;
  if (resolve(casesFrom) === resolve(given.out, 'cases'))
    throw new UsageError(
      '--cases-from: every run clears this folder; copy the cases to keep into another one',
    );
  const { readCases } = await import('./saved-cases.ts');
  const isSelected = matcherOf(given.only ?? '*');
  return {
    ...settings,
    savedCases: readCases(casesFrom).filter(({ requirement }) => isSelected(requirement)),
  };
}

const SUITE = /\.suite\.[cm]?[jt]s$/;

/** Finds the suites in a folder. @throws {UsageError} if it has none */
function customSuitesIn(folder: string, counts: boolean): CustomSuites {
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

import { resolve } from 'node:path';
import { matcherOf } from '../engine/requirement.ts';
import type { Settings } from '../settings/run-settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { customSuitesIn } from './custom-suites.ts';

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
  const detail = quiet ? 'quiet' : verbose ? 'verbose' : 'normal';
  // Custom suites are not loaded yet, nor are their ids known.
  if (given.only !== undefined && !customSuites)
    (await import('./catalogue.ts')).checkedMatcher(given.only, '--only');
  const settings = { ...given, customSuites, detail } as const;
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

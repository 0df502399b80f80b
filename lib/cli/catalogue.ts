import { catalogue } from '../../suites/catalogue.ts';
import { globsIn, matcherOf } from '../engine/requirement.ts';
import { UsageError, similarTo } from '../settings/usage-error.ts';

// The commands start the suites, and so are the only part of the library that knows them.
export { catalogue };
export { plan } from '../../suites/plan.ts';
export { openPoints } from '../../suites/sentences.ts';

export const requirementIds: readonly string[] = catalogue.requirements.map(({ id }) => id);

/** The ids of all requirements and questions, in the order of the catalogue. */
export const allIds: readonly string[] = [...requirementIds, ...catalogue.questions.map(({ id }) => id)];

/** The ids that a list selects. @param list ids, separated by commas; * matches any text */
export const selectedIds = (list: string): readonly string[] => allIds.filter(matcherOf(list));

/**
 * The same for a list of which each item must select something.
 * @param source the option that holds the list, for the message
 * @throws {UsageError} when an item of the list selects nothing; suggests similar ids
 */
export function selectIds(list: string, source: string): readonly string[] {
  const globs = globsIn(list);
  for (const [at, glob] of globs.entries()) {
    if (selectedIds(glob).length > 0) continue;
    const which = globs.length > 1 ? `item ${at + 1} of the list` : 'this id';
    const similar = similarTo(glob.replaceAll('*', ''), allIds);
    throw new UsageError(
      `${source}: no requirement and no question has ${which}; similar ids: ${similar.join(', ')}`,
    );
  }
  return selectedIds(list);
}

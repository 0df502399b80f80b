import { catalogue } from '../../suites/catalogue.ts';
import { globsIn, matcherOf } from '../engine/selection.ts';
import { similarTo } from '../settings/similar.ts';
import { UsageError } from '../settings/usage-error.ts';
import { printable } from '../target/output/printable.ts';

// The commands know the suites by this file alone.
export { catalogue };
export { plan } from '../../suites/plan.ts';
export { openPoints } from '../../suites/sentences.ts';

export const requirementIds: readonly string[] = catalogue.requirements.map(({ id }) => id);

/** The ids of all requirements and questions, in the order of the catalogue. */
export const allIds: readonly string[] = [...requirementIds, ...catalogue.questions.map(({ id }) => id)];

/**
 * Whether a list selects an id; each item of it must select something.
 * @param list ids, separated by commas; * matches any text
 * @param source the option that holds the list, for the message
 * @throws {UsageError} when an item of the list selects nothing; suggests similar ids
 */
export function checkedMatcher(list: string, source: string): (id: string) => boolean {
  const globs = globsIn(list);
  for (const glob of globs) {
    if (allIds.some(matcherOf(glob))) continue;
    const which = globs.length > 1 ? `the id ${printable(glob)}` : 'this id';
    const similar = similarTo(glob.replaceAll('*', ''), allIds);
    throw new UsageError(`${source}: no requirement and no question has ${which}; similar ids: ${similar}`);
  }
  return matcherOf(list);
}

import type { Question, Requirement } from '../engine/requirement.ts';
import { catalogue } from '../../suites/catalogue.ts';
import { globsIn, patternOf } from '../engine/requirement.ts';
import { UsageError, similarTo } from '../settings/usage-error.ts';

// The commands start the suites, and so are the only part of the library that knows them.
export { catalogue };
export { plan } from '../../suites/plan.ts';
export { openPoints } from '../../suites/sentences.ts';

export const requirementIds: readonly string[] = catalogue.requirements.map(({ id }) => id);

export const questionIds: readonly string[] = catalogue.questions.map(({ id }) => id);

/** @throws {Error} for an id that does not exist */
export const requirementOf = (id: string): Requirement => found(catalogue.requirements, id);

/** @throws {Error} for an id that does not exist */
export const questionOf = (id: string): Question => found(catalogue.questions, id);

function found<T extends { readonly id: string }>(list: readonly T[], id: string): T {
  const one = list.find((each) => each.id === id);
  if (one === undefined) throw new Error(`there is no ${id}`);
  return one;
}

/** The ids of all requirements and questions, in the order of the catalogue. */
export const allIds: readonly string[] = [...requirementIds, ...questionIds];

/** What a list of ids selects. */
interface SelectedIds {
  readonly ids: readonly string[];
  /** A regular expression without anchors for each item of the list. */
  readonly patterns: readonly string[];
}

/**
 * Selects requirements and questions.
 * @param list ids, separated by commas; * matches any text
 * @param source the option that holds the list, for the message
 * @throws {UsageError} when an item of the list selects nothing; suggests similar ids
 */
export function selectIds(list: string, source: string): SelectedIds {
  const globs = globsIn(list);
  const patterns = globs.map(patternOf);
  const matches = (pattern: string) => (id: string) => new RegExp(`^${pattern}$`).test(id);
  for (const [at, pattern] of patterns.entries()) {
    if (allIds.some(matches(pattern))) continue;
    const which = globs.length > 1 ? `item ${at + 1} of the list` : 'this id';
    const similar = similarTo(globs[at]!.replaceAll('*', ''), allIds);
    throw new UsageError(
      `${source}: no requirement and no question has ${which}; similar ids: ${similar.join(', ')}`,
    );
  }
  return { ids: allIds.filter((id) => patterns.some((pattern) => matches(pattern)(id))), patterns };
}

/** Patterns for a list of ids that custom suites may define, which are known only once these are loaded. */
export const uncheckedPatterns = (list: string): readonly string[] => globsIn(list).map(patternOf);

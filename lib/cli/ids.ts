import { requirementIds } from '../engine/catalogue.ts';
import { questionIds } from '../engine/questions.ts';
import { UsageError } from '../settings/settings.ts';
import { nearest } from './nearest.ts';

/** All that a run judges or asks, in the order of the catalogue. */
export const allIds: readonly string[] = [...requirementIds, ...questionIds];

/** What `only` means: the ids, and a pattern for each text of the list. */
export interface Meant {
  readonly ids: readonly string[];
  /** Of regular expressions, without anchors. */
  readonly patterns: readonly string[];
}

/**
 * The requirements and questions that are meant.
 * @param list ids, separated by commas, * for any text
 * @param name what it was given as, for the message
 * @throws {UsageError} when one of the list means none; tells those that are near
 */
export function idsMeant(list: string, name: string): Meant {
  const globs = globsIn(list);
  const patterns = patternsIn(list);
  const matches = (pattern: string) => (id: string) => new RegExp(`^${pattern}$`).test(id);
  for (const [at, pattern] of patterns.entries()) {
    if (allIds.some(matches(pattern))) continue;
    const which = globs.length > 1 ? `the id number ${at + 1} of the list` : 'this id';
    throw new UsageError(
      `${name}: no requirement and no question has ${which}; near ones are ${nearest(globs[at]!.replaceAll('*', ''), allIds).join(', ')}`,
    );
  }
  return { ids: allIds.filter((id) => patterns.some((pattern) => matches(pattern)(id))), patterns };
}

/**
 * Of regular expressions that match what is meant.
 * @param isOpen whether there are suites of somebody's own, whose ids are known when they are loaded
 * @throws {UsageError} when one of the list means none
 */
export const patternsOf = (only: string, isOpen: boolean): readonly string[] =>
  isOpen ? patternsIn(only) : idsMeant(only, '--only').patterns;

const globsIn = (list: string): string[] => list.split(',').map((glob) => glob.trim());

const patternsIn = (list: string): string[] =>
  globsIn(list).map((glob) => glob.replace(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*'));

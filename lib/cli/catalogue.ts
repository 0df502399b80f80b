import type { Question, Requirement } from '../engine/requirement.ts';
import { catalogue } from '../../suites/catalogue.ts';

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

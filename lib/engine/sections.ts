import type { QuestionId } from './questions.ts';
import { questionIds, questionOf } from './questions.ts';
import { entryOf, requirementIds } from './catalogue.ts';
import type { RequirementId } from './catalogue.ts';

/** What the sections of the interface document are about, in its order; 5.1 to 5.6 are the items of its list. */
const sections: Readonly<Record<string, string>> = {
  '1': 'What the service does',
  '2': 'Resources and their fields',
  '3': 'States and transitions',
  '4': 'Endpoints',
  '4.1': 'Create a customer',
  '4.2': 'Issue a scoped token',
  '4.3': 'Other operations',
  '5': 'Authentication',
  '5.1': 'Authentication: the Bearer scheme',
  '5.2': 'Authentication: the static key',
  '5.3': 'Authentication: tokens in place of keys',
  '5.4': 'Authentication: the unit of expires_in',
  '5.5': 'Authentication: scopes',
  '5.6': 'Authentication: how a token is presented',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};

/** A section of the interface document, with what the suite has of it. */
export interface Section {
  readonly number: string;
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  readonly questions: readonly QuestionId[];
}

/** The interface document's own outline. */
export const outline: readonly Section[] = Object.entries(sections)
  // Whole numbers come first among the names of an object.
  .toSorted(([one], [other]) => Number(one) - Number(other))
  .map(([number, title]) => ({
    number,
    title,
    requirements: requirementIds.filter((id) => entryOf(id).section === number),
    questions: questionIds.filter((id) => questionOf(id).section === number),
  }));

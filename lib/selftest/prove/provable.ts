import { entryOf, requirementIds } from '../../engine/catalogue.ts';
import type { Level, RequirementId } from '../../engine/catalogue.ts';
import { questionIds, questionOf } from '../../engine/questions.ts';
import type { QuestionId } from '../../engine/questions.ts';

/** Whatever must be shown to be able to fail: requirements, and open questions that a profile answers. */
export const provableIds: readonly string[] = [
  ...requirementIds,
  ...questionIds.filter((id) => questionOf(id).asked !== 'operator'),
];

const isQuestion = (id: string): id is QuestionId => questionIds.includes(id as QuestionId);

export const levelOf = (id: string): Level =>
  isQuestion(id) ? 'declared' : entryOf(id as RequirementId).level;

export const statementOf = (id: string): string =>
  isQuestion(id) ? questionOf(id).question : entryOf(id as RequirementId).statement;

import { entryOf, requirementIds } from '../engine/catalogue.ts';
import type { Entry, RequirementId } from '../engine/catalogue.ts';
import { questionIds, questionOf } from '../engine/questions.ts';
import type { Question, QuestionId } from '../engine/questions.ts';

/** Something that the suite checks, under an id that stays. */
export type Requirement = Entry & { readonly id: RequirementId };

/** A point that the interface leaves open, under an id that stays. */
export type OpenQuestion = Question & { readonly id: QuestionId };

/** All that the suite checks, in the order of its reports. */
export const requirements: readonly Requirement[] = requirementIds.map((id) => ({ id, ...entryOf(id) }));

/** All that the interface leaves open, in the order of the reports. */
export const questions: readonly OpenQuestion[] = questionIds.map((id) => ({ id, ...questionOf(id) }));

import type { RequirementId } from './catalogue.ts';
import type { Explanation } from './explanation.ts';
import { authentication } from './explanations/authentication.ts';
import { customers } from './explanations/customers.ts';
import { goodPractice } from './explanations/good-practice.ts';
import { tokenLife } from './explanations/token-life.ts';
import { tokens } from './explanations/tokens.ts';
import type { Question } from './questions.ts';

/** Every requirement explained: one without does not compile. */
const explanations: Readonly<Record<RequirementId, Explanation>> = {
  ...customers,
  ...tokens,
  ...authentication,
  ...goodPractice,
  ...tokenLife,
};

export const explanationOf = (id: RequirementId): Explanation => explanations[id];

/** How each kind of question is asked. */
export const askedIn: Readonly<Record<Question['asked'], string>> = {
  seen: 'Every run answers it, from the exchanges that it has anyway.',
  probed: 'It takes requests of its own: it is asked with --write-profile FILE or --profile FILE.',
  operator: 'No request tells: the operator of the target says it, in a profile.',
};

import type { Question } from '../../lib/engine/requirement.ts';
import { customerQuestions } from './customers.ts';
import { serviceQuestions } from './service.ts';
import { tokenQuestions } from './tokens.ts';

/**
 * All open questions, by section of the interface. An answer never contains a value that changes from run to run.
 */
export const questions: readonly Question[] = [
  ...serviceQuestions,
  ...customerQuestions,
  ...tokenQuestions,
].toSorted((one, other) => Number(one.section) - Number(other.section));

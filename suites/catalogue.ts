import type { Catalogue, Chapter } from '../lib/engine/catalogue.ts';
import type { Question } from '../lib/engine/question.ts';
import { authenticationRequirements } from './authentication.ts';
import { customerRequirements } from './customers.ts';
import { httpRequirements } from './http.ts';
import { sentences } from './sentences.ts';
import { tokenLifeRequirements } from './token-life.ts';
import { tokenRequirements } from './tokens.ts';
import { customerQuestions } from './questions/customers.ts';
import { serviceQuestions } from './questions/service.ts';
import { tokenQuestions } from './questions/tokens.ts';

/** The chapters. Each has a test file of its name. */
export const chapters = {
  customers: {
    name: 'customers',
    title: 'customers (interface, sections 2 and 4.1)',
    requirements: customerRequirements,
  },
  tokens: {
    name: 'tokens',
    title: 'tokens (interface, sections 2, 4.2 and 5.3)',
    requirements: tokenRequirements,
  },
  authentication: {
    name: 'authentication',
    title: 'authentication (interface, section 5)',
    requirements: authenticationRequirements,
  },
  http: {
    name: 'http',
    title: 'good practice (the RFCs that the interface builds on)',
    requirements: httpRequirements,
  },
  tokenLife: {
    name: 'token-life',
    title: 'the life of a token (interface, sections 5.3 to 5.6), as far as a profile declares it',
    requirements: tokenLifeRequirements,
  },
} as const satisfies Record<string, Chapter>;

/** All open questions, by section of the interface. An answer never contains a value that changes from run to run. */
export const questions: readonly Question[] = [
  ...serviceQuestions,
  ...customerQuestions,
  ...tokenQuestions,
].toSorted((one, other) => Number(one.section) - Number(other.section));

/** Every requirement, every question and every sentence of the interface. */
export const catalogue: Catalogue = {
  chapters: Object.values(chapters),
  requirements: Object.values(chapters).flatMap(({ requirements }) => [...requirements]),
  questions,
  sentences,
};

import type { ReportedSentence } from '../schemas/report.ts';
import type { Question } from './question.ts';
import type { Requirement } from './requirement.ts';

/** A test file of the suites, and the requirements that it tests. */
export interface Chapter {
  /** The name of its file, without `.test.ts`. */
  readonly name: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** All requirements and questions, and the sentences of the interface that they belong to. */
export interface Catalogue {
  readonly chapters: readonly Chapter[];
  readonly requirements: readonly Requirement[];
  readonly questions: readonly Question[];
  readonly sentences: readonly ReportedSentence[];
}

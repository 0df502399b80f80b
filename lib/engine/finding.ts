import type { Result } from '../schemas/report.ts';

/** What one requirement came to. Plain JSON: it travels as the meta of a Vitest task. */
export type Finding = Result & { readonly id: string };

export type { Counterexample, FindingVerdict } from '../schemas/case.ts';

/** What was expected and what came instead, in words; nothing else is needed to see the fault. */
export interface Violation {
  /** Every outcome that would have been right. */
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer (RFC 6901) into the response body. */
  readonly pointer?: string;
}

/** What a run is about: the chapters whose files were selected, and a pattern for the names of their tests. */
export interface Selection {
  readonly chapters: readonly string[];
  readonly pattern: string | undefined;
}

import fc from 'fast-check';
import type { CaseSource } from '../../lib/engine/scenario.ts';

/** A case with one input, which is not generated. */
export const fixedCase = <I>(category: string, input: I): CaseSource<I> => ({
  category,
  arbitrary: fc.constant(input),
});

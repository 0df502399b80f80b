import fc from 'fast-check';
import { allFaults as faults } from '../reference/faults/faults.ts';
import type { Cause } from './cause.ts';

/** One input of an arbitrary, always the same. */
export const first = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { seed: 7, numRuns: 1 })[0]!;

export const behaviourOf = (fault: string) => faults.find(({ name }) => name === fault)!.behaviour();

export const namesOf = (group: string): string[] =>
  faults.filter((fault) => fault.group === group).map(({ name }) => name);

/** The causes of faults, in words, as far as there is one. */
export const foundIn = (
  names: readonly string[],
  causeOf: (name: string) => Cause | undefined,
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => [[name, causeOf(name)?.text ?? '']]).filter(([, text]) => text !== ''),
  );

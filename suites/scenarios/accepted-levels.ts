import { acceptedInputs } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource } from '../../lib/engine/scenario.ts';

/**
 * Sends each unusual level alone, with the right key, as what the target rejects by itself is not worth a combination.
 * @param dimensions in which requests may differ, each with its levels; the first of each is the usual one
 * @param aloneOf the input that differs from a usual one in this level only
 * @returns the dimensions with the accepted levels
 */
export function* acceptedLevels<L, I>(
  category: string,
  dimensions: readonly (readonly L[])[],
  aloneOf: (level: L) => I,
): Generator<CaseSource<I>[], L[][], readonly Observation<I>[]> {
  const alone = new Map(
    dimensions.flatMap(([, ...unusual]) => unusual.map((level) => [level, aloneOf(level)] as const)),
  );
  const accepted = new Set(
    acceptedInputs(yield [...alone.values()].map((input) => fixedCase(category, input))),
  );
  return dimensions.map(([usual, ...unusual]) => [
    usual!,
    ...unusual.filter((level) => accepted.has(alone.get(level)!)),
  ]);
}

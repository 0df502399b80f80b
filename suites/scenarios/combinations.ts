import { acceptedInputs } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import { coveringArray } from '../../lib/inputs/covering-array.ts';
import { strengthFor } from '../../lib/settings/depths.ts';

interface Combinations<V, L, I> {
  /** The values that parts of the input may have. */
  readonly parts: readonly (readonly V[])[];
  /** The dimensions in which a request may differ, each with its levels; the first of each is the usual one. */
  readonly dimensions: readonly (readonly L[])[];
  /** The case that differs from a usual one in this level only, with the right key. */
  readonly alone: (level: L) => { readonly category: string; readonly input: I };
  /** The case with a value of each part and a level of each dimension. @param at its place among these */
  readonly together: (values: readonly V[], levels: readonly L[], at: number) => CaseSource<I>;
}

/**
 * Requests in which each two values or levels occur together, in a very long run each three; in a shorter one none.
 * Levels that the target rejects by themselves are left out, as they say nothing about a combination.
 */
export function* combinations<V, L, I>(
  run: Run,
  { parts, dimensions, alone, together }: Combinations<V, L, I>,
): Generator<readonly CaseSource<I>[], void, readonly Observation<I>[]> {
  const strength = strengthFor(run.cases);
  if (strength === 0) return;
  const unusual = new Map(
    dimensions.flatMap(([, ...levels]) => levels.map((level) => [level, alone(level)] as const)),
  );
  const accepted = new Set(
    acceptedInputs(yield [...unusual.values()].map(({ category, input }) => fixedCase(category, input))),
  );
  const kept = dimensions.map((levels) =>
    levels.filter((level) => !unusual.has(level) || accepted.has(unusual.get(level)!.input)),
  );
  const rows = coveringArray(
    [...parts, ...kept].map(({ length }) => length),
    strength,
  );
  yield rows.map((row, at) =>
    together(
      parts.map((values, part) => values[row[part]!]!),
      kept.map((levels, dimension) => levels[row[parts.length + dimension]!]!),
      at,
    ),
  );
}

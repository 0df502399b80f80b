import { acceptedInputs } from '../../lib/engine/observation.ts';
import type { Observation } from '../../lib/engine/observation.ts';
import { fixedCase } from '../../lib/engine/scenario.ts';
import type { CaseSource, Run } from '../../lib/engine/scenario.ts';
import { strengthFor } from '../../lib/settings/depths.ts';

interface Combinations<V, L, I> {
  /** The values that parts of the input may have. */
  readonly parts: readonly (readonly V[])[];
  /** The dimensions in which a request may differ, each with its levels; the first of each is the usual one. */
  readonly dimensions: readonly (readonly L[])[];
  /** The case that differs from a usual one in this level only, with the right key. */
  readonly alone: (level: L) => { readonly category: string; readonly input: I };
  /** The case with a value of each part and a level of each dimension. @param at its index among these cases */
  readonly together: (values: readonly V[], levels: readonly L[], at: number) => CaseSource<I>;
}

/**
 * Requests in which every pair of values or levels occurs, in a very long run every triple; none in a short run.
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

/**
 * Rows that contain every combination of levels of any `strength` factors at least once, in far fewer rows than all
 * combinations of all factors: by the algorithm IPOG (Lei et al., "IPOG: A General Strategy for T-Way Software Testing",
 * 2007).
 * @param levels the number of levels of each factor, at least one; the level 0 fills what no combination needs
 * @returns for each row the level of each factor
 */
export function coveringArray(levels: readonly number[], strength: number): readonly (readonly number[])[] {
  // The largest factors first: their combinations are needed in any case, and the others fit into the same rows.
  const order = levels.map((_, factor) => factor).toSorted((one, other) => levels[other]! - levels[one]!);
  const sizes = order.map((factor) => levels[factor]!);
  const first = Math.min(strength, sizes.length);
  const rows = everyRow(sizes.slice(0, first)).map((row): LevelRow => [...row]);
  for (let factor = first; factor < sizes.length; factor++) {
    const missing = missingWith(factor, sizes, strength);
    for (const row of rows) extend(row, factor, sizes[factor]!, missing);
    for (const needed of missing.values()) putInRow(needed, rows, factor);
  }
  return rows.map((row) => levels.map((_, factor) => row[order.indexOf(factor)] ?? 0));
}

/** The level of each factor so far; undefined: any. */
type LevelRow = (number | undefined)[];

/** Levels of some factors. */
type Tuple = readonly (readonly [factor: number, level: number])[];

const everyRow = (sizes: readonly number[]): readonly (readonly number[])[] =>
  sizes.reduce<readonly (readonly number[])[]>(
    (rows, size) => rows.flatMap((row) => Array.from({ length: size }, (_, level) => [...row, level])),
    [[]],
  );

/** Sets of `count` factors below a limit. */
const setsBelow = (limit: number, count: number): readonly (readonly number[])[] =>
  count === 0
    ? [[]]
    : Array.from({ length: limit }, (_, last) => last).flatMap((last) =>
        setsBelow(last, count - 1).map((set) => [...set, last]),
      );

/** The combinations that contain a level of a factor and levels of factors before it, by key. */
function missingWith(factor: number, sizes: readonly number[], strength: number): Map<string, Tuple> {
  const missing = new Map<string, Tuple>();
  for (const set of setsBelow(factor, strength - 1)) {
    const factors = [...set, factor];
    for (const row of everyRow(factors.map((one) => sizes[one]!))) {
      const tuple = factors.map((one, at) => [one, row[at]!] as const);
      missing.set(tuple.join(';'), tuple);
    }
  }
  return missing;
}

/** Gives a row the level of a factor that covers the most missing combinations, which are then no longer missing. */
function extend(row: LevelRow, factor: number, size: number, missing: Map<string, Tuple>): void {
  const covered: string[][] = Array.from({ length: size }, () => []);
  for (const [key, tuple] of missing) {
    const others = tuple.slice(0, -1);
    if (others.every(([one, level]) => row[one] === level)) covered[tuple.at(-1)![1]]!.push(key);
  }
  const maxCovered = Math.max(...covered.map(({ length }) => length));
  row[factor] = covered.findIndex(({ length }) => length === maxCovered);
  for (const key of covered[row[factor]]!) missing.delete(key);
}

/** Puts a combination into a row that leaves room for it, or into a new one. */
function putInRow(tuple: Tuple, rows: LevelRow[], factor: number): void {
  const hasRoom = (row: LevelRow): boolean =>
    tuple.every(([one, level]) => row[one] === undefined || row[one] === level);
  let row = rows.find(hasRoom);
  if (row === undefined) {
    row = Array.from({ length: factor + 1 }, () => undefined);
    rows.push(row);
  }
  for (const [one, level] of tuple) row[one] = level;
}

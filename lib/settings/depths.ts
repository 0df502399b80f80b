/** Cases of the widest scenario, by depth. */
export const depths = { quick: 60, default: 170, deep: 3000 } as const;
export type Depth = keyof typeof depths;

/** The minimum number of cases that a verdict can rest on. */
export const MIN_CASES = depths.quick;

/** From these numbers of cases on, a run tests combinations in pairs, and in triples. */
const PAIRS_FROM = 1000;
const TRIPLES_FROM = 10_000;

/** How many values are tested together in every combination, in a run of so many cases; 0: none are. */
export const strengthFor = (cases: number): 0 | 2 | 3 => {
  if (cases < PAIRS_FROM) return 0;
  return cases < TRIPLES_FROM ? 2 : 3;
};

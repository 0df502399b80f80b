/** Cases of the widest scenario, by depth. */
export const depths = { quick: 60, default: 170, deep: 3000 } as const;
export type Depth = keyof typeof depths;

/** The fewest cases that a verdict can rest on. */
export const FEWEST_CASES = depths.quick;

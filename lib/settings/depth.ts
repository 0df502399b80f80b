/** How deep a run goes, by name: how many cases its widest experiment has. */
export const depths = { quick: 60, default: 170, deep: 3000 } as const;

export type Depth = keyof typeof depths;

/** What a run may take that has so many cases, unless it is told otherwise. Seconds. */
export const budgetsFor = (cases: number): { readonly maxRequests: number; readonly timeBudget: number } => ({
  maxRequests: Math.max(1000, 600 + 2 * cases),
  timeBudget: Math.max(80, Math.ceil(cases / 10)),
});

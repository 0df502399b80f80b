/** The value below or at which a share of all lies (nearest rank). @param sorted ascending, not empty */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;

/** One item of each list in turn. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, round) =>
    lists.flatMap((list) => (round < list.length ? [list[round]!] : [])),
  ).flat();
}

/** A list in groups of so many items; the last may have fewer. */
export const inGroups = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** At most so many whole numbers between two others, evenly spaced: to search for a limit from both sides. */
export function numbersBetween(lower: number, upper: number, count: number): readonly number[] {
  const step = (upper - lower) / (count + 1);
  const between = Array.from({ length: count }, (_, at) => Math.round(lower + step * (at + 1)));
  return [...new Set(between)].filter((number) => number > lower && number < upper);
}

/** The two halves of a list. */
export const halves = <T>(items: readonly T[]): readonly [T[], T[]] => [
  items.slice(0, items.length >> 1),
  items.slice(items.length >> 1),
];

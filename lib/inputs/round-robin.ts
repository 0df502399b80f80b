/** One item of each list in turn. */
export function roundRobin<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, round) =>
    lists.flatMap((list) => (round < list.length ? [list[round]!] : [])),
  ).flat();
}

/** At most so many whole numbers between two others, at even distances: to search for a limit from both sides. */
export function numbersBetween(least: number, most: number, count: number): readonly number[] {
  const step = (most - least) / (count + 1);
  const between = Array.from({ length: count }, (_, at) => Math.round(least + step * (at + 1)));
  return [...new Set(between)].filter((number) => number > least && number < most);
}

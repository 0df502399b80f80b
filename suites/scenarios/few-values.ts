/** Further requests that ids or tokens with few values are worth. */
const MOST_REPEATS = 500;

/** How sure two of them must be: the chance that all differ is below this. */
const LEFT_TO_CHANCE = 1 / 1000;

/**
 * How many more values to request until two must be the same, where they look as if they were chosen from few; 0 where
 * more would prove nothing.
 */
export function repeatsUntilClash(values: readonly unknown[]): number {
  const left = drawsUntilClash(values.filter((value) => typeof value === 'string'));
  return left > 1.5 * MOST_REPEATS ? 0 : Math.min(MOST_REPEATS, left);
}

/**
 * How many more texts like these must be generated until two are the same, almost certainly, if each of their characters
 * is chosen at random from those observed at its place (the birthday problem). 0: so many have been generated already,
 * and if no two are the same, they are not generated that way.
 */
export function drawsUntilClash(texts: readonly string[]): number {
  const byLength = Map.groupBy(texts, ({ length }) => length).values();
  const values = [...byLength].reduce((sum, alike) => sum + valuesLike(alike), 0);
  return Math.max(0, Math.ceil(Math.sqrt(-2 * Math.log(LEFT_TO_CHANCE) * values)) - texts.length);
}

/** How many texts there can be with the characters observed at each place of these, which have one length. */
const valuesLike = (texts: readonly string[]): number =>
  Array.from(texts[0]!, (_, at) => new Set(texts.map((text) => text[at])).size).reduce(
    (product, count) => product * count,
    1,
  );

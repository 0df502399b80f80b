/** Maximum number of further requests to find a repeated id or token. */
const MAX_REPEATS = 500;

/** Minimum probability that all values still differ. */
const MISS_PROBABILITY = 1 / 1000;

/**
 * How many more values to request until two of them must be equal, if they seem to be chosen from few; 0 if more would
 * prove nothing.
 */
export function repeatsUntilClash(values: readonly unknown[]): number {
  const left = textsUntilClash(values.filter((value) => typeof value === 'string'));
  return left > 2 * MAX_REPEATS ? 0 : Math.min(MAX_REPEATS, left);
}

/**
 * How many more texts like these must be generated until two are almost certainly equal, if each character is chosen at
 * random from those observed at its position (the birthday problem). 0: there are enough already.
 */
export function textsUntilClash(texts: readonly string[]): number {
  const byLength = Map.groupBy(texts, ({ length }) => length).values();
  const values = [...byLength].reduce((sum, alike) => sum + valuesLike(alike), 0);
  return Math.max(0, Math.ceil(Math.sqrt(-2 * Math.log(MISS_PROBABILITY) * values)) - texts.length);
}

/** How many texts there are with the characters observed at each position of these, which have the same length. */
const valuesLike = (texts: readonly string[]): number =>
  Array.from(texts[0]!, (_, at) => new Set(texts.map((text) => text[at])).size).reduce(
    (product, count) => product * count,
    1,
  );

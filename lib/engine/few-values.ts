/** How sure two of them must be: the chance that none are the same is below this. */
const LEFT_TO_LUCK = 1 / 1000;

/**
 * How many more texts like these must be drawn until two are the same, all but surely, if each of their
 * characters is drawn by chance from those seen at its place. 0: so many have been drawn already, and if no
 * two are the same, the texts are no such draws. It is the birthday problem.
 */
export function drawsUntilClash(texts: readonly string[]): number {
  const byLength = Map.groupBy(texts, ({ length }) => length).values();
  const values = [...byLength].reduce((sum, alike) => sum + valuesLike(alike), 0);
  return Math.max(0, Math.ceil(Math.sqrt(-2 * Math.log(LEFT_TO_LUCK) * values)) - texts.length);
}

/** How many texts there can be with the characters seen at each place of these, which are of one length. */
const valuesLike = (texts: readonly string[]): number =>
  Array.from(texts[0]!, (_, at) => new Set(texts.map((text) => text[at])).size).reduce(
    (product, count) => product * count,
    1,
  );

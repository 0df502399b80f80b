/** How many texts are offered. */
const OFFERED = 3;

/** The texts that are most like one that was mistaken, by the pairs of letters that they share (Dice). */
export function nearest(mistaken: string, known: readonly string[]): string[] {
  const own = pairsOf(mistaken);
  return known
    .map((text) => {
      const pairs = pairsOf(text);
      const shared = [...pairs].filter((pair) => own.has(pair)).length;
      return { text, likeness: (2 * shared) / (own.size + pairs.size || 1) };
    })
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, OFFERED)
    .map(({ text }) => text);
}

const pairsOf = (text: string): ReadonlySet<string> => {
  const letters = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
};

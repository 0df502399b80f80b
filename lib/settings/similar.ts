const SUGGESTIONS = 3;

/** Lists the known texts that are most similar to a mistyped one, by the pairs of letters that they share (Dice). */
export function similarTo(mistyped: string, known: readonly string[]): string {
  const wanted = pairsOf(mistyped);
  return known
    .map((text) => {
      const pairs = pairsOf(text);
      const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
      return { text, similarity: (2 * shared) / (wanted.size + pairs.size || 1) };
    })
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, SUGGESTIONS)
    .map(({ text }) => text)
    .join(', ');
}

const pairsOf = (text: string): ReadonlySet<string> => {
  const letters = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
};

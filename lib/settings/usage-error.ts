/** Wrong usage or settings: nothing was sent (exit code 2). The message names the setting and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs work, and adds the name of its subject to the {@link UsageError} that it throws. */
export function prefixUsageErrors<T>(subject: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${subject}: ${error.message}`) : error;
  }
}

/** Why a file can't be read, by the error of `node:fs`. */
export const unreadable = (error: unknown): string =>
  `the file can't be read (${(error as NodeJS.ErrnoException).code})`;

const SUGGESTIONS = 3;

/** The known texts that are most similar to a mistyped one, by the pairs of letters that they share (Dice). */
export function similarTo(mistyped: string, known: readonly string[]): string[] {
  const wanted = pairsOf(mistyped);
  return known
    .map((text) => {
      const pairs = pairsOf(text);
      const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
      return { text, similarity: (2 * shared) / (wanted.size + pairs.size || 1) };
    })
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, SUGGESTIONS)
    .map(({ text }) => text);
}

const pairsOf = (text: string): ReadonlySet<string> => {
  const letters = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
};

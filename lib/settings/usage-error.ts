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

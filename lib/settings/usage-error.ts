/** Wrong usage or settings: nothing was sent (exit code 2). The message names the setting and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Why a file or a folder can't be read, by the error of `node:fs`. */
export const unreadable = (error: unknown, what: 'file' | 'folder' = 'file'): string =>
  `the ${what} can't be read (${(error as NodeJS.ErrnoException).code})`;

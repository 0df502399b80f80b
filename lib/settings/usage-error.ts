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

/** Why a file or folder can't be read, by the error of `node:fs`. */
export function unreadable(error: unknown, what: 'file' | 'folder' = 'file'): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return `the ${what} does not exist: check the path, and, if it is relative, the current folder`;
  const reason = code === 'EISDIR' ? 'it is a folder' : code === 'EACCES' ? 'permission denied' : code;
  return `the ${what} can't be read (${reason})`;
}

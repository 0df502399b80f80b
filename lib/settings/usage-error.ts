/** Wrong usage or settings: nothing was sent (exit code 2). The message names the setting and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

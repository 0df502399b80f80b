/** Milliseconds for which a path throttles all requests before that may be a quota of its own. */
const LASTING = 6_000;

/** Detects that the target throttles one path alone, such as by a quota, for longer than a run can wait. */
export interface PathLimits {
  /** Notes that the target has accepted a request with the right key to a path. */
  readonly accepted: (path: string) => void;
  /**
   * Notes that it throttles one. @returns whether it does so for long, and accepts requests to other paths
   * @param wait milliseconds that it asks to wait, or that are waited anyway
   * @param isTooLong whether the run has no time for that
   */
  readonly isLimited: (path: string, wait: number, isTooLong: boolean) => Promise<boolean>;
}

/** @param acceptsOther whether the target accepts a request to another path than this one */
export function detectPathLimits(acceptsOther: (path: string) => Promise<boolean>): PathLimits {
  /** Since when each path throttles all requests (`performance.now()`). */
  const throttledSince = new Map<string, number>();
  const checks = new Map<string, Promise<boolean>>();

  const check = async (path: string): Promise<boolean> => {
    const isLimited = await acceptsOther(path);
    // Otherwise it is looked at again when it has lasted for as long again.
    if (!isLimited) {
      checks.delete(path);
      throttledSince.delete(path);
    }
    return isLimited;
  };

  return {
    accepted: (path) => throttledSince.delete(path),
    async isLimited(path, wait, isTooLong) {
      const now = performance.now();
      const since = throttledSince.get(path) ?? now;
      throttledSince.set(path, since);
      if (!isTooLong && now - since < Math.max(LASTING, 2 * wait)) return false;
      const running = checks.get(path) ?? check(path);
      checks.set(path, running);
      return running;
    },
  };
}

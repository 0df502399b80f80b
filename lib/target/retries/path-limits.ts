/** Milliseconds for which a path throttles all requests before that may be a quota of its own. */
const MIN_THROTTLED_TIME = 6_000;
/** Milliseconds of the time budget that are kept for the other path: until then, the limit may end. */
const TIME_FOR_OTHER_PATH = 15_000;

/** Detects that the target throttles one path alone, such as by a quota, for longer than a run can wait. */
export interface PathLimits {
  /** Notes that the target has accepted a request with the right key to a path. */
  readonly accepted: (path: string) => void;
  /**
   * Notes that it throttles one. @returns whether it does so for as long as the run can wait, and accepts requests to
   * other paths
   * @param wait milliseconds that it asks to wait, or that are waited anyway
   * @param left milliseconds of the time budget
   */
  readonly checkPath: (path: string, wait: number, left: number) => Promise<boolean>;
}

/** @param acceptsOther whether the target accepts a request to another path than this one */
export function detectPathLimits(acceptsOther: (path: string) => Promise<boolean>): PathLimits {
  /** Since when each path throttles all requests (`performance.now()`). */
  const throttledSince = new Map<string, number>();
  const checks = new Map<string, Promise<boolean>>();

  const check = async (path: string): Promise<boolean> => {
    const isOfPathAlone = await acceptsOther(path);
    // Otherwise it is looked at again when it has lasted for as long again.
    if (!isOfPathAlone) {
      checks.delete(path);
      throttledSince.delete(path);
    }
    return isOfPathAlone;
  };

  return {
    accepted: (path) => throttledSince.delete(path),
    async checkPath(path, wait, left) {
      const now = performance.now();
      const since = throttledSince.get(path) ?? now;
      throttledSince.set(path, since);
      if (wait <= left && (left > TIME_FOR_OTHER_PATH || now - since < MIN_THROTTLED_TIME)) return false;
      const running = checks.get(path) ?? check(path);
      checks.set(path, running);
      return running;
    },
  };
}

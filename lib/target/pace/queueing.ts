// A request was queued if its response took more than half of the time that it may take, and more than four times as long
// as the fastest to the same path.
const MIN_SHARE_OF_TIMEOUT = 0.5;
const MIN_SLOWDOWN = 4;

/**
 * Detects that the target processes requests one after the other, so that fewer in flight are answered just as fast, and
 * none of them after the timeout.
 * @param timeout milliseconds that a response may take
 * @returns a function that notes a response by its path and duration, and returns whether its request was queued
 */
export function detectQueueing(timeout: number): (path: string, duration: number) => boolean {
  const fastest = new Map<string, number>();
  return (path, duration) => {
    const least = Math.min(duration, fastest.get(path) ?? Infinity);
    fastest.set(path, least);
    return duration > timeout * MIN_SHARE_OF_TIMEOUT && duration > least * MIN_SLOWDOWN;
  };
}

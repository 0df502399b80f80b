/** A response is late if it took more than this share of the time that it may take, */
const SHARE = 0.5;
/** and this many times as long as the fastest for the same path. */
const SLOWER = 4;

/**
 * Detects that the target queues requests, as one that serves an operation one request at a time does. Fewer requests in
 * flight get no fewer answers then, and none that comes after its time is up.
 * @param timeout milliseconds that a response may take
 * @returns a function that notes a response by its path and duration, and returns whether its request was queued
 */
export function detectQueueing(timeout: number): (path: string, duration: number) => boolean {
  const fastest = new Map<string, number>();
  return (path, duration) => {
    const least = Math.min(duration, fastest.get(path) ?? Infinity);
    fastest.set(path, least);
    return duration > timeout * SHARE && duration > least * SLOWER;
  };
}

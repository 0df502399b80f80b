import type { Request } from '../exchange.ts';

// A request was queued if its response took more than half of the time that it may take, and more than four times as long
// as the fastest to the same path with the same credential: some services delay the rejection of a wrong key.
const MIN_SHARE_OF_TIMEOUT = 0.5;
const MIN_SLOWDOWN = 4;

/**
 * Detects that the target processes requests one after the other, so that fewer in flight are answered just as fast, and
 * none of them after the timeout.
 * @param timeout milliseconds that a response may take
 * @returns a function that notes how long a response took, and returns whether its request was queued
 */
export function detectQueueing(timeout: number): (request: Request, duration: number) => boolean {
  const fastest = new Map<string, number>();
  return ({ path, credential }, duration) => {
    const kind = `${path} ${credential?.value}`;
    const least = Math.min(duration, fastest.get(kind) ?? Infinity);
    fastest.set(kind, least);
    return duration > timeout * MIN_SHARE_OF_TIMEOUT && duration > least * MIN_SLOWDOWN;
  };
}

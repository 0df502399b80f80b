import type { Request } from '../exchange.ts';

// A request was queued if its response took more than half of the time that it may take, and more than four times as long
// as the fastest to the same path with the same credential and outcome: some services delay the rejection of an invalid
// credential, and many reject a malformed request sooner than they serve another.
const MIN_SHARE_OF_TIMEOUT = 0.5;
const MIN_SLOWDOWN = 4;

/**
 * Detects that the target processes requests one after the other: with fewer in flight it serves as many, and none is
 * answered after the timeout.
 * @param timeout milliseconds that a response may take
 * @returns a function that notes how long a response took, and whether it is a success, and returns whether its request
 * was queued
 */
export function detectQueueing(
  timeout: number,
): (request: Request, duration: number, isSuccess: boolean) => boolean {
  const fastest = new Map<string, number>();
  return (request, duration, isSuccess) => {
    const kind = `${kindOf(request)} ${isSuccess}`;
    const shortest = Math.min(duration, fastest.get(kind) ?? Infinity);
    fastest.set(kind, shortest);
    return duration > timeout * MIN_SHARE_OF_TIMEOUT && duration > shortest * MIN_SLOWDOWN;
  };
}

/** Requests of a kind are served alike: same path, same credential. */
export const kindOf = ({ path, credential }: Request): string => `${path} ${credential?.value}`;

import type { Request } from '../exchange.ts';
import { afterRunning } from '../pace/running-time.ts';

/** Requests given up in a row after which a plain request tests whether the target still answers. */
const MAX_LOST_IN_A_ROW = 8;
/** Milliseconds for which a target may be away, as during a deployment, or may still be starting. */
const LONGEST_OUTAGE = 10_000;
/** Milliseconds between two checks whether the target is back. */
export const BETWEEN_CHECKS = 500;

/** Whether the target was away: not at all, for a while, or for longer than we wait. */
type Outage = 'none' | 'over' | 'lasting';

/** Distinguishes a target that is away from one that fails on certain requests: the latter answers other requests. */
export interface OutageDetection {
  /**
   * Notes that the target has answered, not a gateway without it.
   * @param sentAt when the request was sent (`performance.now()`)
   */
  readonly answered: (sentAt: number) => void;
  /** Whether it has answered a request that was sent since a moment (`performance.now()`); default: any. */
  readonly hasAnswered: (since?: number) => boolean;
  /** Whether it may still be starting: it has never answered, and the request began to fail less than 10 s ago. */
  readonly mayBeStarting: (since: number) => boolean;
  /**
   * Whether, after it had answered, it has not answered what was sent since a moment (`performance.now()`), or an outage
   * has ended since.
   */
  readonly mayBeAway: (since: number) => boolean;
  /**
   * Whether an outage makes a request fail; resolves once it is over, or has lasted too long.
   * @param since when the request began to fail (`performance.now()`)
   */
  readonly outage: (failed: Request, since: number) => Promise<Outage>;
  /** Resolves when no outage is known. */
  readonly whenOver: () => Promise<unknown>;
  /**
   * Notes a request that was given up.
   * @param sentAt when it was last sent (`performance.now()`): the target may have answered others since
   * @returns whether the target has stopped answering for good
   */
  readonly noteGivenUp: (lost: Request, sentAt: number) => Promise<boolean>;
}

/**
 * @param isAnswered whether a plain request to the same path is answered
 * @param wait waits for milliseconds; throws when the run may not send any more
 * @param ended called at the end of an outage
 */
export function detectOutages(
  isAnswered: (request: Request) => Promise<boolean>,
  wait: (milliseconds: number) => Promise<void>,
  ended: () => void,
): OutageDetection {
  /** When the last request that it answered was sent: one that it had begun to serve may be answered in an outage. */
  let lastAnswered: number | undefined;
  let lostInARow = 0;
  let overAt = -Infinity;
  let current: Promise<Outage> | undefined;

  /** Checks until the target answers. */
  const waitForEnd = async (request: Request): Promise<Outage> => {
    const late = new AbortController();
    const cancel = afterRunning(LONGEST_OUTAGE, () => late.abort());
    try {
      for (let isFirst = true; !late.signal.aborted; isFirst = false) {
        if (await isAnswered(request)) {
          lastAnswered = performance.now();
          if (isFirst) return 'none';
          overAt = performance.now();
          ended();
          return 'over';
        }
        await wait(BETWEEN_CHECKS);
      }
      return 'lasting';
    } finally {
      cancel();
    }
  };

  const detection: OutageDetection = {
    answered(sentAt) {
      lostInARow = 0;
      lastAnswered = Math.max(lastAnswered ?? sentAt, sentAt);
    },
    hasAnswered: (since = -Infinity) => lastAnswered !== undefined && lastAnswered > since,
    mayBeStarting: (since) => lastAnswered === undefined && performance.now() - since < LONGEST_OUTAGE,
    mayBeAway: (since) => lastAnswered !== undefined && (lastAnswered <= since || overAt > since),
    outage: async (failed, since) =>
      overAt > since ? 'over' : (current ??= waitForEnd(failed).finally(() => (current = undefined))),
    // The callers of `outage` handle its errors.
    whenOver: async () => current?.catch(() => {}),
    async noteGivenUp(lost, sentAt) {
      if (detection.hasAnswered(sentAt)) return false;
      lostInARow++;
      return (
        lostInARow % MAX_LOST_IN_A_ROW === 0 &&
        (await detection.outage(lost, performance.now())) === 'lasting'
      );
    },
  };
  return detection;
}

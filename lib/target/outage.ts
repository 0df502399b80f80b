import type { Request, Trouble } from './exchange.ts';
import { isOfConnection } from './retry-policy.ts';

/** Requests given up in a row after which a plain request tests whether the target still answers. */
const MOST_LOST_IN_A_ROW = 8;
/** Milliseconds for which a target that has answered before may be away, as during a deployment. */
const LONGEST_OUTAGE = 10_000;
const BETWEEN_PROBES = 500;

/** Distinguishes a target that is away from one that fails on certain requests: the latter answers other requests. */
export interface OutageDetection {
  /** Notes that the target has answered. */
  readonly answered: () => void;
  /**
   * Whether an outage made a request fail; resolves once it is over.
   * @param since when its connections began to fail (`performance.now()`)
   */
  readonly metOutage: (since: number, request: Request, last: Trouble) => Promise<boolean>;
  /** Notes a request that was given up. @returns whether the target has stopped answering for good */
  readonly isAwayAfter: (lost: Request) => Promise<boolean>;
}

/**
 * @param isAnswered whether a plain request to the same path is answered
 * @param wait waits for milliseconds; throws when the run may not send any more
 */
export function detectOutages(
  isAnswered: (request: Request) => Promise<boolean>,
  wait: (milliseconds: number) => Promise<void>,
): OutageDetection {
  let lastReplyAt: number | undefined;
  let lostInARow = 0;
  let outage: Promise<boolean> | undefined;

  /** Probes until the target answers. @returns false where it was not away, or is away for too long */
  const waitOut = async (request: Request): Promise<boolean> => {
    const startedAt = performance.now();
    for (let isFirst = true; performance.now() - startedAt < LONGEST_OUTAGE; isFirst = false) {
      if (await isAnswered(request)) return !isFirst;
      await wait(BETWEEN_PROBES);
    }
    return false;
  };

  return {
    answered() {
      lostInARow = 0;
      lastReplyAt = performance.now();
    },
    async metOutage(since, request, last) {
      if (!isOfConnection(last) || lastReplyAt === undefined || lastReplyAt > since) return false;
      return (outage ??= waitOut(request).finally(() => (outage = undefined)));
    },
    async isAwayAfter(lost) {
      lostInARow++;
      return lostInARow % MOST_LOST_IN_A_ROW === 0 && !(await isAnswered(lost));
    },
  };
}

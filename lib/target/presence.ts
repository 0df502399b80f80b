import type { Request, Trouble } from './exchange.ts';
import { isOfConnection } from './retries.ts';

const MOST_LOST_IN_A_ROW = 8;
/** Milliseconds for which a target that has answered before may be away, as when it is deployed anew. */
const OUTAGE = 10_000;
const BETWEEN_LOOKS = 500;

/** How it is found out whether the target is there. */
export interface Look {
  /** Whether a plain request to the place of another is answered. */
  readonly isAnswered: (request: Request) => Promise<boolean>;
  /** @param milliseconds of waiting; throws when the run may not send any more */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * Tells a target that is away from one that has something against a request: it answers others, or a plain
 * request in the same place.
 */
export class Presence {
  readonly #look: Look;
  #lastReplyAt: number | undefined;
  #lostInARow = 0;
  #outage: Promise<boolean> | undefined;

  constructor(look: Look) {
    this.#look = look;
  }

  /** Notes that the target has answered. */
  answered(): void {
    this.#lostInARow = 0;
    this.#lastReplyAt = performance.now();
  }

  /** Whether a request that nothing but trouble has come of since then met an outage; resolves when that is over. */
  async metOutage(since: number, request: Request, last: Trouble): Promise<boolean> {
    if (!isOfConnection(last) || this.#lastReplyAt === undefined || this.#lastReplyAt > since) return false;
    return (this.#outage ??= this.#waitOut(request).finally(() => (this.#outage = undefined)));
  }

  /** Notes a request that was given up. @returns whether so many were that the target is away for good */
  async isAwayAfter(lost: Request): Promise<boolean> {
    this.#lostInARow++;
    return this.#lostInARow % MOST_LOST_IN_A_ROW === 0 && !(await this.#look.isAnswered(lost));
  }

  /** Looks until the target is there again, or has been away for too long. */
  async #waitOut(request: Request): Promise<boolean> {
    const startedAt = performance.now();
    for (let isFirst = true; performance.now() - startedAt < OUTAGE; isFirst = false) {
      if (await this.#look.isAnswered(request)) return !isFirst;
      await this.#look.wait(BETWEEN_LOOKS);
    }
    return false;
  }
}

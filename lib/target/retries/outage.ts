import type { Attempt } from '../connections/channel.ts';
import { pathOf } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import { afterRunning } from '../pace/running-time.ts';
import type { Trouble } from '../../schemas/exchange.ts';
import type { Sender } from '../sender.ts';
import { isGatewayFailure, isThrottling } from './throttling.ts';

/** Checks in a row without an outage after which there are fewer: the pace, or what is sent, makes requests fail. */
const MAX_VAIN_CHECKS = 3;
/** Milliseconds for which a target or an operation may be unavailable, as in a deployment, or still starting, or lock this client out. */
export const LONGEST_OUTAGE = 10_000;
/** Milliseconds between two checks whether the target is back. */
export const BETWEEN_CHECKS = 500;

/**
 * Whether the target was unavailable: not at all, for a while, or for longer than we wait; `of path`: only the path of the
 * failed request was for so long, and another one is served.
 */
export type Outage = 'none' | 'over' | 'lasting' | 'of path';

/**
 * Distinguishes a target that is unavailable from one that fails on certain requests: the latter answers other requests.
 * Once a request has failed, checks repeat an accepted one, alone, until it is answered, for at most ten seconds. A
 * throttled check shows nothing, as the limit may be that of a gateway:
 *
 * | outage    | checks                                               | the request that failed            |
 * | --------- | ---------------------------------------------------- | ---------------------------------- |
 * | `none`    | the first that is not throttled is answered          | failed for itself, or for the pace |
 * | `none`    | the last is throttled                                | the same                           |
 * | `over`    | at least one is not answered, a later one is         | is retried, alone                  |
 * | `of path` | none is answered, but then one to another path is    | is given up, as all to its path    |
 * | `lasting` | none is answered, nor one to another path            | is given up, as all others         |
 */
export class Outages {
  readonly #sender: Sender;
  /** When the last answered request to each path was sent: in an outage, the service may still answer what it received before. */
  readonly #lastAnswered = new Map<string, number>();
  #startingSince: number | undefined;
  /** What the last check met in place of a response; undefined: it got one, or there was none. */
  trouble: Trouble | undefined;
  /** Checks in a row that found no outage. */
  #vainChecks = 0;
  #current: { readonly path: string; readonly result: Promise<Outage> } | undefined;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /**
   * Notes that the target has answered, not a gateway in place of it.
   * @param sentAt when the request was sent (`performance.now()`)
   */
  answered(request: Request, sentAt: number): void {
    const path = pathOf(request);
    this.#lastAnswered.set(path, Math.max(this.#lastAnswered.get(path) ?? -Infinity, sentAt));
  }

  /** Whether it has ever answered. */
  get hasAnswered(): boolean {
    return this.#lastAnswered.size > 0;
  }

  /** Whether it may still be starting: it has never answered, for less than 10 s since this was first asked. */
  mayBeStarting(): boolean {
    const now = performance.now();
    this.#startingSince ??= now;
    return !this.hasAnswered && now - this.#startingSince < LONGEST_OUTAGE;
  }

  /** Whether nothing to the path of a request was answered that was sent since a moment (`performance.now()`), though some before was accepted. */
  isSilent(request: Request, since: number): boolean {
    const lastAnswered = this.#lastAnswered.get(pathOf(request)) ?? -Infinity;
    return this.#sender.lastAccepted.size > 0 && lastAnswered <= since;
  }

  /** Whether an outage is looked for at each failure of a request; if that was often in vain, only before it is given up. */
  mayHaveBegun(request: Request, since: number): boolean {
    return this.isSilent(request, since) && this.#vainChecks < MAX_VAIN_CHECKS;
  }

  /** Notes that the pace was why a request failed: until the next outage, none is looked for at each failure. */
  wasPace(): void {
    this.#vainChecks = MAX_VAIN_CHECKS;
  }

  /**
   * Whether an outage makes a request fail; resolves once it is over, or has lasted too long.
   * @param quiet milliseconds without requests before the first check
   */
  async outage(failed: Request, quiet = 0): Promise<Outage> {
    if (this.#current === undefined) {
      const checks = this.#checksFor(failed);
      const result = this.#waitForEnd(checks, quiet).finally(() => (this.#current = undefined));
      this.#current = { path: pathOf(checks[0]), result };
    }
    const { path, result } = this.#current;
    const outage = await result;
    return outage === 'of path' && path !== pathOf(failed) ? 'over' : outage;
  }

  /** Whether the end of an outage is awaited. */
  get isOngoing(): boolean {
    return this.#current !== undefined;
  }

  /** Resolves when no outage is known. */
  async whenOver(): Promise<void> {
    // The callers of `outage` handle its errors.
    await this.#current?.result.catch(() => {});
  }

  /** The requests of a check: an accepted one, preferably to the path of the failed one; if there is none, two to that path. */
  #checksFor(failed: Request): readonly [Request, ...Request[]] {
    const { lastAccepted } = this.#sender;
    const accepted = lastAccepted.get(pathOf(failed)) ?? [...lastAccepted.values()].at(-1);
    if (accepted) return [accepted];
    // The target may drop any GET, or what is invalid. A valid request may create something.
    const get = { ...failed, method: 'GET', path: pathOf(failed), body: undefined };
    return [get, { ...get, method: 'POST', body: Buffer.from('{}') }];
  }

  async #waitForEnd(checks: readonly [Request, ...Request[]], quiet: number): Promise<Outage> {
    let outage: Outage = 'none';
    const begunAt = performance.now();
    const late = new AbortController();
    const cancel = afterRunning(LONGEST_OUTAGE, () => late.abort());
    try {
      let result = await this.#check(checks, quiet);
      while (result !== 'answered' && !late.signal.aborted) {
        // Until it is over; the run may end before.
        if (result === 'none') outage = 'lasting';
        // One of them may be the only connection that the target serves.
        this.#sender.connections.retireDedicated();
        await this.#sender.wait(BETWEEN_CHECKS);
        if (this.#sender.stopped) throw this.#sender.stopped;
        result = await this.#check(checks);
      }
      if (result === 'throttled') outage = 'none';
      else if (result === 'none') outage = await this.#extentOf(checks[0]);
      else if (outage !== 'none') outage = 'over';
      this.#vainChecks = outage === 'none' ? this.#vainChecks + 1 : 0;
      if (outage === 'over') this.#sender.recover();
      return outage;
    } finally {
      cancel();
      if (outage !== 'none') this.#sender.noteOutage(performance.now() - begunAt);
    }
  }

  /** Whether a lasting outage is that of one path: behind a gateway, each operation may have a service of its own. */
  async #extentOf(check: Request): Promise<Outage> {
    const [, other] = [...this.#sender.lastAccepted].find(([path]) => path !== pathOf(check)) ?? [];
    if (!other || (await this.#check([other])) !== 'answered') return 'lasting';
    this.#sender.recover();
    // The whole target may just be back.
    return (await this.#check([check])) === 'answered' ? 'over' : 'of path';
  }

  /**
   * Sends requests alone, one after the other, until one is answered.
   * @param quiet milliseconds without requests before
   * @returns how the last one was; `none`: not at all, though a gateway may have answered in place of the target
   */
  async #check(requests: readonly Request[], quiet = 0): Promise<'answered' | 'throttled' | 'none'> {
    let result: 'throttled' | 'none' = 'none';
    for (const request of requests) {
      const attempt = await this.#sender.attemptAlone(request, quiet);
      this.trouble = 'trouble' in attempt ? attempt.trouble : undefined;
      // A gateway may fail with words about a limit.
      if (!isAnswered(attempt)) result = 'none';
      else if ('reply' in attempt && isThrottling(attempt.reply)) result = 'throttled';
      else {
        this.answered(request, attempt.sentAt);
        return 'answered';
      }
    }
    return result;
  }
}

/** Whether the target answered, not a gateway in place of it, perhaps with a response that is too long to be read. */
export const isAnswered = (attempt: Attempt): boolean =>
  'reply' in attempt ? !isGatewayFailure(attempt.reply) : attempt.trouble.kind === 'oversized';

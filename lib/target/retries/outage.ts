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

/** Distinguishes a target that is unavailable from one that fails on certain requests: the latter answers other requests. */
export class Outages {
  readonly #sender: Sender;
  /** When the last answered request to each path was sent; the target may still answer in an outage what it received before. */
  readonly #lastAnswered = new Map<string, number>();
  /** Whether it was observed not to answer an accepted request once more, though it answers others. */
  #isGetEnough = false;
  /** What the last check met in place of a response; undefined: it got one, or there was none. */
  trouble: Trouble | undefined;
  /** Checks in a row that found no outage. */
  #vainChecks = 0;
  /** Whether a request failed for the pace, though it was sent alone after the end of an outage. */
  #wasPace = false;
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

  /** Whether it has answered a request that was sent since a moment (`performance.now()`); default: any. */
  hasAnswered(since = -Infinity): boolean {
    return [...this.#lastAnswered.values()].some((sentAt) => sentAt > since);
  }

  /** Whether it may still be starting: it has never answered, and the request began to fail less than 10 s ago. */
  mayBeStarting(since: number): boolean {
    return !this.hasAnswered() && performance.now() - since < LONGEST_OUTAGE;
  }

  /** Whether an outage may have begun: nothing was answered that was sent since a moment (`performance.now()`), but some before was accepted. */
  mayHaveBegun(since: number): boolean {
    const isVain = this.#wasPace || this.#vainChecks >= MAX_VAIN_CHECKS;
    return this.#sender.lastAccepted.size > 0 && !this.hasAnswered(since) && !isVain;
  }

  /** Notes that the pace was why a request failed: an outage is no longer looked for at each failure. */
  wasPace(): void {
    this.#wasPace = true;
  }

  /**
   * Whether an outage makes a request fail; resolves once it is over, or has lasted too long.
   * @param quiet milliseconds without requests before the first check
   */
  async outage(failed: Request, quiet = 0): Promise<Outage> {
    const current = (this.#current ??= {
      path: pathOf(failed),
      result: this.#waitForEnd(failed, quiet).finally(() => (this.#current = undefined)),
    });
    const outage = await current.result;
    return outage === 'of path' && current.path !== pathOf(failed) ? 'over' : outage;
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

  /**
   * The outage of which a request was given up: of its path, if other paths are served.
   * @param sentAt when it was last sent (`performance.now()`)
   */
  async outageSince(sentAt: number, lost: Request): Promise<Outage> {
    const isAnswered = (this.#lastAnswered.get(pathOf(lost)) ?? -Infinity) > sentAt;
    return isAnswered || this.#sender.lastAccepted.size === 0 ? 'none' : this.outage(lost);
  }

  async #waitForEnd(failed: Request, quiet: number): Promise<Outage> {
    // A limit may be that of the gateway alone, and says nothing about the service.
    let isThrottled = false;
    let isInDoubt = false;
    let isUnavailable = false;
    const begunAt = performance.now();
    const late = new AbortController();
    const cancel = afterRunning(LONGEST_OUTAGE, () => late.abort());
    try {
      for (let isFirst = true; !late.signal.aborted; isFirst = false) {
        const answer = await this.#answerToAnother(failed, isFirst ? quiet : 0);
        isThrottled ||= answer === 'throttled';
        isInDoubt ||= answer === 'in doubt';
        if (answer === 'answered') {
          this.answered(failed, performance.now());
          if (isFirst) {
            this.#vainChecks++;
            return 'none';
          }
          this.#vainChecks = 0;
          isUnavailable ||= isInDoubt;
          this.#sender.recover();
          return 'over';
        }
        isUnavailable ||= answer === 'none';
        // One of them may be the only connection that the target serves.
        this.#sender.connections.retireDedicated();
        await this.#sender.wait(BETWEEN_CHECKS);
        if (this.#sender.stopped) throw this.#sender.stopped;
      }
      const extent = isThrottled ? 'none' : await this.#extentOf(failed, isInDoubt);
      if (extent === 'none') this.#vainChecks++;
      isUnavailable ||= extent !== 'none';
      return extent;
    } finally {
      cancel();
      // Also if it is not over, as it has lasted too long, or the run has ended.
      if (isUnavailable) this.#sender.noteOutage(performance.now() - begunAt);
    }
  }

  /**
   * Whether a lasting outage is that of one path: behind a gateway, each operation may have a service of its own.
   * @param isInDoubt whether a GET is answered: if the other path is served, too, that was no outage, but a target that
   * does not answer the accepted request once more
   */
  async #extentOf(failed: Request, isInDoubt: boolean): Promise<Outage> {
    const path = pathOf(failed);
    const [, other] = [...this.#sender.lastAccepted].find(([known]) => known !== path) ?? [];
    const isHanging = this.trouble?.kind === 'timeout';
    const isOtherAnswered = other && (await this.#answerToAnother(other, 0)) === 'answered';
    if (isInDoubt && isOtherAnswered !== false) {
      this.#isGetEnough = true;
      return 'none';
    }
    if (!isOtherAnswered || !this.#sender.lastAccepted.has(path)) return 'lasting';
    this.#sender.recover();
    // The whole target may just be back; one that hangs would have answered by now.
    return !isHanging && (await this.#answerToAnother(failed, 0)) === 'answered' ? 'over' : 'of path';
  }

  /** How the target answers another request, sent alone, to the path of one that failed. */
  async #answerToAnother(failed: Request, quiet: number): Promise<CheckResult> {
    const answerTo = async (request: Request): Promise<CheckResult> => {
      const attempt = await this.#sender.attemptAlone(request, quiet);
      this.trouble = 'trouble' in attempt ? attempt.trouble : undefined;
      return answerOf(attempt);
    };
    // The path or the credential may be why nothing is answered.
    const known =
      this.#sender.lastAccepted.get(pathOf(failed)) ?? [...this.#sender.lastAccepted.values()].at(-1);
    const { path, credential, fields } = known ?? failed;
    const get = { method: 'GET', path: pathOf({ path }), credential, fields, body: undefined };
    if (known === undefined || this.#isGetEnough) {
      // The target may drop what is invalid. A valid request may create something.
      const isAnswered = (await answerTo(get)) === 'answered';
      return isAnswered ? 'answered' : answerTo(known ?? { ...get, method: 'POST', body: Buffer.from('{}') });
    }
    const answer = await answerTo(known);
    if (answer === 'answered' || this.trouble?.kind === 'timeout') return answer;
    if ((await answerTo(get)) !== 'answered') return answer;
    return answer === 'none' ? 'in doubt' : 'answered';
  }
}

/**
 * What the target answered; `none`: nothing, though a gateway may have answered in its place; `in doubt`: a GET alone, which
 * a gateway answers itself if it knows that the service has none, but perhaps the service answers all but the other request.
 */
type CheckResult = 'answered' | 'throttled' | 'none' | 'in doubt';

/** Whether the target answered, not a gateway in place of it, perhaps with a response that is too long to be read. */
export const isAnswered = (attempt: Attempt): boolean =>
  'reply' in attempt ? !isGatewayFailure(attempt.reply) : attempt.trouble.kind === 'oversized';

function answerOf(attempt: Attempt): Exclude<CheckResult, 'in doubt'> {
  if (!isAnswered(attempt)) return 'none';
  return 'reply' in attempt && isThrottling(attempt.reply) ? 'throttled' : 'answered';
}

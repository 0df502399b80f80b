import { pathOf } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import { responseText } from '../output/response-text.ts';
import type { Redactor } from '../output/redactor.ts';
import { isSuccess, mayRejectInput } from '../reply.ts';
import type { Reply } from '../reply.ts';
import type { Sender, SentReply } from '../sender.ts';
import { detectInputLimits, isThrottledAlone } from './input-limits.ts';
import type { OutcomeOfCheck } from './input-limits.ts';
import { IMMEDIATELY, waitBeforeRetry } from './retry-policy.ts';
import type { NextAttempt, PendingRequest } from './retry-policy.ts';
import { isRateLimited, isThrottling, retryAfter, withoutWait } from './throttling.ts';

/** Milliseconds of the longest limit that a run with a larger budget can wait for; a longer one is a quota. */
export const LONGEST_WINDOW = 300_000;
/** Further windows of such a limit for which the recommended budget has time; a run that needs fewer ends earlier. */
const MAX_FURTHER_WINDOWS = 4;

/** Tries of a request for whose limit all others wait. */
const MAX_TRIES = 12;
/** Milliseconds for which a path must throttle all requests to count as having a quota of its own. */
const MIN_THROTTLED_TIME = 6_000;
/** Milliseconds of the time budget that are reserved for the other path: until then, the limit may end. */
const TIME_FOR_OTHER_PATH = 15_000;

const inTens = (seconds: number): number => Math.ceil(seconds / 10) * 10;

/** A path that has throttled all requests since it last accepted one. Moments are those of `performance.now()`. */
interface ThrottledPath {
  /** How often in a row it did: what was in flight together is one round. */
  rounds: number;
  /** When the last round was noted. */
  roundAt: number;
  /** When it began to; undefined: not known, or other paths were found to throttle, too. */
  since: number | undefined;
  /** Whether other paths accept requests; undefined: not checked yet. */
  isOnly: Promise<boolean> | undefined;
}

/** Retries requests that the target throttles, for as long as the run can wait. */
export class RateLimits {
  readonly #sender: Sender;
  readonly #redactor: Redactor;
  readonly #paths = new Map<string, ThrottledPath>();
  /** Statuses for which waiting has not helped a request that may be rejected. */
  readonly #futileStatuses = new Set<number>();
  readonly #isForInput = detectInputLimits((request) => this.#outcomeOf(request));

  constructor(sender: Sender, redactor: Redactor) {
    this.#sender = sender;
    this.#redactor = redactor;
  }

  /** Notes that a path has accepted a request with the right key. */
  accepted(path: string): void {
    this.#paths.delete(path);
  }

  /**
   * Notes a trouble of a request if it is throttled.
   * @returns its next attempt; `final`: the reply is to be judged; `given up`: it was throttled too often
   */
  async nextAfter(
    { request, troubles, options: { ifThrottled } }: PendingRequest,
    { reply, sentAt, inFlight }: SentReply,
  ): Promise<NextAttempt | 'final' | 'given up'> {
    const { limiter, left } = this.#sender;
    const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
    // All requests wait for such a limit: its rounds count, not the tries of this request.
    const isForAllRequests = ifThrottled === undefined && isThrottling(reply);
    const tries = isForAllRequests ? this.#roundsBefore(pathOf(request), sentAt) : throttled;
    // For example, a cache answers each time with a 503 that asks to wait, if the service behind it closes the connection.
    const mayBeFinal = ifThrottled === 'final' && !isRateLimited(reply);
    if (mayBeFinal && this.#futileStatuses.has(reply.status)) return 'final';
    const lasts = waitBeforeRetry(reply, tries, left, ifThrottled);
    if (lasts === undefined) {
      if (mayBeFinal && tries > 0) this.#futileStatuses.add(reply.status);
      return 'final';
    }
    const endsAt = performance.now() + lasts;
    const known = this.#sender.lastAccepted.get(pathOf(request));
    const limit = { lasts, times: throttled };
    if (isForAllRequests && known && (await this.#isForInput(request, limit, known))) return 'final';
    // Whether it is for the input may have been checked after a wait for the same limit.
    const wait = Math.max(0, Math.round(endsAt - performance.now()));
    const asked = retryAfter(reply) ? `asked to wait ${Math.ceil(lasts / 1000)} s` : undefined;
    // Before anything was accepted, it may be a quota, of which the body tells.
    const isFirst = isForAllRequests && this.#sender.lastAccepted.size === 0;
    const answered = `status ${isFirst ? responseText({ reply }, this.#redactor) : reply.status}`;
    const detail = `${answered}, ${asked ?? withoutWait(reply, this.#redactor)}`;
    troubles.push({ kind: 'throttled', detail, ...(!isForAllRequests && { wait }) });
    if (
      (isForAllRequests || wait > this.#sender.left) &&
      (await this.#stopIfLasting(request, reply, lasts, wait, asked))
    )
      return IMMEDIATELY;
    if (isForAllRequests) {
      const answer = `${request.method} ${request.path} with status ${reply.status}`;
      // Also if this was its last try: the limit is that of all others, too.
      this.#sender.throttle(wait, answer, sentAt, inFlight);
      return throttled + 1 < MAX_TRIES ? IMMEDIATELY : 'given up';
    }
    // A 408, which closes an idle connection, says nothing about other requests.
    if (wait > 0) limiter.noteThrottled(wait, sentAt, inFlight);
    return { pause: wait };
  }

  #throttledPath(path: string): ThrottledPath {
    const known = this.#paths.get(path);
    if (known) return known;
    const first = { rounds: 0, roundAt: -Infinity, since: undefined, isOnly: undefined };
    this.#paths.set(path, first);
    return first;
  }

  /** In how many rounds the requests to a path were throttled before, now that one was again. */
  #roundsBefore(name: string, sentAt: number): number {
    const path = this.#throttledPath(name);
    if (sentAt <= path.roundAt) return path.rounds - 1;
    path.roundAt = performance.now();
    return path.rounds++;
  }

  /**
   * Stops sending to a path, or at all, if a limit lasts too long.
   * @param lasts milliseconds from the response on
   * @param wait milliseconds of these that are left
   * @returns whether it does
   */
  async #stopIfLasting(
    request: Request,
    reply: Reply,
    lasts: number,
    wait: number,
    asked: string | undefined,
  ): Promise<boolean> {
    const path = pathOf(request);
    const { left } = this.#sender;
    const answer = `${request.method} ${request.path} with ${responseText({ reply }, this.#redactor)}, ${asked ? `and ${asked}` : withoutWait(reply, this.#redactor)}`;
    if (await this.#isLastingAndOnly(request, wait, left)) {
      const advice =
        asked && lasts <= LONGEST_WINDOW
          ? `raise its limit, or --time-budget to ${inTens((this.#sender.now + Math.max(left, 0) + MAX_FURTHER_WINDOWS * lasts) / 1000)}`
          : 'it may have a quota; raise it, or wait until it is renewed';
      this.#sender.stop(
        `the target answers ${answer}, but accepts other requests: ${advice}`,
        'throttled',
        path,
      );
      this.#sender.congestion.recover();
      return true;
    }
    if (wait <= left) return false;
    const mayBeLimit = lasts <= LONGEST_WINDOW && this.#sender.lastAccepted.size > 0;
    if (reply.status === 503 && asked && !mayBeLimit && !isRateLimited(reply)) {
      this.#sender.stop(
        `the target is unavailable: it answered ${answer}; run again after that time`,
        'away',
      );
      return true;
    }
    // After other waits, however short, it is not the last one that takes too long, unless it is that of a quota.
    const isOneOfMany =
      asked !== undefined && lasts <= LONGEST_WINDOW && this.#sender.limiter.pace.throttled > 0;
    if (asked) this.#sender.unwaited = Math.max(this.#sender.unwaited, wait);
    const since = asked ? 'longer than the time budget has left' : 'until the time budget was spent';
    this.#sender.stop(
      isOneOfMany
        ? `the target limits the rate of requests for longer than the time budget: at last it answered ${answer}`
        : `the target answered ${answer}, ${since}`,
      'budget',
    );
    return true;
  }

  /** Whether a path throttles for as long as the run can wait, and other paths accept requests. */
  async #isLastingAndOnly(request: Request, wait: number, left: number): Promise<boolean> {
    const path = this.#throttledPath(pathOf(request));
    const now = performance.now();
    path.since ??= now;
    if (wait <= left && (left > TIME_FOR_OTHER_PATH || now - path.since < MIN_THROTTLED_TIME)) return false;
    path.isOnly ??= this.#servesOnlyOther(request);
    if (await path.isOnly) return true;
    // Checked again when it has lasted for as long again.
    path.isOnly = undefined;
    path.since = undefined;
    return false;
  }

  async #servesOnlyOther(request: Request): Promise<boolean> {
    const [, other] = [...this.#sender.lastAccepted].find(([known]) => known !== pathOf(request)) ?? [];
    return other !== undefined && isThrottledAlone(this.#outcomeOf.bind(this), request, other);
  }

  async #outcomeOf(request: Request): Promise<OutcomeOfCheck> {
    const attempt = await this.#sender.attemptAlone(request);
    if (!('reply' in attempt)) return undefined;
    if (isThrottling(attempt.reply)) return 'throttled';
    if (isSuccess(attempt.reply)) return 'accepted';
    return mayRejectInput(attempt.reply) ? 'rejected' : undefined;
  }
}

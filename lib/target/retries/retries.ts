import { pathOf, wereAllClosed, wereAllIncomplete } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import type { Redactor } from '../output/redactor.ts';
import { detectQueueing } from '../pace/queueing.ts';
import { isSuccess } from '../reply.ts';
import type { Reply } from '../reply.ts';
import type { Sender, SentAttempt, SentReply } from '../sender.ts';
import { BETWEEN_CHECKS, LONGEST_OUTAGE, Outages, isAnswered } from './outage.ts';
import type { Outage } from './outage.ts';
import { RateLimits } from './rate-limits.ts';
import { IMMEDIATELY, MAX_UNANSWERED, countAlike, nextAttempt } from './retry-policy.ts';
import type { NextAttempt, PendingRequest, SendOptions } from './retry-policy.ts';
import { isThrottling, mayBeThrottling, withoutWait } from './throttling.ts';

/** Milliseconds of quiet that did not help after which retries alone are fewer, as everything else waits meanwhile. */
const MAX_VAIN_QUIET = 5_000;

/** Milliseconds without requests before the first check whether the target is unavailable: the pace may be why one has failed. */
const MIN_QUIET = 250;

/**
 * Decides what happens to a request after each attempt, from all that the target has answered:
 *
 * | it has met                                 | and                         | so it is                               |
 * | ------------------------------------------ | --------------------------- | -------------------------------------- |
 * | a response                                 |                             | final                                  |
 * | a rate limit                               |                             | retried, or final: see `RateLimits`    |
 * | no response, or a gateway's in place of it | an outage, which is over    | retried, alone                         |
 * |                                            | an outage, which lasts      | given up; so is all to its path, or all |
 * |                                            | none, and tries are left    | retried: see `nextAttempt`             |
 * |                                            | none, and no tries are left | given up; a gateway's is final         |
 */
export class Retries {
  readonly #sender: Sender;
  readonly #outages: Outages;
  readonly #rateLimits: RateLimits;
  /** Milliseconds of quiet since a request that was sent alone was last answered. */
  #vainQuiet = 0;
  readonly #redactor: Redactor;
  readonly #isQueued: ReturnType<typeof detectQueueing>;
  /** How the target was observed to reject invalid requests: by closing the connection, or with a status. */
  readonly #rejections = new Set<'closed' | number>();
  /** Requests to each path that were given up as their connection was closed at every try. */
  readonly #closed = new Map<string, number>();
  /** Requests without a response in time at any try. */
  #timedOut = 0;
  /** Whether the target answered the last attempt, or a check since. */
  #isUp = true;
  /** Whether a request was given up that made the target unavailable each time that it was sent alone. */
  #areOutagesCaused = false;
  /**
   * Names of the headers that all responses have that throttle the run; undefined: there was none.
   * Most are retried, and so in no exchange.
   */
  throttlingFields: readonly string[] | undefined;

  /** @param timeout milliseconds that a response may take */
  constructor(sender: Sender, timeout: number, redactor: Redactor) {
    this.#sender = sender;
    this.#outages = new Outages(sender);
    this.#rateLimits = new RateLimits(sender, redactor);
    this.#redactor = redactor;
    this.#isQueued = detectQueueing(timeout);
  }

  /** Waits until the next attempt may be made. */
  async waitForTurn({ next, options: { queue, isAlone = false } }: PendingRequest): Promise<void> {
    const { limiter } = this.#sender;
    if ('pause' in next && next.pause > 0) await this.#sender.wait(next.pause);
    for (;;) {
      await this.#outages.whenOver();
      if ('quiet' in next) await limiter.acquireAlone(next.quiet);
      else await (isAlone ? limiter.acquireAlone(0) : limiter.acquire(queue));
      // One may have begun while it waited.
      if (!this.#outages.isOngoing) return;
      limiter.release();
    }
  }

  /**
   * Notes an attempt, and ends the run if the target is unavailable.
   * @returns whether its reply is final, or the request is given up, or retried as its `next` says
   */
  async after(pending: PendingRequest, attempt: SentAttempt): Promise<'final' | 'given up' | 'again'> {
    pending.attempts++;
    if ('reply' in attempt && mayBeThrottling(attempt.reply)) this.#noteThrottling(attempt.reply);
    const wasUp = this.#isUp;
    this.#isUp = isAnswered(attempt);
    const next =
      'trouble' in attempt
        ? await this.#nextAfterTrouble(pending, attempt, wasUp)
        : this.#isUp
          ? await this.#nextAfterAnswer(pending, attempt)
          : await this.#nextAfterGatewayFailure(pending, attempt, wasUp);
    if (next === 'final' || next === 'given up') return next;
    pending.next = next;
    return 'again';
  }

  async #nextAfterAnswer(
    pending: PendingRequest,
    attempt: SentReply,
  ): Promise<NextAttempt | 'final' | 'given up'> {
    const next = await this.#rateLimits.nextAfter(pending, attempt);
    if (next === 'final') this.#noteFinal(pending, attempt);
    return next;
  }

  #noteFinal(
    { request, next, failuresAlone, options: { mayBeRejected = false } }: PendingRequest,
    { reply, sentAt, inFlight, duration }: SentReply,
  ): void {
    const { congestion } = this.#sender;
    if ('quiet' in next && next.quiet > 0) this.#vainQuiet = 0;
    if (failuresAlone > 0) this.#outages.wasPace();
    // It was starting: the pace was not why others failed.
    if (!this.#outages.hasAnswered) congestion.recover();
    // A gateway may reject invalid credentials itself, and answer OPTIONS.
    if (!mayBeRejected && request.method !== 'OPTIONS') {
      this.#outages.answered(request, sentAt);
      if (isSuccess(reply) && !isThrottling(reply)) {
        this.#sender.accepted(request);
        this.#rateLimits.accepted(pathOf(request));
      }
    }
    if (this.#isQueued(request, duration, isSuccess(reply))) congestion.halve(sentAt, inFlight);
    else congestion.grow();
  }

  #noteThrottling({ fields }: Reply): void {
    const names = Object.keys(fields);
    this.throttlingFields = this.throttlingFields?.filter((name) => names.includes(name)) ?? names;
  }

  async #nextAfterGatewayFailure(
    pending: PendingRequest,
    attempt: SentReply,
    wasUp: boolean,
  ): Promise<NextAttempt | 'final'> {
    const { reply, sentAt, inFlight } = attempt;
    const { congestion } = this.#sender;
    const { mayBeRejected = false } = pending.options;
    const outages = this.#outages;
    // The service behind the gateway may be unavailable.
    if (mayBeRejected && this.#rejections.has(reply.status)) {
      const quiet = outages.isSilent(pending.request, sentAt) ? 0 : undefined;
      return (await this.#afterOutage(pending, attempt, wasUp, quiet)) ?? 'final';
    }
    const isPace = !this.#isQuietVain && !this.#areOutagesCaused;
    if (!isPace) congestion.halve(sentAt, inFlight);
    else if (!('quiet' in pending.next)) congestion.overload(sentAt, inFlight);
    pending.gatewayFailures++;
    const mayBeOutage = outages.mayHaveBegun(pending.request, sentAt);
    const first = await this.#afterOutage(pending, attempt, wasUp, mayBeOutage ? MIN_QUIET : undefined);
    if (first) return first;
    const isShort = this.#isQuietVain || this.#seemsToCauseOutages(pending);
    const next =
      nextAttempt('throttled', pending.gatewayFailures, pending, isShort) ??
      (outages.mayBeStarting() ? { pause: BETWEEN_CHECKS } : undefined);
    if (next === undefined) {
      if (mayBeRejected) this.#noteRejection(reply.status);
      else if (!isPace) congestion.clearSpacing();
      return 'final';
    }
    const wait = 'quiet' in next ? next.quiet : next.pause;
    pending.troubles.push({ kind: 'throttled', detail: this.#describe(reply), wait });
    return this.#spend(next);
  }

  /** Retries a request without a reply, or gives it up: not before it was sent alone, nor in an outage, whose end this waits for. */
  async #nextAfterTrouble(
    pending: PendingRequest,
    attempt: Exclude<SentAttempt, SentReply>,
    wasUp: boolean,
  ): Promise<NextAttempt | 'given up'> {
    const { trouble, sentAt, inFlight, isStale = false } = attempt;
    const { congestion, limiter, connections } = this.#sender;
    const { request, troubles, options } = pending;
    const { kind } = trouble;
    const outages = this.#outages;
    const wasAlone = 'quiet' in pending.next;
    const isClosing = this.#isClosing(pending);
    troubles.push(trouble);
    if (kind === 'oversized') {
      // It is too long to be read, but a response.
      outages.answered(request, sentAt);
      return 'given up';
    }
    if (kind === 'misread') connections.switchToNode();
    // A target refuses or resets connections when there are too many, and again when there are too many a second.
    else if (kind !== 'timeout' && !isStale && !isClosing) {
      if (troubles.length === 1) congestion.halve(sentAt, inFlight);
      else congestion.overload(sentAt, inFlight);
    }
    const mayBeOutage = kind !== 'misread' && !isStale && outages.mayHaveBegun(request, sentAt);
    const first = await this.#afterOutage(pending, attempt, wasUp, mayBeOutage ? MIN_QUIET : undefined);
    if (first) return first;
    const isShort =
      kind === 'timeout' ? this.#timedOut >= MAX_UNANSWERED : isClosing || this.#seemsToCauseOutages(pending);
    const isIncomplete = this.isAlwaysIncomplete(pending);
    // The part of a response is judged: it is the same at each try.
    const next =
      isIncomplete && isClosing
        ? undefined
        : nextAttempt(kind, countAlike(troubles, trouble), pending, isShort);
    if (next && 'pause' in next) return next;
    if (isIncomplete) {
      this.#noteClosed(request);
      return 'given up';
    }
    if (next && outages.hasAnswered && !this.#isRejectedByClosing(options) && !this.#isQuietVain) {
      // Alone also means on the only connection that is open.
      await limiter.acquireAlone(0);
      connections.renew();
      limiter.release();
      return this.#spend(next);
    }
    if (!wasAlone && outages.isSilent(request, sentAt)) {
      const again = await this.#afterOutage(pending, attempt, wasUp, 0);
      if (again) return again;
    }
    // Neither the number of requests nor their rate is the reason.
    if (wasAlone) congestion.clearSpacing();
    if (kind === 'timeout') this.#timedOut++;
    if (wereAllClosed(troubles)) {
      if (options.mayBeRejected && wasAlone) this.#noteRejection('closed');
      this.#noteClosed(request);
    }
    return 'given up';
  }

  /**
   * Waits for the end of an outage in which a request has failed. That is no failure of the request, unless it was sent
   * alone just after the target had answered another one: then the request seems to cause the outage.
   * @param wasUp whether the target had
   * @param quiet milliseconds without requests before the first check; undefined: one is only made if the request was
   * sent alone
   * @returns its next attempt; undefined: it did fail
   */
  async #afterOutage(
    pending: PendingRequest,
    attempt: SentAttempt,
    wasUp: boolean,
    quiet: number | undefined,
  ): Promise<NextAttempt | undefined> {
    const wasAlone = 'quiet' in pending.next;
    if (!wasAlone && (quiet === undefined || pending.failuresAlone > 0)) return undefined;
    const outage = this.#outages.hasAnswered
      ? await this.#outages.outage(pending.request, wasAlone ? 0 : quiet)
      : 'none';
    if (isLasting(outage)) {
      this.#stopAsUnavailable(pending.request, attempt, outage);
      return IMMEDIATELY;
    }
    this.#isUp = true;
    if (wasAlone && (wasUp || outage === 'none')) {
      pending.failuresAlone++;
      if (outage === 'over') pending.outages++;
      this.#areOutagesCaused ||= pending.outages > 1;
      return undefined;
    }
    if (outage === 'none') return undefined;
    pending.troubles.length = 0;
    pending.gatewayFailures = 0;
    // Before all that need not be alone.
    return { quiet: 0 };
  }

  /** Whether a request has caused an outage, as another one did each time. */
  #seemsToCauseOutages({ outages }: PendingRequest): boolean {
    return this.#areOutagesCaused && outages > 0;
  }

  /** Whether quiet has helped so rarely that the pace is hardly the reason for failures. */
  get #isQuietVain(): boolean {
    return this.#vainQuiet >= MAX_VAIN_QUIET;
  }

  #spend(next: NextAttempt): NextAttempt {
    if ('quiet' in next) this.#vainQuiet += next.quiet;
    return next;
  }

  /**
   * Whether the responses to a request end too early at every try, and no request to its path was ever accepted with a
   * complete one: otherwise the network may be the reason.
   */
  isAlwaysIncomplete({ request, troubles }: PendingRequest): boolean {
    return wereAllIncomplete(troubles) && !this.#sender.lastAccepted.has(pathOf(request));
  }

  /** Notes a request whose connection was closed at every try; often enough, the pace is not the reason. */
  #noteClosed(request: Request): void {
    const path = pathOf(request);
    const count = (this.#closed.get(path) ?? 0) + 1;
    this.#closed.set(path, count);
    if (count === MAX_UNANSWERED) this.#sender.congestion.recover();
  }

  /** Whether the target is known to answer such a request by closing the connection. */
  #isRejectedByClosing({ mayBeRejected = false }: SendOptions): boolean {
    return mayBeRejected && this.#rejections.has('closed');
  }

  /** Whether the target answers such a request, or several to its path at every try, by closing the connection. */
  #isClosing({ request, options }: PendingRequest): boolean {
    return this.#isRejectedByClosing(options) || (this.#closed.get(pathOf(request)) ?? 0) >= MAX_UNANSWERED;
  }

  /** Notes how the target answered an invalid request that was sent alone, though it answers others differently. */
  #noteRejection(rejection: 'closed' | number): void {
    this.#rejections.add(rejection);
    this.#sender.congestion.recover();
  }

  #describe(reply: Reply): string {
    return `status ${reply.status}, ${withoutWait(reply, this.#redactor)}`;
  }

  /** Ends the run, or what it sends to one path. */
  #stopAsUnavailable(request: Request, attempt: SentAttempt, outage: Outage): void {
    const path = pathOf(request);
    const operation = `${request.method} ${path}`;
    const reason = this.#reasonOf(operation, attempt, outage);
    this.#sender.stop(reason, 'away', outage === 'of path' ? path : undefined);
  }

  #reasonOf(operation: string, attempt: SentAttempt, outage: Outage): string {
    const isOfPath = outage === 'of path';
    const others = isOfPath ? ', but answers other requests' : '';
    if ('reply' in attempt)
      return `the target answers ${operation} with ${this.#describe(attempt.reply)}${others}; run again once it is back`;
    const { trouble } = attempt;
    const ofPath = isOfPath ? ` ${operation}` : '';
    if (trouble.kind === 'protocol')
      return `the target sends responses${isOfPath ? ` to${ofPath}` : ''} that cannot be read: ${trouble.detail}`;
    // Where a service has ended, a connection that it still had was closed, and new ones are refused.
    const { detail } = this.#outages.trouble ?? trouble;
    // A firewall may be the reason as well as an outage.
    const advice = isOfPath
      ? '; run again once it is back, and see the log of the service behind this path'
      : this.#outages.hasAnswered
        ? '; see its log, and whether it, or a firewall, has blocked this client for its wrong keys and odd input'
        : '';
    return `the target stopped answering${ofPath} for more than ${LONGEST_OUTAGE / 1000} s${others}: ${detail}${advice}`;
  }
}

const isLasting = (outage: Outage): boolean => outage === 'lasting' || outage === 'of path';

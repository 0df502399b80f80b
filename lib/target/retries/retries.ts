import { pathOf, wereAllClosed, wereAllIncomplete } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import type { Redactor } from '../output/redactor.ts';
import { detectQueueing } from '../pace/overload.ts';
import { isSuccess } from '../reply.ts';
import type { Sender, SentAttempt, SentReply } from '../sender.ts';
import { BETWEEN_CHECKS, Outages } from './outage.ts';
import { RateLimits } from './rate-limits.ts';
import {
  AloneRetries,
  IMMEDIATELY,
  MAX_UNANSWERED,
  isConnectionTrouble,
  wasTriedEnough,
  pauseAfter,
} from './retry-policy.ts';
import type { NextAttempt, PendingRequest, SendOptions } from './retry-policy.ts';
import { isGatewayFailure, isThrottling } from './throttling.ts';

/**
 * Failures of a gateway that one request awaits the end of: a limit may look like an outage with status 503 in each of its
 * windows; an input that makes the service crash causes a 502 or 504 each time.
 */
const maxOutages = (status: number): number => (status === 503 ? 3 : 1);

/** Decides whether a reply is final, and how a request without a final one is retried, from all that the target has answered. */
export class Retries {
  readonly #sender: Sender;
  readonly #outages: Outages;
  readonly #rateLimits: RateLimits;
  readonly #aloneRetries = new AloneRetries();
  readonly #isQueued: ReturnType<typeof detectQueueing>;
  /** The last accepted request to each path. */
  readonly #lastAccepted = new Map<string, Request>();
  /** How the target was observed to reject invalid requests: by closing the connection, or with a status. */
  readonly #rejections = new Set<'closed' | number>();
  /** Requests to each path that were given up as their connection was closed at every try, also when they were sent alone. */
  readonly #closed = new Map<string, number>();
  /** Requests without a response in time at any try. */
  #timedOut = 0;
  /**
   * Names of the headers that all responses have that throttle the run; undefined: there was none.
   * Most are retried, and so in no exchange.
   */
  throttlingFields: readonly string[] | undefined;

  /** @param timeout milliseconds that a response may take */
  constructor(sender: Sender, timeout: number, redactor: Redactor) {
    this.#sender = sender;
    this.#outages = new Outages(sender, this.#lastAccepted);
    this.#rateLimits = new RateLimits(sender, this.#lastAccepted, redactor);
    this.#isQueued = detectQueueing(timeout);
  }

  /** Waits until the next attempt may be made. */
  async waitForTurn({ next, options: { queue, isAlone = false } }: PendingRequest): Promise<void> {
    const { limiter } = this.#sender;
    if ('quiet' in next) return limiter.acquireAlone(next.quiet);
    if (next.pause > 0) await this.#sender.wait(next.pause);
    await this.#outages.whenOver();
    await (isAlone ? limiter.acquireAlone(0) : limiter.acquire(queue));
  }

  /**
   * Notes an attempt, and ends the run if the target is unavailable.
   * @returns whether its reply is final, or the request is given up, or retried as its `next` says
   */
  async after(pending: PendingRequest, attempt: SentAttempt): Promise<'final' | 'given up' | 'again'> {
    pending.attempts++;
    if (pending.wasAnswered || pending.troubles.length === 0) pending.since = performance.now();
    pending.wasAnswered = 'reply' in attempt && !isGatewayFailure(attempt.reply);
    const next =
      'trouble' in attempt
        ? this.#nextAfterTrouble(pending, attempt)
        : await this.#nextAfterReply(pending, attempt);
    if (next === 'final') return 'final';
    pending.next = next;
    return (await this.#givesUp(pending, attempt.sentAt)) ? 'given up' : 'again';
  }

  async #nextAfterReply(pending: PendingRequest, attempt: SentReply): Promise<NextAttempt | 'final'> {
    const { reply } = attempt;
    if (isThrottling(reply)) {
      const names = Object.keys(reply.fields);
      this.throttlingFields = this.throttlingFields?.filter((name) => names.includes(name)) ?? names;
    }
    if (isGatewayFailure(reply)) return this.#nextAfterGatewayFailure(pending, attempt);
    const next = await this.#rateLimits.nextAfter(pending, attempt);
    if (next === 'final') this.#noteFinal(pending, attempt);
    return next;
  }

  #noteFinal(
    { request, next, options: { mayBeRejected = false } }: PendingRequest,
    { reply, sentAt, inFlight, duration }: SentReply,
  ): void {
    const { limiter } = this.#sender;
    if ('quiet' in next) this.#aloneRetries.helped();
    this.#outages.answered(sentAt);
    // An invalid request may have been rejected for something other than its credential.
    if (!mayBeRejected && isSuccess(reply) && !isThrottling(reply)) {
      const path = pathOf(request);
      this.#lastAccepted.set(path, request);
      this.#rateLimits.accepted(path);
    }
    if (this.#isQueued(request, duration, isSuccess(reply))) limiter.halve(sentAt, inFlight);
    else limiter.grow();
  }

  async #nextAfterGatewayFailure(
    pending: PendingRequest,
    { reply, sentAt, inFlight }: SentReply,
  ): Promise<NextAttempt | 'final'> {
    const { limiter } = this.#sender;
    const { request } = pending;
    const { mayBeRejected = false } = pending.options;
    const [outages, aloneRetries] = [this.#outages, this.#aloneRetries];
    if (mayBeRejected && this.#rejections.has(reply.status)) {
      const isUp = outages.hasAnswered(sentAt) || (await outages.outage(request, sentAt)) === 'none';
      if (isUp) return 'final';
    }
    const wasAlone = 'quiet' in pending.next;
    if (aloneRetries.hasNoEffect) limiter.halve(sentAt, inFlight);
    else if (!wasAlone) limiter.overload(sentAt, inFlight);
    pending.gatewayFailures++;
    const detail = `status ${reply.status}, without Retry-After`;
    // Where quiet has not helped others, this one is not sent alone any more.
    const isLast = wasAlone || (aloneRetries.hasNoEffect && pending.gatewayFailures > 1);
    // The service behind the gateway may be unavailable if nothing else was answered since, or an outage has ended since.
    if (isLast && pending.outages < maxOutages(reply.status) && outages.mayBeInOutage(pending.since)) {
      const outage = await outages.outage(request, pending.since);
      if (outage === 'lasting')
        this.#stopAsUnavailable(
          `answers ${request.method} ${pathOf(request)} with ${detail}; run again once it is back`,
        );
      if (outage === 'over') forgetTroubles(pending);
      if (outage !== 'none') return IMMEDIATELY;
    }
    const next =
      aloneRetries.afterGateway(pending.gatewayFailures) ??
      (outages.mayBeStarting(pending.since) ? { pause: BETWEEN_CHECKS } : undefined);
    if (next === undefined) {
      if (mayBeRejected) this.#noteRejection(reply.status);
      else if (aloneRetries.hasNoEffect) limiter.clearSpacing();
      return 'final';
    }
    pending.troubles.push({ kind: 'throttled', detail, wait: 'quiet' in next ? next.quiet : next.pause });
    return next;
  }

  #nextAfterTrouble(
    pending: PendingRequest,
    { trouble, sentAt, inFlight, isStale = false }: Exclude<SentAttempt, SentReply>,
  ): NextAttempt {
    const { limiter, connections } = this.#sender;
    const { troubles } = pending;
    troubles.push(trouble);
    const mayBeDueToPace = !['misread', 'timeout', 'oversized'].includes(trouble.kind);
    if (trouble.kind === 'misread') connections.switchToNode();
    // A target refuses or resets connections when there are too many, and again when there are too many a second.
    else if (mayBeDueToPace && !isStale && !this.#isClosing(pending)) {
      if (troubles.length === 1) limiter.halve(sentAt, inFlight);
      else limiter.overload(sentAt, inFlight);
    }
    return { pause: pauseAfter(troubles) };
  }

  /**
   * Decides whether a request that was tried often enough is given up: not before it was sent alone, nor in an outage,
   * whose end this waits for.
   * @param sentAt when it was sent last (`performance.now()`)
   */
  async #givesUp(pending: PendingRequest, sentAt: number): Promise<boolean> {
    const { limiter, connections } = this.#sender;
    const { request, troubles, hasBeenAlone, options } = pending;
    const last = troubles.at(-1);
    const isClosing = this.#isClosing(pending);
    if (last === undefined || !wasTriedEnough(troubles, isClosing, this.#timedOut)) return false;
    if (last.kind === 'timeout') this.#timedOut++;
    if (this.isAlwaysIncomplete(pending)) {
      this.#noteClosed(request);
      return true;
    }
    if (wereAllClosed(troubles) && options.mayBeRejected && hasBeenAlone) this.#noteRejection('closed');
    // Neither the number of requests nor their rate is the reason.
    if (hasBeenAlone) limiter.clearSpacing();
    const isRejected = this.#isRejectedByClosing(options) && this.#outages.hasAnswered(pending.since);
    if (isConnectionTrouble(last) && this.#outages.hasAnswered() && !hasBeenAlone && !isRejected) {
      const outage = pending.outages > 0 ? 'none' : await this.#outages.outage(request, pending.since);
      if (outage === 'over') {
        forgetTroubles(pending);
        return false;
      }
      if (outage === 'lasting') {
        this.#stopAsSilent(last);
        return true;
      }
      const next = this.#isRejectedByClosing(options) ? undefined : this.#aloneRetries.afterConnections();
      if (next !== undefined) {
        // Alone also means on the only connection that is open.
        await limiter.acquireAlone(0);
        connections.renew();
        limiter.release();
        pending.next = next;
        pending.hasBeenAlone = true;
        return false;
      }
    }
    if (wereAllClosed(troubles)) this.#noteClosed(request);
    if ((await this.#outages.noteGivenUp(request, sentAt)) && !this.#sender.stopped) {
      const isUnreadable = last.kind === 'protocol' || last.kind === 'oversized';
      if (isUnreadable) this.#stopAsUnavailable(`sends responses that cannot be read: ${last.detail}`);
      else this.#stopAsSilent(last);
    }
    return true;
  }

  /**
   * Whether the responses to a request end too early at every try, and no request to its path was ever accepted with a
   * complete one: otherwise the network may be the reason.
   */
  isAlwaysIncomplete({ request, troubles }: PendingRequest): boolean {
    return wereAllIncomplete(troubles) && !this.#lastAccepted.has(pathOf(request));
  }

  /** Notes a request whose connection was closed at every try; often enough, the pace is not the reason. */
  #noteClosed(request: Request): void {
    const path = pathOf(request);
    const count = (this.#closed.get(path) ?? 0) + 1;
    this.#closed.set(path, count);
    if (count === MAX_UNANSWERED) this.#sender.limiter.recover();
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
    this.#sender.limiter.recover();
  }

  /** Ends the run, as requests meet nothing but trouble. A firewall may be the reason as well as an outage. */
  #stopAsSilent({ detail }: PendingRequest['troubles'][number]): void {
    const advice = this.#outages.hasAnswered()
      ? '; see its log, and whether it, or a firewall, has blocked this client for its wrong keys and odd input'
      : '';
    this.#stopAsUnavailable(`stopped answering: ${detail}${advice}`);
  }

  /** Ends the run, as the target is unavailable. @param what it does, in words */
  #stopAsUnavailable(what: string): void {
    this.#sender.stop(`the target ${what}`, 'away');
  }
}

/** Forgets the troubles that an outage has caused for a request. */
function forgetTroubles(pending: PendingRequest): void {
  pending.troubles.length = 0;
  pending.gatewayFailures = 0;
  pending.next = IMMEDIATELY;
  pending.outages++;
}

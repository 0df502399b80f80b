import { pathOf } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import type { Redactor } from '../output/redactor.ts';
import { detectQueueing } from '../pace/overload.ts';
import { isSuccess } from '../reply.ts';
import type { Limits, Sender, SentAttempt, SentReply } from '../sender.ts';
import { nextAfterGatewayFailure } from './failed-by-gateway.ts';
import { detectOutages } from './outage.ts';
import { probeWith } from './probe.ts';
import { createAloneRetries } from './retry-policy.ts';
import { isGatewayFailure, isThrottling } from './throttling.ts';
import type { NextAttempt } from './retry-policy.ts';
import type { RetryState, SendOptions, RetryContext } from './state.ts';
import { retryThrottled } from './throttled.ts';
import { retryUnanswered } from './unanswered.ts';

/** Decides whether a reply is final, and how a request without one is retried, by all that the target has answered. */
export interface Retries {
  /** Notes an attempt. @returns whether its reply is final; if it is not, `state.next` is how the next one leaves */
  readonly noteAttempt: (
    request: Request,
    attempt: SentAttempt,
    state: RetryState,
    options: SendOptions,
  ) => Promise<boolean>;
  /**
   * Decides whether a request is tried again: gives it up, waits for the end of an outage, or arranges to send it alone.
   * Ends the run if the target is away.
   */
  readonly prepareNext: (request: Request, state: RetryState, options: SendOptions) => Promise<boolean>;
  /** Waits until the next attempt may leave. */
  readonly waitForTurn: (state: RetryState, options: SendOptions) => Promise<void>;
  /**
   * Names of the headers that all responses have that throttle the run; undefined: there was none.
   * Most are retried, and so in no exchange.
   */
  readonly throttlingFields: () => readonly string[] | undefined;
}

export function createRetries(sender: Sender, { concurrency, timeout }: Limits, redactor: Redactor): Retries {
  const { limiter, connections } = sender;
  const lastAccepted = new Map<string, Request>();
  const outages = detectOutages(
    probeWith(sender, lastAccepted),
    async (milliseconds) => {
      await sender.wait(milliseconds);
      if (sender.stopped) throw sender.stopped;
    },
    () => {
      limiter.recover();
      connections.renew(concurrency);
    },
  );
  const aloneRetries = createAloneRetries();
  const context: RetryContext = { sender, outages, aloneRetries, rejections: new Set(), lastAccepted };
  const throttled = retryThrottled(context, redactor);
  const unanswered = retryUnanswered(context);
  const isQueued = detectQueueing(timeout * 1000);
  let throttlingFields: readonly string[] | undefined;

  const noteFinal = (
    request: Request,
    { reply, sentAt, inFlight, duration }: SentReply,
    { next }: RetryState,
    { mayBeRejected = false }: SendOptions,
  ): void => {
    if ('quiet' in next) aloneRetries.helped();
    outages.answered(sentAt);
    // An invalid one may have been answered for something else than its credential.
    if (!mayBeRejected && isSuccess(reply) && !isThrottling(reply)) {
      const path = pathOf(request);
      lastAccepted.set(path, request);
      throttled.accepted(path);
      unanswered.accepted(path);
    }
    if (isQueued(request, duration)) limiter.halve(sentAt, inFlight);
    else limiter.grow();
  };

  const nextAfter = async (
    request: Request,
    attempt: SentAttempt,
    state: RetryState,
    options: SendOptions,
  ): Promise<NextAttempt | 'final'> => {
    if ('trouble' in attempt) return unanswered.nextAfter(request, attempt, state, options);
    const { reply } = attempt;
    if (isThrottling(reply)) {
      const names = Object.keys(reply.fields);
      throttlingFields = throttlingFields?.filter((name) => names.includes(name)) ?? names;
    }
    if (isGatewayFailure(reply)) return nextAfterGatewayFailure(context, request, attempt, state, options);
    const next = await throttled.nextAfter(request, attempt, state, options);
    if (next === 'final') noteFinal(request, attempt, state, options);
    return next;
  };

  return {
    async noteAttempt(request, attempt, state, options) {
      state.count++;
      state.sentAt = attempt.sentAt;
      if (state.troubles.length === 0) state.since = performance.now();
      const next = await nextAfter(request, attempt, state, options);
      if (next === 'final') return true;
      state.next = next;
      return false;
    },
    prepareNext: (request, state, options) => unanswered.prepareNext(request, state, options),
    async waitForTurn({ next }, { queue, isAlone = false }) {
      if ('quiet' in next) return limiter.acquireAlone(next.quiet);
      if (next.pause > 0) await sender.wait(next.pause);
      await outages.whenOver();
      await (isAlone ? limiter.acquireAlone(0) : limiter.acquire(queue));
    },
    throttlingFields: () => throttlingFields,
  };
}

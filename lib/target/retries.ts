import type { Attempt } from './connections/channel.ts';
import type { DedicatedConnection } from './connections/connections.ts';
import { pathOf, wereAllClosed } from './exchange.ts';
import type { Trouble } from '../schemas/exchange.ts';
import type { Request } from './exchange.ts';
import { responseText } from './output/response-text.ts';
import type { Redactor } from './output/redactor.ts';
import { BETWEEN_CHECKS, detectOutages } from './pace/outage.ts';
import { detectInputLimits } from './pace/input-limits.ts';
import { detectPathLimits } from './pace/path-limits.ts';
import { detectQueueing } from './pace/overload.ts';
import {
  AT_ONCE,
  MAX_UNANSWERED,
  createAloneRetries,
  isGatewayFailure,
  isGivenUp,
  isOfConnection,
  isThrottling,
  pauseAfter,
  retryAfter,
  retryOf,
} from './pace/retry-policy.ts';
import type { NextAttempt, Throttling } from './pace/retry-policy.ts';
import { isSuccess } from './reply.ts';
import type { Reply } from './reply.ts';
import type { Limits, Sender, SentAttempt, SentReply } from './sender.ts';

/** How one request is sent. */
export interface SendOptions {
  /** Queues take turns; requests of one queue wait for each other. */
  readonly queue: string;
  readonly throttling?: Throttling;
  /** Whether nothing else is in flight meanwhile. */
  readonly isAlone?: boolean;
  /** Whether it is likely to be rejected, as with a wrong key: a closed connection or a 502 to 504 may then be the answer. */
  readonly mayBeRejected?: boolean;
  /** A connection to use in place of the shared ones. */
  readonly connection?: DedicatedConnection | undefined;
}

/** What the attempts to send one request have met, and how the next one leaves. */
export interface RetryState {
  /** Since the last outage. */
  readonly troubles: Trouble[];
  count: number;
  /** When the first of the troubles was met (`performance.now()`). */
  since: number;
  /** When the last attempt was sent (`performance.now()`). */
  sentAt: number;
  /** How often a gateway failed it. */
  gatewayFailures: number;
  next: NextAttempt;
  hasBeenAlone: boolean;
  /** Whether the end of an outage was awaited already: a second one is not. */
  wasAway: boolean;
  /** The beginning of the last response that was too long. */
  part: (SentReply & { readonly request: Request }) | undefined;
}

export const newRetryState = (): RetryState => ({
  troubles: [],
  count: 0,
  since: 0,
  sentAt: 0,
  gatewayFailures: 0,
  next: AT_ONCE,
  hasBeenAlone: false,
  wasAway: false,
  part: undefined,
});

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
  const isQueued = detectQueueing(timeout * 1000);
  const aloneRetries = createAloneRetries();
  /** The ways in which the target was observed to reject invalid requests: by closing the connection, or with a status. */
  const rejections = new Set<'closed' | number>();
  /** The last accepted request to each path. */
  const lastAccepted = new Map<string, Request>();
  let throttlingFields: readonly string[] | undefined;
  /** Whether the target was observed to answer an accepted request, and none that creates nothing. */
  let answersOnlyAccepted = false;
  /** Requests without a response in time at any try. */
  let timedOut = 0;
  /** Requests to each path whose connection was closed at every try, since it accepted the last one. */
  const closed = new Map<string, number>();
  const outages = detectOutages(
    async (request) => {
      // The path, or the same credential, may be why nothing is answered.
      const known = lastAccepted.get(pathOf(request)) ?? [...lastAccepted.values()].at(-1);
      const { path, credential, fields } = known ?? request;
      const get = { method: 'GET', path: pathOf({ path }), credential, fields, body: undefined };
      if (!answersOnlyAccepted && isAnswer(await sender.attemptAlone(get))) return true;
      // The target may drop what is invalid, or answer it as a gateway would. A valid request may create something.
      const isUp = isAnswer(
        await sender.attemptAlone(known ?? { ...get, method: 'POST', body: Buffer.from('{}') }),
      );
      if (isUp && known) answersOnlyAccepted = true;
      return isUp;
    },
    async (milliseconds) => {
      await sender.wait(milliseconds);
      if (sender.stopped) throw sender.stopped;
    },
    () => {
      limiter.recover();
      connections.renew(concurrency);
    },
  );

  /** Whether the target is known to answer such a request by closing the connection. */
  const isRejectedByClosing = ({ mayBeRejected = false }: SendOptions): boolean =>
    mayBeRejected && rejections.has('closed');

  /** Notes how the target answered an invalid request that was sent alone, though it answers others otherwise. */
  const noteRejection = (way: 'closed' | number): void => {
    rejections.add(way);
    limiter.recover();
  };

  const stopAsAway = (what: string): void => sender.stop(`the target ${what}`, 'away');

  const noteTrouble = (
    request: Request,
    { trouble, part, sentAt, inFlight, isStale = false }: Exclude<SentAttempt, SentReply>,
    state: RetryState,
    options: SendOptions,
  ): void => {
    state.troubles.push(trouble);
    state.part = part && { ...part, inFlight, request };
    if (trouble.kind === 'misread') {
      connections.switchToNode();
      return;
    }
    if (['timeout', 'oversized'].includes(trouble.kind) || isStale || isRejectedByClosing(options)) return;
    // A target refuses or resets connections when there are too many, and again when there are too many a second.
    if (state.troubles.length === 1) limiter.halve(sentAt, inFlight);
    else limiter.overload(sentAt, inFlight);
  };

  const isThrottledForInput = detectInputLimits(async (request) => {
    const attempt = await sender.attemptAlone(request);
    if (!('reply' in attempt)) return undefined;
    if (isThrottling(attempt.reply)) return 'throttled';
    return isSuccess(attempt.reply) ? 'accepted' : undefined;
  });

  const pathLimits = detectPathLimits(async (path) => {
    const [, other] = [...lastAccepted].find(([known]) => known !== path) ?? [];
    const attempt = other && (await sender.attemptAlone(other));
    return attempt !== undefined && 'reply' in attempt && isSuccess(attempt.reply);
  });

  /**
   * Stops sending to a path, or at all, if a limit lasts too long. @returns whether it does
   * @param asked what the reply asks for, in words
   */
  const stopIfLasting = async (
    request: Request,
    reply: Reply,
    wait: number,
    asked: string | undefined,
  ): Promise<boolean> => {
    const path = pathOf(request);
    const { left } = sender;
    const answer = `${request.method} ${request.path} with ${responseText({ reply }, redactor)}, ${asked ? `and ${asked}` : 'without Retry-After'}`;
    if (await pathLimits.checkPath(path, wait, left)) {
      sender.stop(
        `the target answers ${answer}, but accepts other requests: it may have a quota; raise it, or wait until it is renewed`,
        'limit',
        path,
      );
      limiter.recover();
      return true;
    }
    if (wait <= left) return false;
    const since = asked ? 'longer than the time budget has left' : 'until the time budget was spent';
    sender.stop(`the target answered ${answer}, ${since}`, 'budget');
    return true;
  };

  /** The next attempt after a reply that is no gateway's failure: when the reply asks for it. */
  const afterReply = async (
    request: Request,
    { reply, sentAt, inFlight, duration }: SentReply,
    { troubles, next }: RetryState,
    { throttling, mayBeRejected = false }: SendOptions,
  ): Promise<NextAttempt | 'final'> => {
    const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
    const retry = retryOf(reply, throttled, sender.left, throttling);
    if (retry) {
      const { wait, stopsOthers } = retry;
      const known = lastAccepted.get(pathOf(request));
      if (stopsOthers && known && (await isThrottledForInput(request, throttled, known))) return 'final';
      const asked = retryAfter(reply, Date.now()) ? `asked to wait ${Math.ceil(wait / 1000)} s` : undefined;
      const detail = `status ${reply.status}, ${asked ?? 'without Retry-After'}`;
      troubles.push({ kind: 'throttled', detail, ...(!stopsOthers && { wait }) });
      if ((stopsOthers || wait > sender.left) && (await stopIfLasting(request, reply, wait, asked)))
        return AT_ONCE;
      if (stopsOthers)
        sender.throttle(
          wait,
          `${request.method} ${request.path} with status ${reply.status}`,
          sentAt,
          inFlight,
        );
      // The end of an idle connection, a 408, says nothing about other requests.
      else if (wait > 0) limiter.noteThrottled(wait, sentAt, inFlight);
      return stopsOthers ? AT_ONCE : { pause: wait };
    }
    if ('quiet' in next) aloneRetries.helped();
    outages.answered();
    // An invalid one may have been answered for something else than its credential.
    if (!mayBeRejected && isSuccess(reply)) {
      lastAccepted.set(pathOf(request), request);
      pathLimits.accepted(pathOf(request));
      closed.delete(pathOf(request));
    }
    if (isQueued(request, duration)) limiter.halve(sentAt, inFlight);
    else limiter.grow();
    return 'final';
  };

  /** The next attempt after a gateway's failure, unless that is the answer. */
  const afterGatewayFailure = async (
    request: Request,
    { reply, sentAt, inFlight }: SentReply,
    state: RetryState,
    { mayBeRejected = false }: SendOptions,
  ): Promise<NextAttempt | 'final'> => {
    if (mayBeRejected && rejections.has(reply.status)) {
      const isUp = outages.hasAnswered(sentAt) || (await outages.outage(request, sentAt)) === 'none';
      if (isUp) return 'final';
    }
    const wasAlone = 'quiet' in state.next;
    if (aloneRetries.isInVain()) limiter.halve(sentAt, inFlight);
    else if (!wasAlone) limiter.overload(sentAt, inFlight);
    state.gatewayFailures++;
    const detail = `status ${reply.status}, without Retry-After`;
    // The service behind the gateway may be away if nothing else was answered since, or an outage has ended since.
    if (wasAlone && !state.wasAway && outages.mayBeAway(state.since)) {
      const outage = await outages.outage(request, state.since);
      if (outage === 'lasting') stopAsAway(`answers ${request.method} ${request.path} with ${detail}`);
      if (outage === 'over') restart(state);
      if (outage !== 'none') return AT_ONCE;
    }
    const next =
      aloneRetries.afterGateway(state.gatewayFailures) ??
      (outages.mayBeStarting(state.since) ? { pause: BETWEEN_CHECKS } : undefined);
    if (next === undefined) {
      if (mayBeRejected) noteRejection(reply.status);
      else if (aloneRetries.isInVain()) limiter.clearSpacing();
      return 'final';
    }
    state.troubles.push({ kind: 'throttled', detail, wait: 'quiet' in next ? next.quiet : next.pause });
    return next;
  };

  const nextAfter = async (
    request: Request,
    attempt: SentAttempt,
    state: RetryState,
    options: SendOptions,
  ): Promise<NextAttempt | 'final'> => {
    if ('trouble' in attempt) {
      noteTrouble(request, attempt, state, options);
      return { pause: pauseAfter(state.troubles) };
    }
    const { reply } = attempt;
    if (isThrottling(reply)) {
      const names = Object.keys(reply.fields);
      throttlingFields = throttlingFields?.filter((name) => names.includes(name)) ?? names;
    }
    if (isGatewayFailure(reply)) return afterGatewayFailure(request, attempt, state, options);
    return afterReply(request, attempt, state, options);
  };

  /** Notes that a request is given up, and ends the run if the target is away. */
  const giveUp = async (
    request: Request,
    { troubles, sentAt }: RetryState,
    isKnownAway = false,
  ): Promise<false> => {
    if (isKnownAway || ((await outages.noteGivenUp(request, sentAt)) && !sender.stopped)) {
      const { kind, detail } = troubles.at(-1)!;
      const what = ['protocol', 'oversized'].includes(kind)
        ? 'sends responses that cannot be read'
        : 'stopped answering';
      stopAsAway(`${what}: ${detail}`);
    }
    return false;
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
    async prepareNext(request, state, options) {
      const { troubles, hasBeenAlone, wasAway } = state;
      const path = pathOf(request);
      const timesClosed = closed.get(path) ?? 0;
      const isClosing = isRejectedByClosing(options) || timesClosed >= MAX_UNANSWERED;
      if (!isGivenUp(troubles, isClosing, timedOut)) return true;
      if (troubles.at(-1)!.kind === 'timeout') timedOut++;
      if (wereAllClosed(troubles)) closed.set(path, timesClosed + 1);
      const { mayBeRejected = false } = options;
      if (mayBeRejected && hasBeenAlone && wereAllClosed(troubles)) noteRejection('closed');
      const isRejected = isRejectedByClosing(options) && outages.hasAnswered(state.since);
      // Neither the number of requests nor their rate is the reason.
      if (hasBeenAlone) limiter.clearSpacing();
      if (!isOfConnection(troubles.at(-1)!) || !outages.hasAnswered() || hasBeenAlone || isRejected)
        return giveUp(request, state);
      const outage = wasAway ? 'none' : await outages.outage(request, state.since);
      if (outage === 'over') {
        restart(state);
        return true;
      }
      if (outage === 'lasting') return giveUp(request, state, true);
      const next = isRejectedByClosing(options) ? undefined : aloneRetries.afterConnections();
      if (next === undefined) return giveUp(request, state);
      // Alone also means on the only connection that is open.
      await limiter.acquireAlone(0);
      connections.renew();
      limiter.release();
      state.next = next;
      state.hasBeenAlone = true;
      return true;
    },
    async waitForTurn({ next }, { queue, isAlone = false }) {
      if ('quiet' in next) return limiter.acquireAlone(next.quiet);
      if (next.pause > 0) await sender.wait(next.pause);
      await outages.whenOver();
      await (isAlone ? limiter.acquireAlone(0) : limiter.acquire(queue));
    },
    throttlingFields: () => throttlingFields,
  };
}

/** Whether the target has answered, not a gateway without it. */
const isAnswer = (attempt: Attempt): boolean => 'reply' in attempt && !isGatewayFailure(attempt.reply);

/** Forgets what an outage has made a request meet. */
function restart(state: RetryState): void {
  state.troubles.length = 0;
  state.gatewayFailures = 0;
  state.next = AT_ONCE;
  state.wasAway = true;
}

import { pathOf, wereAllClosed } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import type { SentAttempt, SentReply } from '../sender.ts';
import { MAX_UNANSWERED, isGivenUp, isOfConnection, pauseAfter } from './retry-policy.ts';
import type { NextAttempt } from './retry-policy.ts';
import { noteRejection, forgetTroubles, stopAsAway } from './state.ts';
import type { RetryState, SendOptions, RetryContext } from './state.ts';

/** Retries requests without a complete response, and gives them up. */
export interface UnansweredRetries {
  readonly nextAfter: (
    request: Request,
    attempt: Exclude<SentAttempt, SentReply>,
    state: RetryState,
    options: SendOptions,
  ) => NextAttempt;
  /** See `Retries`. */
  readonly prepareNext: (request: Request, state: RetryState, options: SendOptions) => Promise<boolean>;
  /** Notes that a request with the right key to a path was accepted. */
  readonly accepted: (path: string) => void;
}

export function retryUnanswered(context: RetryContext): UnansweredRetries {
  const { outages, aloneRetries, rejections, sender } = context;
  const { limiter, connections } = sender;
  /** Requests without a response in time at any try. */
  let timedOut = 0;
  /** Requests to each path whose connection was closed at every try, since it accepted the last one. */
  const closed = new Map<string, number>();

  /** Whether the target is known to answer such a request by closing the connection. */
  const isRejectedByClosing = ({ mayBeRejected = false }: SendOptions): boolean =>
    mayBeRejected && rejections.has('closed');

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
      stopAsAway(context, `${what}: ${detail}`);
    }
    return false;
  };

  return {
    nextAfter(request, { trouble, part, sentAt, inFlight, isStale = false }, state, options) {
      const { troubles } = state;
      troubles.push(trouble);
      state.part = part && { ...part, inFlight, request };
      const isOfPace = !['misread', 'timeout', 'oversized'].includes(trouble.kind);
      if (trouble.kind === 'misread') connections.switchToNode();
      // A target refuses or resets connections when there are too many, and again when there are too many a second.
      else if (isOfPace && !isStale && !isRejectedByClosing(options)) {
        if (troubles.length === 1) limiter.halve(sentAt, inFlight);
        else limiter.overload(sentAt, inFlight);
      }
      return { pause: pauseAfter(troubles) };
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
      if (mayBeRejected && hasBeenAlone && wereAllClosed(troubles)) noteRejection(context, 'closed');
      const isRejected = isRejectedByClosing(options) && outages.hasAnswered(state.since);
      // Neither the number of requests nor their rate is the reason.
      if (hasBeenAlone) limiter.clearSpacing();
      if (!isOfConnection(troubles.at(-1)!) || !outages.hasAnswered() || hasBeenAlone || isRejected)
        return giveUp(request, state);
      const outage = wasAway ? 'none' : await outages.outage(request, state.since);
      if (outage === 'over') {
        forgetTroubles(state);
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
    accepted: (path) => void closed.delete(path),
  };
}

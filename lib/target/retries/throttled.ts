import { pathOf } from '../exchange.ts';
import type { Request } from '../exchange.ts';
import { responseText } from '../output/response-text.ts';
import type { Redactor } from '../output/redactor.ts';
import { isSuccess } from '../reply.ts';
import type { Reply } from '../reply.ts';
import type { SentReply } from '../sender.ts';
import { detectInputLimits } from './input-limits.ts';
import { detectPathLimits } from './path-limits.ts';
import { IMMEDIATELY, retryOf } from './retry-policy.ts';
import { isRateLimited, isThrottling, retryAfter } from './throttling.ts';
import type { NextAttempt } from './retry-policy.ts';
import type { RetryState, SendOptions, RetryContext } from './state.ts';

/** Milliseconds of a limit that a run with a larger budget can wait for; one that takes longer is a quota. */
const LONGEST_WINDOW = 300_000;
/** Further windows of such a limit that a run is advised to have time for: one that needs fewer ends earlier. */
const MAX_FURTHER_WINDOWS = 4;

const inTens = (seconds: number): number => Math.ceil(seconds / 10) * 10;

/** Retries requests that the target throttles, for as long as the run can wait. */
export interface ThrottledRetries {
  /** @returns the next attempt; `final`: the reply is to be judged */
  readonly nextAfter: (
    request: Request,
    answer: SentReply,
    state: RetryState,
    options: SendOptions,
  ) => Promise<NextAttempt | 'final'>;
  /** Notes that a request with the right key to a path was accepted. */
  readonly accepted: (path: string) => void;
}

interface Rounds {
  /**
   * How often in turn the requests to a path were throttled before, now that one was again.
   * @param sentAt when it was sent
   */
  readonly before: (path: string, sentAt: number, now: number) => number;
  readonly accepted: (path: string) => void;
}

/** Counts the rounds in which a target throttles the requests to a path: what was in flight together is one. */
export function countRounds(): Rounds {
  const rounds = new Map<string, { readonly count: number; readonly at: number }>();
  return {
    before(path, sentAt, now) {
      const { count, at } = rounds.get(path) ?? { count: 0, at: -Infinity };
      if (sentAt <= at) return count - 1;
      rounds.set(path, { count: count + 1, at: now });
      return count;
    },
    accepted: (path) => void rounds.delete(path),
  };
}

export function retryThrottled(context: RetryContext, redactor: Redactor): ThrottledRetries {
  const { sender, lastAccepted } = context;
  const { limiter } = sender;

  const rounds = countRounds();
  /** Statuses for whose end requests that may be rejected have waited in vain. */
  const inVain = new Set<number>();

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
      const advice =
        asked && wait <= LONGEST_WINDOW
          ? `raise its limit, or --time-budget to ${inTens((sender.now + MAX_FURTHER_WINDOWS * wait) / 1000)}`
          : 'it may have a quota; raise it, or wait until it is renewed';
      sender.stop(`the target answers ${answer}, but accepts other requests: ${advice}`, 'throttled', path);
      limiter.recover();
      return true;
    }
    if (wait <= left) return false;
    const since = asked ? 'longer than the time budget has left' : 'until the time budget was spent';
    sender.stop(`the target answered ${answer}, ${since}`, 'budget');
    return true;
  };

  return {
    async nextAfter(request, { reply, sentAt, inFlight }, { troubles }, { throttling }) {
      const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
      // All wait for a limit, and so do those that meet it for the first time.
      const isOfAll = throttling === undefined && isThrottling(reply);
      const tries = isOfAll ? rounds.before(pathOf(request), sentAt, performance.now()) : throttled;
      // Such as the 503 of a cache whose service closes the connection, which asks to wait each time.
      const mayBeAnswer = throttling === 'answer' && !isRateLimited(reply);
      if (mayBeAnswer && inVain.has(reply.status)) return 'final';
      const retry = retryOf(reply, tries, sender.left, throttling);
      if (!retry) {
        if (mayBeAnswer && tries > 0) inVain.add(reply.status);
        return 'final';
      }
      const { wait, stopsOthers } = retry;
      const known = lastAccepted.get(pathOf(request));
      if (stopsOthers && known && (await isThrottledForInput(request, throttled, known))) return 'final';
      const asked = retryAfter(reply, Date.now()) ? `asked to wait ${Math.ceil(wait / 1000)} s` : undefined;
      const detail = `status ${reply.status}, ${asked ?? 'without Retry-After'}`;
      troubles.push({ kind: 'throttled', detail, ...(!stopsOthers && { wait }) });
      if ((stopsOthers || wait > sender.left) && (await stopIfLasting(request, reply, wait, asked)))
        return IMMEDIATELY;
      if (stopsOthers) {
        const answer = `${request.method} ${request.path} with status ${reply.status}`;
        sender.throttle(wait, answer, sentAt, inFlight);
        return IMMEDIATELY;
      }
      // The end of an idle connection, a 408, says nothing about other requests.
      if (wait > 0) limiter.noteThrottled(wait, sentAt, inFlight);
      return { pause: wait };
    },
    accepted(path) {
      rounds.accepted(path);
      pathLimits.accepted(path);
    },
  };
}

import type { DedicatedConnection } from './connections/connections.ts';
import { isClosed } from './exchange.ts';
import type { Request, Trouble } from './exchange.ts';
import { BETWEEN_CHECKS, detectOutages } from './pace/outage.ts';
import { detectQueueing } from './pace/queueing.ts';
import {
  AT_ONCE,
  createAloneRetries,
  isGatewayFailure,
  isGivenUp,
  isOfConnection,
  isThrottling,
  pauseAfter,
  retryAfter,
  retryOf,
} from './pace/retry-policy.ts';
import type { NextTry, Throttling } from './pace/retry-policy.ts';
import type { Limits, Sender, Tried, TriedReply } from './sender.ts';

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

/** What the tries of one request have met, and how the next one leaves. */
export interface Tries {
  /** Since the last outage. */
  readonly troubles: Trouble[];
  count: number;
  /** When the first of the troubles was met (`performance.now()`). */
  since: number;
  /** How often a gateway failed it. */
  gatewayFailures: number;
  next: NextTry;
  hasBeenAlone: boolean;
  /** Whether the end of an outage was awaited already: a second one is not. */
  wasAway: boolean;
  /** The beginning of the last response that was too long. */
  part: (TriedReply & { readonly request: Request }) | undefined;
}

export const newTries = (): Tries => ({
  troubles: [],
  count: 0,
  since: 0,
  gatewayFailures: 0,
  next: AT_ONCE,
  hasBeenAlone: false,
  wasAway: false,
  part: undefined,
});

/** Decides whether a reply is final, and how a request without one is retried, by all that the target has answered. */
export interface Retries {
  /** Notes a try. @returns whether its reply is final; if it is not, `tries.next` is how the next one leaves */
  readonly isFinal: (request: Request, tried: Tried, tries: Tries, options: SendOptions) => Promise<boolean>;
  /** Whether a request may be tried again. Waits for the end of an outage, and ends the run if that lasts. */
  readonly mayTry: (request: Request, tries: Tries, options: SendOptions) => Promise<boolean>;
  /** Waits until the next try may leave. @returns the connection that it must use, if any */
  readonly place: (tries: Tries, options: SendOptions) => Promise<DedicatedConnection | undefined>;
  /**
   * Names of the headers that all responses have that throttle the run; undefined: there was none.
   * Most are retried, and so in no exchange.
   */
  readonly throttlingFields: () => readonly string[] | undefined;
}

export function createRetries(sender: Sender, { concurrency, timeout }: Limits): Retries {
  const { limiter, connections } = sender;
  const isQueued = detectQueueing(timeout * 1000);
  const aloneRetries = createAloneRetries();
  /** The ways in which the target was observed to reject invalid requests: by closing the connection, or with a status. */
  const rejections = new Set<'closed' | number>();
  let lastAnswered: Request | undefined;
  let throttlingFields: readonly string[] | undefined;
  const outages = detectOutages(
    async (request) => {
      // The same credential may be why nothing is answered.
      const { credential, fields } = lastAnswered ?? request;
      const checked = await sender.check({ ...request, credential, fields });
      return 'reply' in checked && !isGatewayFailure(checked.reply);
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
    { trouble, part, sentAt, inFlight, isStale = false }: Exclude<Tried, TriedReply>,
    tries: Tries,
    options: SendOptions,
  ): void => {
    tries.troubles.push(trouble);
    tries.part = part && { ...part, inFlight, request };
    if (trouble.kind === 'misread') connections.switchToNode();
    else if (trouble.kind === 'timeout' || isStale || isRejectedByClosing(options)) return;
    // A target refuses or resets connections when there are too many, and again when there are too many a second.
    else if (tries.troubles.length === 1) limiter.halve(sentAt, inFlight);
    else limiter.overload(sentAt, inFlight);
  };

  /** The next try after a reply that is no gateway's failure: when the reply asks for it. */
  const afterReply = (
    request: Request,
    { reply, sentAt, inFlight, duration }: TriedReply,
    { troubles, next }: Tries,
    { throttling, mayBeRejected = false }: SendOptions,
  ): NextTry | 'final' => {
    const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
    const retry = retryOf(reply, throttled, sender.left, throttling);
    if (retry) {
      const { wait, stopsOthers } = retry;
      const asked = retryAfter(reply, Date.now()) ? `asked to wait ${Math.ceil(wait / 1000)} s` : undefined;
      const detail = `status ${reply.status}, ${asked ?? 'without Retry-After'}`;
      troubles.push({ kind: 'throttled', detail, ...(!stopsOthers && { wait }) });
      if (wait > sender.left)
        sender.stop(
          `the target answered ${request.method} ${request.path} with ${detail}${asked ? ', longer than the time budget has left' : ', until the time budget was spent'}`,
          'budget',
        );
      else if (stopsOthers) limiter.throttle(wait, sentAt, inFlight);
      // The end of an idle connection, a 408, says nothing about other requests.
      else if (wait > 0) limiter.noteThrottled(sentAt, inFlight);
      return stopsOthers ? AT_ONCE : { pause: wait };
    }
    if ('quiet' in next) aloneRetries.helped();
    outages.answered();
    // An invalid one may have been answered for something else than its credential.
    if (!mayBeRejected) lastAnswered = request;
    if (isQueued(request, duration)) limiter.halve(sentAt, inFlight);
    else limiter.grow();
    return 'final';
  };

  /** The next try after a gateway's failure, unless that is the answer. */
  const afterGatewayFailure = async (
    request: Request,
    { reply, sentAt, inFlight }: TriedReply,
    tries: Tries,
    { mayBeRejected = false }: SendOptions,
  ): Promise<NextTry | 'final'> => {
    if (mayBeRejected && rejections.has(reply.status)) {
      const isUp = outages.hasAnswered(sentAt) || (await outages.outage(request, sentAt)) === 'none';
      if (isUp) return 'final';
    }
    const wasAlone = 'quiet' in tries.next;
    if (aloneRetries.isInVain()) limiter.halve(sentAt, inFlight);
    else if (!wasAlone) limiter.overload(sentAt, inFlight);
    tries.gatewayFailures++;
    const detail = `status ${reply.status}, without Retry-After`;
    // The service behind the gateway may be away if nothing else was answered since, or an outage has ended since.
    if (wasAlone && !tries.wasAway && outages.mayBeAway(tries.since)) {
      const outage = await outages.outage(request, tries.since);
      if (outage === 'lasting') stopAsAway(`answers ${request.method} ${request.path} with ${detail}`);
      if (outage === 'over') restart(tries);
      if (outage !== 'none') return AT_ONCE;
    }
    const next =
      aloneRetries.afterGateway(tries.gatewayFailures) ??
      (outages.mayBeStarting(tries.since) ? { pause: BETWEEN_CHECKS } : undefined);
    if (next === undefined) {
      if (mayBeRejected) noteRejection(reply.status);
      else if (aloneRetries.isInVain()) limiter.clearSpacing();
      return 'final';
    }
    tries.troubles.push({ kind: 'throttled', detail, wait: 'quiet' in next ? next.quiet : next.pause });
    return next;
  };

  const nextAfter = async (
    request: Request,
    tried: Tried,
    tries: Tries,
    options: SendOptions,
  ): Promise<NextTry | 'final'> => {
    if ('trouble' in tried) {
      noteTrouble(request, tried, tries, options);
      return { pause: pauseAfter(tries.troubles) };
    }
    const { reply } = tried;
    if (isThrottling(reply)) {
      const names = Object.keys(reply.fields);
      throttlingFields = throttlingFields?.filter((name) => names.includes(name)) ?? names;
    }
    if (isGatewayFailure(reply)) return afterGatewayFailure(request, tried, tries, options);
    return afterReply(request, tried, tries, options);
  };

  /** Notes that a request is given up, and ends the run if the target is away. */
  const giveUp = async (request: Request, { troubles }: Tries, isKnownAway = false): Promise<false> => {
    if (isKnownAway || ((await outages.isAwayAfter(request)) && !sender.stopped)) {
      const { kind, detail } = troubles.at(-1)!;
      const what = kind === 'protocol' ? 'sends responses that cannot be read' : 'stopped answering';
      stopAsAway(`${what}: ${detail}`);
    }
    return false;
  };

  return {
    async isFinal(request, tried, tries, options) {
      tries.count++;
      if (tries.troubles.length === 0) tries.since = performance.now();
      const next = await nextAfter(request, tried, tries, options);
      if (next === 'final') return true;
      tries.next = next;
      return false;
    },
    async mayTry(request, tries, options) {
      const { troubles, hasBeenAlone, wasAway } = tries;
      if (!isGivenUp(troubles, isRejectedByClosing(options))) return true;
      const { mayBeRejected = false } = options;
      if (mayBeRejected && hasBeenAlone && isClosed(troubles)) noteRejection('closed');
      const isRejected = isRejectedByClosing(options) && outages.hasAnswered(tries.since);
      // Neither the number of requests nor their rate is the reason.
      if (hasBeenAlone) limiter.clearSpacing();
      if (!isOfConnection(troubles.at(-1)!) || !outages.hasAnswered() || hasBeenAlone || isRejected)
        return giveUp(request, tries);
      const outage = wasAway ? 'none' : await outages.outage(request, tries.since);
      if (outage === 'over') {
        restart(tries);
        return true;
      }
      if (outage === 'lasting') return giveUp(request, tries, true);
      const next = isRejectedByClosing(options) ? undefined : aloneRetries.afterConnections();
      if (next === undefined) return giveUp(request, tries);
      // Alone also means on the only connection that is open.
      await limiter.acquireAlone(0);
      connections.renew();
      limiter.release();
      tries.next = next;
      tries.hasBeenAlone = true;
      return true;
    },
    async place({ next }, { queue, connection, isAlone = false }) {
      if ('quiet' in next) {
        await limiter.acquireAlone(next.quiet);
        return connection ?? connections.shared();
      }
      if (next.pause > 0) await sender.wait(next.pause);
      await outages.isOver();
      await (isAlone ? limiter.acquireAlone(0) : limiter.acquire(queue));
      return connection;
    },
    throttlingFields: () => throttlingFields,
  };
}

/** Forgets what an outage has made a request meet. */
function restart(tries: Tries): void {
  tries.troubles.length = 0;
  tries.gatewayFailures = 0;
  tries.next = AT_ONCE;
  tries.wasAway = true;
}

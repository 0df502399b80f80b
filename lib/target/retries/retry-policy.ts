import type { Trouble } from '../../schemas/exchange.ts';
import type { DedicatedConnection } from '../connections/connections.ts';
import type { Request } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import { isThrottling, retryAfter } from './throttling.ts';

/**
 * What happens to a request that the target throttles (`isThrottling`). Others continue meanwhile, as many services throttle
 * only clients that guess keys. `retry`: it is retried even after a long wait; `final`: a response that asks for a long
 * wait is final. Default: it is retried, and nothing else is sent meanwhile.
 */
export type IfThrottled = 'retry' | 'final';

/** How a request leaves next: after a pause among others, or alone after a time in which nothing is in flight. */
export type NextAttempt = { readonly pause: number } | { readonly quiet: number };

export const IMMEDIATELY: NextAttempt = { pause: 0 };

/** How one request is sent. */
export interface SendOptions {
  /** Queues take turns; requests of one queue wait for each other. */
  readonly queue: string;
  readonly ifThrottled?: IfThrottled;
  /** Whether nothing else is in flight meanwhile. */
  readonly isAlone?: boolean;
  /** Whether it is likely to be rejected, as with an invalid credential: a closed connection or a 502 to 504 may then be the answer. */
  readonly mayBeRejected?: boolean;
  /** A connection to use in place of the shared ones. */
  readonly connection?: DedicatedConnection | undefined;
}

/**
 * A request, or a function that makes a new one for each attempt: the target may have carried out a request whose
 * connection broke, and a retry must not look like a duplicate.
 */
export type Sendable = Request | ((tries: number) => Request);

export const requestOf = (sendable: Sendable, tries: number): Request =>
  typeof sendable === 'function' ? sendable(tries) : sendable;

/** A request without a final reply so far: what its attempts have met, and how the next one leaves. */
export interface PendingRequest {
  readonly sendable: Sendable;
  /** As it was sent last. */
  request: Request;
  readonly options: SendOptions;
  /** Since the last outage. */
  readonly troubles: Trouble[];
  attempts: number;
  /** Since when it has had no answer but those of a gateway (`performance.now()`). */
  since: number;
  /** Whether its last attempt was answered, perhaps for the rate of requests. */
  wasAnswered: boolean;
  /** How often a gateway failed it. */
  gatewayFailures: number;
  next: NextAttempt;
  /** Whether it was sent alone because its connections broke. */
  hasBeenAlone: boolean;
  /** How often it awaited the end of an outage. */
  outages: number;
}

export const pendingRequest = (sendable: Sendable, options: SendOptions): PendingRequest => ({
  sendable,
  request: requestOf(sendable, 0),
  options,
  troubles: [],
  attempts: 0,
  since: 0,
  wasAnswered: true,
  gatewayFailures: 0,
  next: IMMEDIATELY,
  hasBeenAlone: false,
  outages: 0,
});

/** A wait is long if it takes more than these milliseconds, and more than this share of the time that the run has left. */
const LONG_WAIT = 5_000;
const LONG_SHARE = 0.05;
/** Milliseconds up to which a wait is short. */
const SHORT_WAIT = 2_000;
/** Retries of a throttled request that others do not wait for: with `retry`, and with `final` after short and longer waits. */
const MAX_RETRIES = 8;
const MAX_SHORT = 5;
const MAX_LONG = 3;

const MAX_408_RETRIES = 4;

/** The longest wait, in milliseconds, for which a larger time budget is recommended. */
const MAX_ADVISED_WAIT = 60_000;

/**
 * The time budget, in seconds, with which requests that get `final` wait so long, until half of it is spent; undefined
 * if they wait anyway, or if it would be too large.
 */
export const budgetToWait = (wait: number): number | undefined =>
  wait > LONG_WAIT && wait <= MAX_ADVISED_WAIT ? Math.ceil((2 * wait) / LONG_SHARE / 10_000) * 10 : undefined;

/**
 * Decides whether a reply that is not a failure of a gateway is final.
 * @param tries how often the request was throttled before; where all wait, how often its path was
 * @param left milliseconds that the run has left
 * @returns milliseconds until the request is retried; undefined: the reply is to be judged
 */
export function waitBeforeRetry(
  reply: Reply,
  tries: number,
  left: number,
  ifThrottled?: IfThrottled,
): number | undefined {
  const wait = waitFor(reply, tries);
  if (wait === undefined || ifThrottled === undefined) return wait;
  const maxRetries = ifThrottled === 'retry' ? MAX_RETRIES : wait > SHORT_WAIT ? MAX_LONG : MAX_SHORT;
  const isLong = wait > Math.max(LONG_WAIT, left * LONG_SHARE);
  const isFinal = wait > left || tries >= maxRetries || (ifThrottled === 'final' && isLong);
  return isFinal ? undefined : wait;
}

function waitFor(reply: Reply, tries: number): number | undefined {
  // "Retry-After: 0" would let us retry in a tight loop.
  if (isThrottling(reply)) return retryAfter(reply) || Math.min(5_000, 100 * 2 ** tries);
  // A 408 may only mean that the target closed an idle connection (RFC 9110, section 15.5.9).
  return reply.status === 408 && tries < MAX_408_RETRIES ? 0 : undefined;
}

const MAX_TRIES: Readonly<Record<Trouble['kind'], number>> = {
  refused: 5,
  reset: 5,
  protocol: 2,
  // The response would be as long again.
  oversized: 1,
  misread: 4,
  timeout: 2,
  throttled: 12,
  // As too many rejected credentials may lock an account.
  proxy: 1,
};

const countAlike = (troubles: readonly Trouble[], { kind }: Trouble): number =>
  troubles.filter((trouble) => trouble.kind === kind).length;

/** Tries of a request that the target rejects by closing the connection. */
const MAX_CLOSED_TRIES = 2;

/** After this many requests without a response at any try, the others get fewer tries: a single one if it times out. */
export const MAX_UNANSWERED = 3;

/**
 * Whether a request has met the same trouble often enough.
 * @param isClosing whether the target is known to close the connection of such requests
 * @param timedOut requests that had no response in time, at every try
 */
export function wasTriedEnough(troubles: readonly Trouble[], isClosing: boolean, timedOut: number): boolean {
  const last = troubles.at(-1)!;
  if (last.wait !== undefined) return false;
  if (last.kind === 'timeout' && timedOut >= MAX_UNANSWERED) return true;
  const maxTries = isClosing && last.kind === 'reset' ? MAX_CLOSED_TRIES : MAX_TRIES[last.kind];
  return countAlike(troubles, last) >= maxTries;
}

/** Milliseconds that a request waits after these troubles, the last of which left it without a reply. */
export function pauseAfter(troubles: readonly Trouble[]): number {
  const last = troubles.at(-1)!;
  return isConnectionTrouble(last) ? 50 * 2 ** countAlike(troubles, last) : 0;
}

/** Whether a target that is being restarted would cause this trouble. */
export const isConnectionTrouble = ({ kind }: Trouble): boolean => kind === 'refused' || kind === 'reset';

/** Retries of a gateway's failure among other requests, before those that are sent alone. */
const GATEWAY_TRIES = 3;
/** Milliseconds for which nothing is in flight before a request is sent alone: a gateway's rate is by the second. */
const QUIET_TIMES = [250, 1_000] as const;
/** Quiet times if requests sent alone were answered before: then the gateway may allow even fewer. */
const QUIET_IF_PACED = [...QUIET_TIMES, 2_500] as const;
/** The quiet time once waiting has too often been of no help. */
const SHORT_QUIET = [100] as const;
/** Milliseconds of quiet that did not help after which only the short one is kept. */
const MAX_QUIET_WITHOUT_EFFECT = 5_000;

/**
 * Sends requests that failed among others again, alone: if they still fail, neither the rate nor the number of requests is
 * the reason. Everything else waits meanwhile, so the waits are shorter if they have never helped.
 */
export class AloneRetries {
  /** Milliseconds of quiet since it last helped. */
  #quietWithoutEffect = 0;
  #hasHelped = false;

  /** Whether quiet has helped so rarely that the pace is hardly the reason. */
  get hasNoEffect(): boolean {
    return this.#quietWithoutEffect >= MAX_QUIET_WITHOUT_EFFECT;
  }

  /**
   * The next attempt of a request after a gateway's failure; undefined: the failure is final.
   * @param failures how often a gateway failed this request
   */
  afterGateway(failures: number): NextAttempt | undefined {
    if (this.hasNoEffect && !this.#hasHelped) return failures === 1 ? this.#spend(SHORT_QUIET[0]) : undefined;
    if (failures <= GATEWAY_TRIES) return { pause: 100 * 2 ** (failures - 1) };
    const quietTimes = this.hasNoEffect ? SHORT_QUIET : this.#hasHelped ? QUIET_IF_PACED : QUIET_TIMES;
    return this.#spend(quietTimes[failures - GATEWAY_TRIES - 1]);
  }

  /** The next attempt after connections that only this request used have broken; undefined: retries have not helped. */
  afterConnections(): NextAttempt | undefined {
    return this.#spend(this.hasNoEffect ? undefined : QUIET_TIMES[0]);
  }

  /** Notes that a request that was sent alone was answered. */
  helped(): void {
    this.#quietWithoutEffect = 0;
    this.#hasHelped = true;
  }

  #spend(quiet: number | undefined): NextAttempt | undefined {
    this.#quietWithoutEffect += quiet ?? 0;
    return quiet === undefined ? undefined : { quiet };
  }
}

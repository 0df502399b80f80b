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
  /** How often a gateway failed it since the last outage. */
  gatewayFailures: number;
  /** How often it failed alone, though the target had just answered another request, or did at once. */
  failuresAlone: number;
  /** How many outages it seems to have caused. */
  outages: number;
  next: NextAttempt;
}

export const pendingRequest = (sendable: Sendable, options: SendOptions): PendingRequest => ({
  sendable,
  request: requestOf(sendable, 0),
  options,
  troubles: [],
  attempts: 0,
  gatewayFailures: 0,
  failuresAlone: 0,
  outages: 0,
  next: IMMEDIATELY,
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

/** How a request is retried: after pauses among others, then alone after quiet times, all in milliseconds; then not any more. */
interface RetrySchedule {
  readonly pauses: readonly number[];
  readonly quiet?: readonly number[];
}

/** A response that is too long would be as long again. */
type RetriedKind = Exclude<Trouble['kind'], 'oversized'>;

/**
 * What happens to a request after each attempt without a response, or with one that does not say when to retry, and is
 * perhaps that of a gateway (`throttled`).
 */
const SCHEDULES: Readonly<Record<RetriedKind, RetrySchedule>> = {
  refused: { pauses: [100, 200, 400, 800], quiet: [250, 1000] },
  reset: { pauses: [100, 200, 400, 800], quiet: [250, 1000] },
  // A gateway's rate is by the second.
  throttled: { pauses: [100, 200, 400], quiet: [250, 1000] },
  misread: { pauses: [0, 0, 0] },
  protocol: { pauses: [0] },
  timeout: { pauses: [0] },
  // Too many rejected credentials may lock an account.
  proxy: { pauses: [] },
};
/** The schedules for what has often met the same at each try, though others are answered. */
const SHORT_SCHEDULES: Readonly<Partial<Record<RetriedKind, RetrySchedule>>> = {
  reset: { pauses: [100], quiet: [250] },
  throttled: { pauses: [], quiet: [100] },
  timeout: { pauses: [] },
};

/**
 * The next attempt of a request; undefined: none.
 * @param times how often it has met this
 * @param isShort whether retries of such requests have often been of no help
 */
export function nextAttempt(
  kind: RetriedKind,
  times: number,
  { failuresAlone, outages }: Pick<PendingRequest, 'failuresAlone' | 'outages'>,
  isShort: boolean,
): NextAttempt | undefined {
  const { pauses, quiet: quietTimes } = (isShort && SHORT_SCHEDULES[kind]) || SCHEDULES[kind];
  const pause = outages > 0 && quietTimes ? undefined : pauses[times - 1];
  if (pause !== undefined) return { pause };
  const quiet = quietTimes?.[failuresAlone];
  return quiet === undefined ? undefined : { quiet };
}

/** How often a request has met the same as last. */
export const countAlike = (troubles: readonly Trouble[], { kind }: Trouble): number =>
  troubles.filter((trouble) => trouble.kind === kind).length;

/** After this many requests without a response at any try, the others are retried less often. */
export const MAX_UNANSWERED = 3;

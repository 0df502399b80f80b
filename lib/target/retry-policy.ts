import type { Trouble } from './exchange.ts';
import type { Reply } from './reply.ts';

/**
 * What a request does when the target throttles it (429, or 503 with Retry-After). Default: it is retried, and
 * meanwhile nothing is sent.
 * - `wait alone`: it is retried, and others do not wait for it.
 * - `answer`: a long wait is the answer, as many services throttle clients that guess keys.
 */
export type Throttling = 'wait alone' | 'answer';

/** When to retry a request whose reply is not final. */
export interface Retry {
  /** Milliseconds. */
  readonly wait: number;
  /** Whether only this request waits. */
  readonly isAlone: boolean;
  /** Whether fewer requests should be in flight. */
  readonly isOverload: boolean;
}

/** Milliseconds from which a wait is long. */
const LONG_WAIT = 2_000;

/** Retries of a gateway's failure: where one request in ten fails, one in 100,000 still fails after them. */
const GATEWAY_TRIES = 4;

/**
 * Decides whether a reply is final.
 * @param tries how often the request was throttled before
 * @param left milliseconds that the run has left
 * @returns undefined when the reply is to be judged
 */
export function retryOf(
  reply: Reply,
  tries: number,
  left: number,
  throttling?: Throttling,
): Retry | undefined {
  const wait = waitFor(reply, tries);
  if (wait === undefined) return undefined;
  const isTooLong = wait > left;
  if (throttling === 'wait alone' && isTooLong) return undefined;
  if (throttling === 'answer' && (isTooLong || wait > LONG_WAIT || tries >= 3)) return undefined;
  const isOverload = isGatewayFailure(reply);
  // Neither a gateway's failure nor the end of an idle connection says anything about other requests.
  const isAlone = isOverload || reply.status === 408 || (throttling === 'wait alone' && wait > LONG_WAIT);
  return { wait, isAlone, isOverload };
}

/**
 * Milliseconds to wait before the request is retried; undefined when the reply is final. A 502, 503 or 504 without
 * Retry-After is retried a few times, as it is rarely the service's own answer. So is a 408, which may only mean that
 * the target closed an idle connection (RFC 9110, section 15.5.9).
 */
export function waitFor(reply: Reply, tries: number): number | undefined {
  const { status } = reply;
  const backOff = Math.min(5_000, 100 * 2 ** tries);
  const asked = retryAfter(reply, Date.now());
  // "Retry-After: 0" would let us retry in a tight loop.
  if (isThrottling(reply)) return asked || backOff;
  if (tries >= GATEWAY_TRIES) return undefined;
  if (status === 408) return 0;
  return isGatewayFailure(reply) ? backOff : undefined;
}

/** Whether a reply says that there were too many requests. */
export const isThrottling = (reply: Reply): boolean =>
  reply.status === 429 || (reply.status === 503 && retryAfter(reply, Date.now()) !== undefined);

/** Whether a gateway got no answer from the service, and does not say when to retry. */
const isGatewayFailure = (reply: Reply): boolean =>
  reply.status >= 502 && reply.status <= 504 && retryAfter(reply, Date.now()) === undefined;

/**
 * Milliseconds that a reply asks to wait (RFC 9110, section 10.2.3: seconds or a date); undefined where the field is
 * missing or malformed.
 */
export function retryAfter(reply: Reply, now: number): number | undefined {
  const value = reply.fields['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const MOST_TRIES: Readonly<Record<Trouble['kind'], number>> = {
  refused: 5,
  reset: 5,
  protocol: 2,
  misread: 4,
  timeout: 2,
  throttled: 12,
};

const countAlike = (troubles: readonly Trouble[], { kind }: Trouble): number =>
  troubles.filter((trouble) => trouble.kind === kind).length;

/** Whether a request has met the same trouble too often to be retried. */
export function isGivenUp(troubles: readonly Trouble[]): boolean {
  const last = troubles.at(-1);
  return last !== undefined && last.wait === undefined && countAlike(troubles, last) >= MOST_TRIES[last.kind];
}

/** Milliseconds that a request waits by itself before it is retried. */
export function pauseAfter(troubles: readonly Trouble[]): number {
  const last = troubles.at(-1);
  if (last === undefined) return 0;
  return isOfConnection(last) ? 50 * 2 ** countAlike(troubles, last) : (last.wait ?? 0);
}

/** Whether a target that is being restarted would cause this trouble. */
export const isOfConnection = ({ kind }: Trouble): boolean => kind === 'refused' || kind === 'reset';

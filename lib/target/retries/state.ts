import type { Trouble } from '../../schemas/exchange.ts';
import type { DedicatedConnection } from '../connections/connections.ts';
import type { Request } from '../exchange.ts';
import type { Sender, SentReply } from '../sender.ts';
import type { OutageDetection } from './outage.ts';
import { IMMEDIATELY } from './retry-policy.ts';
import type { AloneRetries, NextAttempt, Throttling } from './retry-policy.ts';

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
  next: IMMEDIATELY,
  hasBeenAlone: false,
  wasAway: false,
  part: undefined,
});

/** Forgets what an outage has made a request meet. */
export function forgetTroubles(state: RetryState): void {
  state.troubles.length = 0;
  state.gatewayFailures = 0;
  state.next = IMMEDIATELY;
  state.wasAway = true;
}

/** What all requests have shown about the target, and what the retries of each one depend on. */
export interface RetryContext {
  readonly sender: Sender;
  readonly outages: OutageDetection;
  readonly aloneRetries: AloneRetries;
  /** The ways in which it was observed to reject invalid requests: by closing the connection, or with a status. */
  readonly rejections: Set<'closed' | number>;
  /** The last accepted request to each path. */
  readonly lastAccepted: ReadonlyMap<string, Request>;
}

/** Notes how the target answered an invalid request that was sent alone, though it answers others otherwise. */
export function noteRejection({ rejections, sender }: RetryContext, way: 'closed' | number): void {
  rejections.add(way);
  sender.limiter.recover();
}

/** Ends the run, as the target is away. @param what it does, in words */
export const stopAsAway = ({ sender }: RetryContext, what: string): void =>
  sender.stop(`the target ${what}`, 'away');

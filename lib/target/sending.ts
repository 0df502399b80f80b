import type { Channel } from './channel.ts';
import type { Exchange, Request, StopCause } from './exchange.ts';
import type { Latencies } from './latency.ts';
import type { Pace } from './limiter.ts';
import type { Throttling } from './retry-policy.ts';

/** The limits on everything sent to one target. */
export interface Limits {
  /** Requests in flight. */
  readonly concurrency: number;
  /** Requests a second; 0: no limit. */
  readonly rate: number;
  /** Requests in all, retries included. */
  readonly maxRequests: number;
  /** Seconds for the whole run. */
  readonly timeBudget: number;
  /** Seconds for one response. */
  readonly timeout: number;
}

/**
 * A request, or a function that makes a new one for each try: the target may have carried out a request whose
 * connection broke, and a retry must not look like a duplicate.
 */
export type Sendable = Request | ((tries: number) => Request);

/** How one request is sent. */
export interface SendOptions {
  /** Queues take turns; requests of one queue wait for each other. */
  readonly queue: string;
  readonly throttling?: Throttling;
  /** A connection to use in place of the shared ones. */
  readonly connection?: Channel;
}

/** Called as requests are sent. */
export interface Hooks {
  /** @param requests how many were sent */
  readonly onProgress?: (requests: number) => void;
  /** The target has stopped answering. */
  readonly onAway?: (reason: string) => void;
  /** Each final response. */
  readonly onReply?: (exchange: Exchange) => void;
  /** The operation of a request; undefined: its latency is not measured. */
  readonly operationOf?: (exchange: Exchange) => string | undefined;
}

/** Counters of a run, for the report. */
export interface Traffic extends Pace {
  /** The moment to which `startedAt` of each exchange is relative, in milliseconds since the epoch. */
  readonly openedAt: number;
  readonly requests: number;
  readonly retries: number;
  /** Why sending ended early; undefined when it did not. */
  readonly stopped: string | undefined;
  readonly stopCause: StopCause | undefined;
  readonly latency: Latencies;
}

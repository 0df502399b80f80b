import type { Channel } from './channel.ts';
import type { Exchange, Request, StopCause } from './exchange.ts';
import type { Latencies } from './latency.ts';
import type { Pace } from './limiter.ts';
import type { Expectation } from './patience.ts';

/** The limits that hold for everything sent to one target. */
export interface Limits {
  readonly concurrency: number;
  readonly rate: number;
  readonly maxRequests: number;
  /** Seconds. */
  readonly timeBudget: number;
  /** Seconds. */
  readonly timeout: number;
}

/**
 * A request, or a way to make it anew for each try: one whose connection broke may have been carried
 * out, and must not be mistaken for a duplicate when it is sent again.
 */
export type Sendable = Request | ((tries: number) => Request);

/** How one request is sent. */
export interface SendOptions {
  /** Requests of one queue wait for each other; queues take turns. */
  readonly queue: string;
  /**
   * `refusal`: the answer that is expected is no, so a 429 with a long Retry-After is an answer like
   * any other, as many services slow down whoever guesses keys. `patient refusal`: it is waited out,
   * but nothing else waits with it.
   */
  readonly expect?: Expectation;
  /** A connection of its own instead of the shared ones. */
  readonly connection?: Channel;
}

/** What is told of the traffic while it goes on. */
export interface Hooks {
  /** How many requests were sent. */
  readonly onProgress?: (requests: number) => void;
  /** That the target has stopped answering. */
  readonly onAway?: (reason: string) => void;
  /** Each complete response that is no plea for patience. */
  readonly onReply?: (exchange: Exchange) => void;
  /** The operation that a request is one of, where its time is worth keeping. */
  readonly operationOf?: (exchange: Exchange) => string | undefined;
}

/** Counters of a run, for the report. */
export interface Traffic extends Pace {
  /** When `startedAt` of the exchanges is 0, in milliseconds since the epoch. */
  readonly openedAt: number;
  readonly requests: number;
  readonly retries: number;
  /** Why sending ended early; undefined when it did not. */
  readonly stopped: string | undefined;
  readonly stopCause: StopCause | undefined;
  readonly latency: Latencies;
}

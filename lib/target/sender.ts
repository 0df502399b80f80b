import { setTimeout as delay } from 'node:timers/promises';
import { asSent } from './connections/as-sent.ts';
import type { TimedReply, Attempt } from './connections/channel.ts';
import type { Barrier } from './connections/barrier.ts';
import { openConnections } from './connections/connections.ts';
import type { Connections, DedicatedConnection } from './connections/connections.ts';
import type { Endpoint } from './connections/dial.ts';
import { Stopped, pathOf } from './exchange.ts';
import { isSuccess } from './reply.ts';
import type { StopCause } from '../schemas/evidence.ts';
import type { Exchange, Request } from './exchange.ts';
import type { Latencies } from './pace/latency.ts';
import { Congestion } from './pace/congestion.ts';
import { Limiter } from './pace/limiter.ts';
import type { Pace } from './pace/limiter.ts';
import { failureIn } from './connections/proxy.ts';
import { watchForStarvation } from './pace/starvation.ts';
import { troubleOf } from './trouble.ts';

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

/** Called as requests are sent. */
export interface Hooks {
  /** @param requests how many were sent @param retries how many of these */
  readonly onProgress?: (requests: number, retries: number) => void;
  /** What the user should know at once: that the target makes the run wait for long. */
  readonly onRemark?: (text: string) => void;
  /** Each final response. */
  readonly onReply?: (exchange: Exchange) => void;
  /** Each response to a request that only finds out whether the target is unavailable, and is not an exchange of the run. */
  readonly onCheck?: (check: Pick<Exchange, 'request' | 'reply'>) => void;
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
  /** How often the target was unavailable for a while. */
  readonly outages: number;
  /** For how many milliseconds, in all. */
  readonly unavailable: number;
  /** Milliseconds that the target asked to wait at the end, longer than the time budget had left. */
  readonly unwaited: number;
  readonly latency: Latencies;
}

/** Milliseconds beyond the time budget, or the end of a run, for which a response is still awaited. */
const GRACE_PERIOD = 500;

/** The shortest wait that is printed, in milliseconds. */
const PRINTED_WAIT = 10_000;

/** The number of requests that a run must be able to send within its time budget, however much the target slows it down. */
const MIN_REQUESTS = 500;

/** Milliseconds after which a response is slow: as long as a request waits at least before it seems to starve. */
const SLOW = 1000;
/** Milliseconds per second of the timeout; requests that wait for twice as long may still be found to starve. */
const MAX_SLOW = 400;
/** Milliseconds until connections that others waited for are closed. */
const UNTIL_BOUND = 1000;

/** The result of one attempt to send a request, and how many requests were in flight then. */
export type SentAttempt = Attempt & { readonly inFlight: number };

/** A reply, and how many requests were in flight when it came. */
export type SentReply = TimedReply & { readonly inFlight: number };

/** Sends each request once, within the budgets of a run, until the run is stopped. */
export class Sender {
  readonly congestion: Congestion;
  readonly limiter: Limiter;
  readonly connections: Connections;
  protected readonly endpoint: Endpoint;
  readonly #limits: Limits;
  protected readonly hooks: Hooks;
  /** `performance.now()` at the start of the run. */
  readonly startedAt = performance.now();
  readonly #openedAt = Date.now();
  readonly #budget: NodeJS.Timeout;
  readonly #halt = new AbortController();
  readonly #starvation = watchForStarvation(
    () => this.connections.shared().idle(),
    (served) => {
      this.#boundAt = performance.now();
      this.congestion.bound(served ?? Infinity);
      this.connections.renew(served);
    },
  );
  /** When the requests in flight were bounded, as some seemed to wait for a connection (`performance.now()`). */
  #boundAt = Infinity;
  #wasSlow = false;
  /** Milliseconds of each outage. */
  readonly #outages: number[] = [];
  #requests = 0;
  /** How many of these were retries. */
  protected retried = 0;
  /** See `Traffic`. */
  unwaited = 0;
  #stopped: Stopped | undefined;
  readonly #lastAccepted = new Map<string, Request>();
  /** Why a path gets no more requests. */
  readonly #stoppedPaths = new Map<string, Stopped>();

  constructor(endpoint: Endpoint, limits: Limits, hooks: Hooks) {
    this.endpoint = endpoint;
    this.#limits = limits;
    this.hooks = hooks;
    this.congestion = new Congestion(limits.concurrency, (limits.timeBudget * 1000) / MIN_REQUESTS);
    this.limiter = new Limiter(this.congestion, limits.rate);
    this.connections = openConnections(endpoint, limits.concurrency, limits.timeout * 1000);
    this.#budget = setTimeout(
      () => this.stop(`the time budget of ${limits.timeBudget} s was spent`, 'budget'),
      limits.timeBudget * 1000,
    );
  }

  protected get counters(): Omit<Traffic, 'latency'> {
    const [ofPath] = this.#stoppedPaths.values();
    const stopped = this.#stopped ?? ofPath;
    return {
      ...this.limiter.pace,
      openedAt: this.#openedAt,
      requests: this.#requests,
      retries: this.retried,
      stopped: stopped?.message,
      stopCause: stopped?.stopCause,
      outages: this.#outages.length,
      unavailable: this.#outages.reduce((sum, milliseconds) => sum + milliseconds, 0),
      unwaited: this.unwaited,
    };
  }

  /** Why nothing more may be sent; undefined: something may. */
  get stopped(): Stopped | undefined {
    return this.#stopped;
  }

  /** The last accepted request to each path that still gets requests. */
  get lastAccepted(): ReadonlyMap<string, Request> {
    return this.#lastAccepted;
  }

  /** Notes a request that was accepted, perhaps one of those in flight when its path was stopped. */
  accepted(request: Request): void {
    const path = pathOf(request);
    if (!this.#stoppedPaths.has(path)) this.#lastAccepted.set(path, request);
  }

  /** Milliseconds since the start of the run, as in every exchange. */
  get now(): number {
    return performance.now() - this.startedAt;
  }

  /** Milliseconds of the time budget that are left. */
  get left(): number {
    return this.#limits.timeBudget * 1000 - this.now;
  }

  /** Waits, but only as long as requests may be sent. */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#halt.signal }).catch(() => {});
  }

  /** Sends nothing for a while, as the target throttled the run. @param answer in words */
  throttle(milliseconds: number, answer: string, sentAt: number, inFlight: number): void {
    const isKnown = this.limiter.pausedFor > milliseconds / 2;
    if (milliseconds >= PRINTED_WAIT && !isKnown)
      this.hooks.onRemark?.(
        `The target answered ${answer} and asked to wait: continuing in ${Math.ceil(milliseconds / 1000)} s`,
      );
    this.limiter.throttle(milliseconds, sentAt, inFlight);
  }

  /** Notes for how many milliseconds the target was unavailable. */
  noteOutage(milliseconds: number): void {
    this.#outages.push(milliseconds);
  }

  /** Sends nothing more, or nothing more to one path; requests in flight are still awaited. */
  stop(reason: string, cause?: StopCause, path?: string): void {
    if (path !== undefined) {
      this.#stoppedPaths.set(path, new Stopped(reason, cause));
      this.#lastAccepted.delete(path);
      return;
    }
    this.#stopped ??= new Stopped(reason, cause);
    this.limiter.stop(this.#stopped);
    this.#halt.abort();
  }

  /** Sends nothing more, waits a moment for the requests in flight, so that `traffic` is final, and disconnects. */
  async close(): Promise<void> {
    clearTimeout(this.#budget);
    this.limiter.stop(new Stopped('the run is over'));
    this.#halt.abort();
    await Promise.race([this.limiter.idle(), delay(GRACE_PERIOD, undefined, { ref: false })]);
    this.#starvation.end();
    this.connections.close();
  }

  /**
   * Sends a request once, once the limiter lets it leave, and releases it there afterwards.
   * @throws {Stopped} when the run may not send any more
   */
  async attempt(request: Request, channel: DedicatedConnection, barrier?: Barrier): Promise<SentAttempt> {
    try {
      if (this.#requests >= this.#limits.maxRequests) {
        this.stop(`the budget of ${this.#limits.maxRequests} requests was spent`, 'budget');
      }
      const stopped = this.#stopped ?? this.#stoppedPaths.get(pathOf(request));
      if (stopped) throw stopped;
      this.#requests++;
      this.hooks.onProgress?.(this.#requests, this.retried);
      const timeout = Math.min(this.#limits.timeout * 1000, this.left + GRACE_PERIOD);
      const attempt = await this.#starvation.during(
        request,
        barrier === undefined,
        channel.attempt(asSent(request, this.endpoint), timeout, barrier),
      );
      if (barrier === undefined) this.#checkBound(attempt);
      return { ...this.#withoutProxy(attempt), inFlight: this.limiter.inFlight };
    } finally {
      this.limiter.release();
    }
  }

  /** Lifts the bound on requests in flight if one has to wait on a served connection, too. */
  #checkBound(attempt: Attempt): void {
    const isLate = 'trouble' in attempt && attempt.trouble.kind === 'timeout';
    // The rejection of an invalid credential may be delayed.
    const isSlow =
      'reply' in attempt && isSuccess(attempt.reply) && attempt.duration > SLOW && !this.#wasSlow;
    const boundFor = attempt.sentAt - this.#boundAt;
    if (!(isLate && boundFor > 0) && !(isSlow && boundFor > UNTIL_BOUND)) return;
    this.#boundAt = Infinity;
    // Once: a service may both be slow and serve few connections.
    if (isSlow) this.#starvation.expectSlow(Math.min(attempt.duration, MAX_SLOW * this.#limits.timeout));
    else this.#starvation.end();
    this.#wasSlow ||= isSlow;
    this.recover();
  }

  /** Sends as many requests as at first, as their number is not why some were not answered. */
  recover(): void {
    this.congestion.recover();
    this.connections.renew(this.#limits.concurrency);
  }

  /** A reply that a forwarding proxy itself makes is not one of the target. */
  #withoutProxy(attempt: Attempt): Attempt {
    if ('trouble' in attempt || !this.endpoint.route.isForwarded) return attempt;
    const failure = failureIn(this.endpoint.route.proxy!, attempt.reply);
    return failure ? { trouble: troubleOf(failure, 0), sentAt: attempt.sentAt } : attempt;
  }

  /**
   * Sends a request alone, before all others, and on the only connection that is open then.
   * @param quiet milliseconds without requests before
   */
  async attemptAlone(request: Request, quiet = 0): Promise<Attempt> {
    await this.limiter.acquireAlone(quiet, true);
    this.connections.renew();
    const attempt = await this.attempt(request, this.connections.shared());
    if ('reply' in attempt) this.hooks.onCheck?.({ request, reply: attempt.reply });
    return attempt;
  }
}

import type { Stopped } from '../exchange.ts';
import type { Congestion } from './congestion.ts';

interface Waiting {
  readonly count: number;
  /** Milliseconds for which nothing was in flight before; of a request that must be the only one in flight. */
  readonly quiet?: number;
  readonly start: (count: number) => void;
  readonly fail: (error: Error) => void;
}

/** What the limiter did, for the report. */
export interface Pace {
  /** The highest number of requests that were in flight together. */
  readonly peak: number;
  /** Requests that may be in flight now. */
  readonly limit: number;
  /** How often the target throttled the run. */
  readonly throttled: number;
  /** Milliseconds for which the run, or some of its requests, waited because the target throttled them. */
  readonly waited: number;
}

/**
 * Decides when a request may leave: as soon as congestion, the rate that was set, and the pauses that the target asks for
 * allow it. Queues take turns, so that each makes progress even where the target accepts few requests.
 */
export class Limiter {
  readonly #congestion: Congestion;
  readonly #queues = new Map<string, Waiting[]>();
  /** Milliseconds between requests, by the rate that was set. */
  readonly #spacing: number;
  readonly #alone: Waiting[] = [];
  #isAlone = false;
  #quietSince = 0;
  #inFlight = 0;
  #peak = 0;
  #throttled = 0;
  #waited = 0;
  #notBefore = 0;
  #pausedUntil = 0;
  #waitedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;
  #stopped: Stopped | undefined;
  #whenIdle: (() => void) | undefined;

  /** @param rate requests a second; 0: no limit */
  constructor(congestion: Congestion, rate: number) {
    this.#congestion = congestion;
    this.#spacing = rate === 0 ? 0 : 1000 / rate;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get pace(): Pace {
    return {
      peak: this.#peak,
      limit: this.#congestion.limit,
      throttled: this.#throttled,
      waited: this.#waited,
    };
  }

  /**
   * Waits until several requests may leave at once, or as many as the limit allows.
   * @returns how many may leave; the caller calls `release` for each
   */
  acquire(name: string, count = 1): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) return reject(this.#stopped);
      const queue = this.#queues.get(name) ?? [];
      queue.push({ count, start: resolve, fail: reject });
      this.#queues.set(name, queue);
      // Wait for all that begin in the same turn of the event loop: those of several requests go first.
      if (this.#inFlight === 0) this.#soon ??= setImmediate(() => this.#advance());
      else this.#advance();
    });
  }

  /**
   * Waits until nothing else is in flight, and keeps everything else back until it is released.
   * @param quiet milliseconds for which nothing was in flight before
   * @param isNext whether it leaves before all others
   */
  acquireAlone(quiet: number, isNext = false): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) return reject(this.#stopped);
      const waiting = { count: 1, quiet, start: () => resolve(), fail: reject };
      if (isNext) this.#alone.unshift(waiting);
      else this.#alone.push(waiting);
      this.#advance();
    });
  }

  release(): void {
    const mayBeChecked = this.#isAlone || this.#alone.length > 0;
    this.#inFlight--;
    if (this.#inFlight === 0) {
      this.#isAlone = false;
      this.#quietSince = performance.now();
    }
    // Before or after what is sent alone, it may be checked first whether the target is available.
    if (mayBeChecked) this.#soon ??= setImmediate(() => this.#advance());
    else this.#advance();
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  /** Resolves when nothing is in flight. Call `stop` before. */
  async idle(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  /** Notes that the target throttled one request, which waits while others continue. */
  noteThrottled(milliseconds: number, sentAt: number, inFlight: number): void {
    this.#noteWait(milliseconds);
    this.#congestion.halve(sentAt, inFlight);
  }

  /** Milliseconds for which nothing is sent, as the target throttled the run. */
  get pausedFor(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /** Notes an overload and sends nothing for a while, as the target throttled the run. */
  throttle(milliseconds: number, sentAt: number, inFlight: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#noteWait(milliseconds));
    this.#congestion.overload(sentAt, inFlight, this.#pausedUntil);
    this.#advance();
  }

  /** Counts a wait, the time that it shares with another one only once. @returns when it ends */
  #noteWait(milliseconds: number): number {
    this.#throttled++;
    const now = performance.now();
    const until = now + milliseconds;
    this.#waited += Math.max(0, until - Math.max(now, this.#waitedUntil));
    this.#waitedUntil = Math.max(this.#waitedUntil, until);
    return until;
  }

  /** Rejects everything that waits, now and later. */
  stop(reason: Stopped): void {
    this.#stopped ??= reason;
    clearTimeout(this.#timer);
    for (const waiting of [...this.#queues.values(), this.#alone].flat()) waiting.fail(this.#stopped);
    this.#queues.clear();
    this.#alone.length = 0;
  }

  #advance(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#soon = undefined;
    while (!this.#isAlone) {
      if (this.#alone.length > 0) return this.#advanceAlone();
      const next = this.#next();
      if (next === undefined) return;
      const [name, queue] = next;
      const waiting = queue[0]!;
      // With a rate, no two requests leave at the same instant.
      const count = Math.min(waiting.count, this.#spacing > 0 ? 1 : this.#congestion.limit);
      if (this.#inFlight + count > this.#congestion.limit) return;
      if (this.#isTooEarly(0)) return;
      this.#start(count);
      queue.shift();
      // Last in the map: each other queue has its turn first.
      this.#queues.delete(name);
      if (queue.length > 0) this.#queues.set(name, queue);
      waiting.start(count);
    }
  }

  /** Starts the first request that is to be alone, once nothing else is in flight. */
  #advanceAlone(): void {
    const first = this.#alone[0]!;
    if (this.#inFlight > 0 || this.#isTooEarly(this.#quietSince + first.quiet!)) return;
    this.#alone.shift();
    this.#isAlone = true;
    this.#start(1);
    first.start(1);
  }

  /** Whether no request may leave yet; then a timer is set. @param notBefore further moment to wait for */
  #isTooEarly(notBefore: number): boolean {
    const now = performance.now();
    const startAt = Math.max(this.#pausedUntil, this.#notBefore, notBefore);
    if (startAt <= now) return false;
    this.#timer = setTimeout(() => this.#advance(), Math.ceil(startAt - now));
    return true;
  }

  #start(count: number): void {
    const spacing = Math.max(this.#spacing, this.#congestion.spacing);
    this.#notBefore = Math.max(this.#notBefore, performance.now()) + spacing * count;
    this.#inFlight += count;
    this.#peak = Math.max(this.#peak, this.#inFlight);
  }

  /** The queue whose turn it is; while nothing is in flight, the one of the most requests. */
  #next(): [name: string, queue: Waiting[]] | undefined {
    if (this.#inFlight > 0) return this.#queues.entries().next().value;
    const queues = [...this.#queues];
    const largest = Math.max(...queues.map(([, [first]]) => first!.count));
    return queues.find(([, [first]]) => first!.count === largest);
  }
}

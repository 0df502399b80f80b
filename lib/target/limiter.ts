import type { Stopped } from './exchange.ts';

interface Waiting {
  readonly places: number;
  readonly start: (places: number) => void;
  readonly fail: (error: Error) => void;
}

/** What the limiter did, for the report. */
export interface Pace {
  /** Most requests that were in flight together. */
  readonly peak: number;
  /** Requests that may be in flight now. */
  readonly limit: number;
  /** How often the target throttled the run. */
  readonly throttled: number;
  /** Milliseconds for which nothing was sent because the target throttled the run. */
  readonly waited: number;
}

/** Good responses in a row after which the ceiling is raised by one. */
const PROBE = 50;

/**
 * Decides when a request may leave. Queues take turns, so that each makes progress even where the target accepts few
 * requests. The limit on requests in flight halves when the target is overloaded. It grows by one with every round of
 * good responses, up to a ceiling just below what was too much; the ceiling itself is raised only slowly.
 */
export class Limiter {
  readonly #queues = new Map<string, Waiting[]>();
  readonly #most: number;
  /** Milliseconds between requests. */
  readonly #spacing: number;
  #ceiling: number;
  #limit: number;
  #inFlight = 0;
  #peak = 0;
  #good = 0;
  #lastHalved = 0;
  #throttled = 0;
  #waited = 0;
  #notBefore = 0;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;
  #stopped: Stopped | undefined;
  #whenIdle: (() => void) | undefined;
  #prioritised: string | undefined;
  #turns = 0;

  /** @param rate requests a second; 0: no limit */
  constructor(concurrency: number, rate: number) {
    this.#most = concurrency;
    this.#ceiling = concurrency;
    this.#limit = concurrency;
    this.#spacing = rate === 0 ? 0 : 1000 / rate;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get pace(): Pace {
    return { peak: this.#peak, limit: this.#limit, throttled: this.#throttled, waited: this.#waited };
  }

  /**
   * Waits for several places at once, or for as many as the limit allows.
   * @returns how many places the caller has; it gives each back with `release`
   */
  acquire(name: string, places = 1): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) return reject(this.#stopped);
      const queue = this.#queues.get(name) ?? [];
      queue.push({ places, start: resolve, fail: reject });
      this.#queues.set(name, queue);
      // Wait for all that begin in the same turn of the event loop: those that need several places go first.
      if (this.#inFlight === 0) this.#soon ??= setImmediate(() => this.#advance());
      else this.#advance();
    });
  }

  release(): void {
    this.#inFlight--;
    this.#advance();
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  /** Gives two of three turns to one queue. @param queue undefined: all queues take equal turns again */
  prioritise(queue: string | undefined): void {
    this.#prioritised = queue;
  }

  /** Resolves when nothing is in flight. Call `stop` before. */
  async idle(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  /** Notes a good response. */
  grow(): void {
    this.#good++;
    if (this.#good % PROBE === 0) this.#ceiling = Math.min(this.#most, this.#ceiling + 1);
    if (this.#good % this.#limit === 0 && this.#limit < this.#ceiling) this.#limit++;
  }

  /**
   * Halves the limit, as the target is overloaded.
   * @param sentAt when the failed request was sent (`performance.now()`); requests sent before the limit was last
   * halved do not halve it again
   * @param inFlight how many requests were in flight then; the ceiling falls below that
   */
  halve(sentAt: number, inFlight: number): void {
    this.#good = 0;
    // With so few places, a priority would stop all other queues.
    this.#prioritised = undefined;
    if (sentAt < this.#lastHalved) return;
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, inFlight - 1));
    this.#limit = Math.max(1, Math.min(this.#ceiling, Math.floor(this.#limit / 2)));
    this.#lastHalved = performance.now();
  }

  /** Halves the limit and sends nothing for a while, as the target asked for. */
  throttle(milliseconds: number, sentAt: number, inFlight: number): void {
    this.#throttled++;
    this.halve(sentAt, inFlight);
    const now = performance.now();
    const until = now + milliseconds;
    if (until > this.#pausedUntil) {
      this.#waited += until - Math.max(now, this.#pausedUntil);
      this.#pausedUntil = until;
    }
    this.#advance();
  }

  /** Rejects everything that waits, now and later. */
  stop(reason: Stopped): void {
    this.#stopped ??= reason;
    clearTimeout(this.#timer);
    for (const queue of this.#queues.values()) for (const waiting of queue) waiting.fail(this.#stopped);
    this.#queues.clear();
  }

  #advance(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#soon = undefined;
    for (;;) {
      const next = this.#next();
      if (next === undefined) return;
      const [name, queue] = next;
      const waiting = queue[0]!;
      // With a rate, no two requests leave at the same instant.
      const places = Math.min(waiting.places, this.#spacing > 0 ? 1 : this.#limit);
      if (this.#inFlight + places > this.#limit) return;
      const now = performance.now();
      const startAt = Math.max(this.#pausedUntil, this.#notBefore);
      if (startAt > now) {
        this.#timer = setTimeout(() => this.#advance(), Math.ceil(startAt - now));
        return;
      }
      this.#notBefore = Math.max(this.#notBefore, now) + this.#spacing * places;
      this.#inFlight += places;
      this.#peak = Math.max(this.#peak, this.#inFlight);
      queue.shift();
      // Last in the map: each other queue has its turn first.
      this.#queues.delete(name);
      if (queue.length > 0) this.#queues.set(name, queue);
      this.#turns++;
      waiting.start(places);
    }
  }

  /** The queue whose turn it is; while nothing is in flight, the one that needs the most places. */
  #next(): [name: string, queue: Waiting[]] | undefined {
    if (this.#inFlight > 0) {
      const name = this.#prioritised ?? '';
      const prioritised = this.#turns % 3 === 0 ? undefined : this.#queues.get(name);
      return prioritised ? [name, prioritised] : this.#queues.entries().next().value;
    }
    const queues = [...this.#queues];
    const most = Math.max(...queues.map(([, [first]]) => first!.places));
    return queues.find(([, [first]]) => first!.places === most);
  }
}

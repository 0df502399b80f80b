import type { Stopped } from './exchange.ts';

interface Waiting {
  readonly places: number;
  readonly start: (taken: number) => void;
  readonly fail: (error: Error) => void;
}

/** What the limiter did, for the report. */
export interface Pace {
  /** Most requests that were in flight together. */
  readonly peak: number;
  /** Requests that may be in flight now. */
  readonly limit: number;
  /** Times the target asked for less. */
  readonly throttled: number;
  /** Milliseconds that the run stood still because the target asked for it. */
  readonly waited: number;
}

/** Good answers in a row after which one more than was too much is tried. */
const PROBE = 50;

/**
 * Decides when a request may leave. Experiments wait in queues that take turns, so that each of them
 * gets on even when the target bears little. The number in flight halves when the target throttles
 * and grows again by one with every round of good answers, up to what was too much before; that is
 * tried again only now and then.
 */
export class Limiter {
  readonly #queues = new Map<string, Waiting[]>();
  readonly #most: number;
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
  #favoured: string | undefined;
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
   * Waits for a number of places, taken together. Asked for more than there can be, it gives what there can be.
   * @returns how many places were taken; each is given back with `release`.
   */
  acquire(name: string, places = 1): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#stopped) return reject(this.#stopped);
      const queue = this.#queues.get(name) ?? [];
      queue.push({ places, start: resolve, fail: reject });
      this.#queues.set(name, queue);
      // Who begins together is heard together: those who need several places would wait longest for them later.
      if (this.#inFlight === 0) this.#soon ??= setImmediate(() => this.#advance());
      else this.#advance();
    });
  }

  release(): void {
    this.#inFlight--;
    this.#advance();
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  /** For now, two of three turns are this queue's. @param queue undefined: each has its own again */
  favour(queue: string | undefined): void {
    this.#favoured = queue;
  }

  /** Resolves when nothing is in flight, for whoever has stopped it. */
  async idle(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  /** A good answer: the target bears what it gets. */
  grow(): void {
    this.#good++;
    if (this.#good % PROBE === 0) this.#ceiling = Math.min(this.#most, this.#ceiling + 1);
    if (this.#good % this.#limit === 0 && this.#limit < this.#ceiling) this.#limit++;
  }

  /**
   * The target bears less than it gets.
   * @param sentAt when the request that shows it had left (`performance.now()`): those that left
   * before the last halving say nothing new
   * @param inFlight how many were in flight then: so many are too many for a while
   */
  halve(sentAt: number, inFlight: number): void {
    this.#good = 0;
    // Where little is borne, everybody gets on.
    this.#favoured = undefined;
    if (sentAt < this.#lastHalved) return;
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, inFlight - 1));
    this.#limit = Math.max(1, Math.min(this.#ceiling, Math.floor(this.#limit / 2)));
    this.#lastHalved = performance.now();
  }

  /** The target asked for patience: nothing more leaves for a while, then half as much at a time. */
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

  /** Ends the run's sending: everything that waits, now and later, fails with this. */
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
      // A rate leaves no room for several at the same instant.
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
      this.#queues.delete(name);
      if (queue.length > 0) this.#queues.set(name, queue);
      this.#turns++;
      waiting.start(places);
    }
  }

  /** The queue whose turn it is; where all places are free, one that waits for the most of them. */
  #next(): [name: string, queue: Waiting[]] | undefined {
    if (this.#inFlight > 0) {
      const queue = this.#favoured ?? '';
      const favoured = this.#turns % 3 === 0 ? undefined : this.#queues.get(queue);
      return favoured ? [queue, favoured] : this.#queues.entries().next().value;
    }
    const queues = [...this.#queues];
    const most = Math.max(...queues.map(([, [first]]) => first!.places));
    return queues.find(([, [first]]) => first!.places === most);
  }
}

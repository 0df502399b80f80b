/** The ceiling is raised by one after this many good responses. */
const RESPONSES_PER_RAISE = 50;
/** The ceiling is also raised after this many milliseconds: fifty slow responses would take too long. */
const TIME_PER_RAISE = 2000;

/** This many overloads in this many responses mean that requests are sent too fast, not only too many at once. */
const OVERLOAD_WINDOW = 10;
const MAX_OVERLOADS = 3;
/** Maximum number of requests in flight for which that holds. */
const LOW_LIMIT = 2;
/** Milliseconds between requests when the pace is first slowed. */
const FIRST_SPACING = 20;
const SPACING_INCREASE = 1.5;
/** Factor by which each good response shortens the spacing. */
const SPACING_DECAY = 0.99;
/** Milliseconds of spacing below which there is none. */
const MIN_SPACING = 2;

/**
 * How many requests may be in flight, and how far apart. The limit halves when the target is overloaded. It grows by one
 * with every round of good responses, up to a ceiling just below the number that overloaded the target; the ceiling
 * itself is raised only slowly. If even a few requests in flight overload the target, requests are spaced, and each good
 * response shortens the spacing.
 */
export class Congestion {
  readonly #concurrency: number;
  readonly #maxSpacing: number;
  #ceiling: number;
  #limit: number;
  /** Milliseconds between requests that do not overload the target; 0: no spacing was needed. */
  #spacing = 0;
  /** Whether each of the last responses was an overload. */
  #watched: boolean[] = [];
  #good = 0;
  /** Good responses since the ceiling was last changed, and when that was. */
  #sinceRaise = 0;
  #raisedAt = 0;
  #lastHalved = 0;
  /** Whether the target is known to serve few connections at a time; more are not tried. */
  #isBounded = false;

  /** @param maxSpacing the longest spacing in milliseconds, however overloaded the target is */
  constructor(concurrency: number, maxSpacing: number) {
    this.#concurrency = concurrency;
    this.#maxSpacing = maxSpacing;
    this.#ceiling = concurrency;
    this.#limit = concurrency;
  }

  /** Requests that may be in flight now. */
  get limit(): number {
    return this.#limit;
  }

  /** Milliseconds between requests. */
  get spacing(): number {
    return this.#spacing;
  }

  /** Notes a good response. */
  grow(): void {
    this.#watch(false);
    this.#spacing *= SPACING_DECAY;
    if (this.#spacing < MIN_SPACING) this.#spacing = 0;
    this.#good++;
    this.#sinceRaise++;
    const isRaised =
      this.#sinceRaise >= RESPONSES_PER_RAISE || performance.now() - this.#raisedAt >= TIME_PER_RAISE;
    if (isRaised && !this.#isBounded) {
      this.#ceiling = Math.min(this.#concurrency, this.#ceiling + 1);
      this.#noteRaise(performance.now());
    }
    if (this.#good % this.#limit === 0 && this.#limit < this.#ceiling) this.#limit++;
  }

  /**
   * Halves the limit, as the target is overloaded.
   * @param sentAt when the failed request was sent (`performance.now()`); requests sent before the limit was last
   * halved do not halve it again
   * @param inFlight how many requests were in flight then; the ceiling falls below that
   * @param until when requests are sent again
   */
  halve(sentAt: number, inFlight: number, until = performance.now()): void {
    this.#good = 0;
    this.#noteRaise(until);
    if (sentAt < this.#lastHalved) return;
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, inFlight - 1));
    this.#limit = Math.max(1, Math.min(this.#ceiling, Math.floor(this.#limit / 2)));
    this.#lastHalved = performance.now();
  }

  /** Halves the limit, and spaces requests if it is low already and the target is still overloaded. */
  overload(sentAt: number, inFlight: number, until?: number): void {
    const isFew = this.#limit <= LOW_LIMIT;
    this.halve(sentAt, inFlight, until);
    this.#watch(true);
    if (!isFew || this.#watched.filter(Boolean).length < MAX_OVERLOADS) return;
    this.#watched = [];
    this.#spacing = Math.min(this.#maxSpacing, Math.max(FIRST_SPACING, this.#spacing * SPACING_INCREASE));
  }

  /** Keeps to fewer requests in flight from now on, as the target serves no more connections at a time. */
  bound(connections: number): void {
    this.#isBounded = true;
    this.#limit = Math.max(1, Math.min(this.#limit, connections));
    this.#ceiling = this.#limit;
  }

  /** Removes the spacing, as requests did not fail because of the pace. */
  clearSpacing(): void {
    this.#watched = [];
    this.#spacing = 0;
  }

  /** Starts over after an outage, whose failures did not depend on the pace. */
  recover(): void {
    this.clearSpacing();
    this.#isBounded = false;
    this.#ceiling = this.#concurrency;
    this.#limit = Math.max(this.#limit, Math.ceil(this.#concurrency / 2));
  }

  #noteRaise(at: number): void {
    this.#sinceRaise = 0;
    this.#raisedAt = at;
  }

  #watch(isOverload: boolean): void {
    this.#watched.push(isOverload);
    if (this.#watched.length > OVERLOAD_WINDOW) this.#watched.shift();
  }
}

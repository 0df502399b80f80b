import { setTimeout as delay } from 'node:timers/promises';
import { NoReply, Stopped } from './exchange.ts';
import type { Exchange, Request, StopCause, Trouble } from './exchange.ts';
import { Limiter } from './limiter.ts';
import type { Pace } from './limiter.ts';
import { createRedactor } from './redactor.ts';
import type { Redactor } from './redactor.ts';
import { LONG_WAIT, isAnswer, isGatewayFailure, patience } from './patience.ts';
import type { Expectation } from './patience.ts';
import { Gate } from './gate.ts';
import { openNode } from './node-channel.ts';
import { openUndici } from './undici-channel.ts';
import type { Attempt, Channel, Open } from './channel.ts';

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
  /** Requests of one lane wait for each other; lanes take turns. */
  readonly lane: string;
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
}

/** Counters of a run, for the report. */
export interface Traffic extends Pace {
  readonly requests: number;
  readonly retries: number;
  /** Why sending ended early; undefined when it did not. */
  readonly stopped: string | undefined;
  readonly stopCause: StopCause | undefined;
}

const MOST_TRIES: Readonly<Record<Trouble['kind'], number>> = {
  refused: 5,
  reset: 5,
  protocol: 2,
  misread: 4,
  timeout: 2,
  throttled: 12,
};
const MOST_LOST_IN_A_ROW = 8;
/** Milliseconds for which a target that has answered before may be away, as when it is deployed anew. */
const OUTAGE = 10_000;
const OUTAGE_LOOK = 500;
const GRACE = 500;

/** The only module that talks to the target: paced, bounded, and recording what was exchanged. */
export class Target {
  readonly redactor: Redactor;
  readonly baseUrl: string;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #limits: Limits;
  readonly #limiter: Limiter;
  #open: Open = openUndici;
  #shared: Channel;
  readonly #startedAt = performance.now();
  readonly #budget: NodeJS.Timeout;
  readonly #hooks: Hooks;
  readonly #halt = new AbortController();
  #requests = 0;
  #retries = 0;
  #replies = 0;
  #lastReplyAt = 0;
  #outage: Promise<Outage> | undefined;
  #lostInARow = 0;
  #stopped: Stopped | undefined;

  /** @param baseUrl origin and path without a closing slash */
  constructor(baseUrl: string, limits: Limits, hooks: Hooks = {}, redactor: Redactor = createRedactor()) {
    this.#hooks = hooks;
    this.redactor = redactor;
    const url = new URL(baseUrl);
    this.baseUrl = baseUrl;
    this.#origin = url.origin;
    this.#prefix = url.pathname.replace(/\/+$/, '');
    this.#limits = limits;
    this.#limiter = new Limiter(limits.concurrency, limits.rate);
    this.#shared = this.#openChannel(limits.concurrency);
    this.#budget = setTimeout(
      () => this.stop(`the time budget of ${limits.timeBudget} s was spent`, 'budget'),
      limits.timeBudget * 1000,
    );
  }

  get traffic(): Traffic {
    return {
      ...this.#limiter.pace,
      requests: this.#requests,
      retries: this.#retries,
      stopped: this.#stopped?.message,
      stopCause: this.#stopped?.why,
    };
  }

  /** Ends all sending; what is in flight is still awaited. */
  stop(reason: string, cause: StopCause): void {
    if (this.#stopped === undefined && cause === 'away') this.#hooks.onAway?.(reason);
    this.#stopped ??= new Stopped(reason, cause);
    this.#limiter.stop(this.#stopped);
    this.#halt.abort();
  }

  /** Waits, but no longer than anything is sent at all. */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#halt.signal }).catch(() => {});
  }

  /** Milliseconds since the start of the run, as in every exchange. */
  get now(): number {
    return performance.now() - this.#startedAt;
  }

  /** Milliseconds of the time budget that are left. */
  get left(): number {
    return this.#limits.timeBudget * 1000 - this.now;
  }

  async close(): Promise<void> {
    clearTimeout(this.#budget);
    await this.#shared.close();
  }

  /**
   * Sends a request until a complete response is there that is not a plea for patience.
   * @throws {NoReply} when none came within the tries allowed
   * @throws {Stopped} when the run may not send any more
   */
  async send(sendable: Sendable, options: SendOptions): Promise<Exchange> {
    return this.#finish(sendable, options, []);
  }

  /**
   * Sends several requests so that they are complete at the target at the same instant: as many
   * together as the target bears.
   */
  async together(sendables: readonly Sendable[], lane: string): Promise<(Exchange | NoReply | Stopped)[]> {
    const results: (Exchange | NoReply | Stopped)[] = [];
    while (results.length < sendables.length) {
      let taken: number;
      try {
        taken = await this.#limiter.acquire(lane, sendables.length - results.length);
      } catch (error) {
        return [...results, error as Stopped];
      }
      const group = sendables.slice(results.length, results.length + taken);
      const gate = new Gate(group.length);
      results.push(...(await Promise.all(group.map((sendable) => this.#throughGate(sendable, lane, gate)))));
    }
    return results;
  }

  /** Lends a connection of its own. */
  async withConnection<T>(use: (connection: Channel) => Promise<T>): Promise<T> {
    const connection = this.#openChannel(1);
    try {
      return await use(connection);
    } finally {
      await connection.close();
    }
  }

  #openChannel(connections: number): Channel {
    return this.#open(this.#origin, connections, this.#limits.timeout * 1000);
  }

  /** From now on another client reads the responses; the connections of the first one are let go. */
  #readOtherwise(): void {
    if (this.#open === openNode) return;
    this.#open = openNode;
    const former = this.#shared;
    this.#shared = this.#openChannel(this.#limits.concurrency);
    void former.close();
  }

  async #throughGate(sendable: Sendable, lane: string, gate: Gate): Promise<Exchange | NoReply | Stopped> {
    const request = make(sendable, 0);
    const troubles: Trouble[] = [];
    try {
      const outcome = await this.#try(request, this.#shared, gate).finally(() => gate.arrive());
      const exchange = this.#settle(request, outcome, troubles, { lane });
      return exchange ?? (await this.#finish(sendable, { lane }, troubles));
    } catch (error) {
      if (error instanceof NoReply || error instanceof Stopped) return error;
      throw error;
    }
  }

  async #finish(sendable: Sendable, options: SendOptions, troubles: Trouble[]): Promise<Exchange> {
    const startedAt = performance.now();
    let wasAway = false;
    for (;;) {
      const request = make(sendable, troubles.length);
      const last = troubles.at(-1);
      if (last) {
        this.#retries++;
        const alike = troubles.filter(({ kind }) => kind === last.kind).length;
        const most = last.wait === undefined ? MOST_TRIES[last.kind] : Infinity;
        if (alike >= most) {
          if (wasAway || (await this.#outageSince(startedAt, request, last)) !== 'over') {
            throw await this.#lost(request, troubles);
          }
          wasAway = true;
          troubles.length = 0;
          continue;
        }
        const wait = last.kind === 'reset' || last.kind === 'refused' ? 50 * 2 ** alike : (last.wait ?? 0);
        await this.wait(wait);
      }
      await this.#limiter.acquire(options.lane);
      // Again on a fresh connection; then, as a target may have no place for one more, on a shared one.
      const outcome = await (troubles.length % 2 === 1 && !options.connection
        ? this.withConnection((connection) => this.#try(request, connection))
        : this.#try(request, options.connection ?? this.#shared));
      const exchange = this.#settle(request, outcome, troubles, options);
      if (exchange) return exchange;
    }
  }

  /** One try of one request; its place is given back when it is over. */
  async #try(request: Request, channel: Channel, gate?: Gate): Promise<Attempt & { inFlight: number }> {
    try {
      if (this.#requests >= this.#limits.maxRequests) {
        this.stop(`the budget of ${this.#limits.maxRequests} requests was spent`, 'budget');
      }
      if (this.#stopped) throw this.#stopped;
      this.#requests++;
      this.#hooks.onProgress?.(this.#requests);
      const timeout = Math.min(this.#limits.timeout * 1000, this.left + GRACE);
      const outcome = await channel.attempt(request, this.#prefix + request.path, timeout, gate);
      return { ...outcome, inFlight: this.#limiter.inFlight };
    } finally {
      this.#limiter.release();
    }
  }

  /** Turns a try into an exchange, or notes the trouble and returns nothing. */
  #settle(
    request: Request,
    outcome: Attempt & { inFlight: number },
    troubles: Trouble[],
    { expect }: Omit<SendOptions, 'connection'>,
  ): Exchange | undefined {
    if ('trouble' in outcome) {
      troubles.push(outcome.trouble);
      if (outcome.trouble.kind === 'misread') this.#readOtherwise();
      // Connections that are turned away or broken off may be too many at a time.
      else if (outcome.trouble.kind !== 'timeout') this.#limiter.halve(outcome.sentAt, outcome.inFlight);
      return undefined;
    }
    const { reply, sentAt, firstByte, duration, inFlight } = outcome;
    const tries = troubles.filter(({ kind }) => kind === 'throttled').length;
    const wait = patience(reply, tries);
    if (wait !== undefined && !isAnswer(wait, tries, wait > this.left, expect)) {
      const detail = `status ${reply.status}, asked to wait ${Math.ceil(wait / 1000)} s`;
      // A gateway that fails without a word says nothing about the requests of others.
      const waitsAlone = isGatewayFailure(reply) || (expect === 'patient refusal' && wait > LONG_WAIT);
      if (isGatewayFailure(reply)) this.#limiter.halve(sentAt, inFlight);
      troubles.push({ kind: 'throttled', detail, ...(waitsAlone && { wait }) });
      if (wait > this.left)
        this.stop(`the target answered ${detail}, longer than the time budget has left`, 'budget');
      else if (!waitsAlone) this.#limiter.throttle(wait, sentAt, inFlight);
      return undefined;
    }
    this.#lostInARow = 0;
    this.#lastReplyAt = performance.now();
    this.#limiter.grow();
    const exchange: Exchange = {
      number: ++this.#replies,
      request,
      url: this.baseUrl + request.path,
      reply,
      troubles: [...troubles],
      startedAt: sentAt - this.#startedAt,
      firstByte,
      duration,
      inFlight,
    };
    this.#hooks.onReply?.(exchange);
    return exchange;
  }

  /**
   * Whether a request that was given up met a target that was away: one that answers others, or a plain
   * request, has nothing against us, but something against this request.
   */
  async #outageSince(time: number, request: Request, last: Trouble): Promise<Outage> {
    const isConnection = last.kind === 'refused' || last.kind === 'reset';
    if (!isConnection || this.#replies === 0 || this.#lastReplyAt > time) return 'none';
    const outage = (this.#outage ??= this.#waitOut(request).finally(() => (this.#outage = undefined)));
    return outage;
  }

  /** Looks whether the target is there, until it is or has been away for too long. */
  async #waitOut(request: Request): Promise<Outage> {
    const startedAt = performance.now();
    for (let isFirst = true; performance.now() - startedAt < OUTAGE; isFirst = false) {
      if (!('trouble' in (await this.#probe(request)))) return isFirst ? 'none' : 'over';
      await this.wait(OUTAGE_LOOK);
      if (this.#stopped) throw this.#stopped;
    }
    return 'none';
  }

  /** Asks for the path of a request, without what it carries. */
  async #probe({ path, fields, credential }: Request): Promise<Attempt> {
    const probe: Request = {
      method: 'GET',
      path: path.replace(/\?.*/, ''),
      fields,
      credential,
      body: undefined,
    };
    await this.#limiter.acquire('probe');
    return this.withConnection((connection) => this.#try(probe, connection));
  }

  /** Gives a request up. Many in a row may be the fault of what they carry: a plain one tells. */
  async #lost(request: Request, troubles: readonly Trouble[]): Promise<NoReply> {
    this.#lostInARow++;
    if (this.#lostInARow % MOST_LOST_IN_A_ROW === 0 && !this.#stopped) {
      const outcome = await this.#probe(request);
      if ('trouble' in outcome) this.stop(`the target stopped answering: ${troubles.at(-1)!.detail}`, 'away');
    }
    return new NoReply(request, troubles);
  }
}

/** Whether a target was away: not at all, or for a while. */
type Outage = 'none' | 'over';

const make = (sendable: Sendable, tries: number): Request =>
  typeof sendable === 'function' ? sendable(tries) : sendable;

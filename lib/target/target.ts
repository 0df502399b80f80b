import { setTimeout as delay } from 'node:timers/promises';
import type { Attempt, Channel, Open } from './channel.ts';
import { NoReply, Stopped } from './exchange.ts';
import type { Exchange, Request, StopCause, Trouble } from './exchange.ts';
import { Gate } from './gate.ts';
import { createStopwatch } from './latency.ts';
import type { Stopwatch } from './latency.ts';
import { Limiter } from './limiter.ts';
import { openNode } from './node-channel.ts';
import { LONG_WAIT, REQUEST_TIMEOUT, isAnswer, isGatewayFailure, patience } from './patience.ts';
import { Presence } from './presence.ts';
import { createRedactor } from './redactor.ts';
import type { Redactor } from './redactor.ts';
import { isGivenUp, isOfConnection, pauseAfter } from './retries.ts';
import type { Hooks, Limits, SendOptions, Sendable, Traffic } from './sending.ts';
import { openUndici } from './undici-channel.ts';

/** Milliseconds beyond the time budget, or the end of a run, for which a response is still awaited. */
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
  #former: Channel | undefined;
  readonly #startedAt = performance.now();
  readonly #openedAt = Date.now();
  readonly #budget: NodeJS.Timeout;
  readonly #hooks: Hooks;
  readonly #stopwatch: Stopwatch;
  readonly #halt = new AbortController();
  #requests = 0;
  #retries = 0;
  #replies = 0;
  readonly #presence = new Presence({
    isAnswered: async (request) => !('trouble' in (await this.#probe(request))),
    wait: async (milliseconds) => {
      await this.wait(milliseconds);
      if (this.#stopped) throw this.#stopped;
    },
  });
  #stopped: Stopped | undefined;

  /** @param baseUrl origin and path without a closing slash */
  constructor(baseUrl: string, limits: Limits, hooks: Hooks = {}, redactor: Redactor = createRedactor()) {
    this.#hooks = hooks;
    this.#stopwatch = createStopwatch(hooks.operationOf ?? (() => undefined));
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
      openedAt: this.#openedAt,
      requests: this.#requests,
      retries: this.#retries,
      stopped: this.#stopped?.message,
      stopCause: this.#stopped?.why,
      latency: this.#stopwatch.latencies(),
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

  /** Nothing leaves any more; what nobody waits for is awaited for a moment, so that the traffic is final. */
  async close(): Promise<void> {
    clearTimeout(this.#budget);
    this.#limiter.stop(new Stopped('the run is over', 'budget'));
    this.#halt.abort();
    await Promise.race([this.#limiter.idle(), delay(GRACE, undefined, { ref: false })]);
    await this.#former?.close();
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
  async together(sendables: readonly Sendable[], queue: string): Promise<(Exchange | NoReply | Stopped)[]> {
    const results: (Exchange | NoReply | Stopped)[] = [];
    while (results.length < sendables.length) {
      let taken: number;
      try {
        taken = await this.#limiter.acquire(queue, sendables.length - results.length);
      } catch (error) {
        return [...results, error as Stopped];
      }
      const group = sendables.slice(results.length, results.length + taken);
      const gate = new Gate(group.length);
      results.push(...(await Promise.all(group.map((sendable) => this.#throughGate(sendable, queue, gate)))));
    }
    return results;
  }

  /**
   * For now, two of three requests are this queue's, as others wait for what comes of it.
   * @param queue undefined: each queue has its turn again
   */
  favour(queue: string | undefined): void {
    this.#limiter.favour(queue);
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

  /** From now on another client reads the responses; what the first one has begun it ends. */
  #readOtherwise(): void {
    if (this.#open === openNode) return;
    this.#open = openNode;
    this.#former = this.#shared;
    this.#shared = this.#openChannel(this.#limits.concurrency);
    this.#former.retire?.();
  }

  async #throughGate(sendable: Sendable, queue: string, gate: Gate): Promise<Exchange | NoReply | Stopped> {
    const request = make(sendable, 0);
    const troubles: Trouble[] = [];
    try {
      const outcome = await this.#try(request, this.#shared, gate).finally(() => gate.arrive());
      const exchange = this.#settle(request, outcome, troubles, { queue });
      return exchange ?? (await this.#finish(sendable, { queue }, troubles));
    } catch (error) {
      if (error instanceof NoReply || error instanceof Stopped) return error;
      throw error;
    }
  }

  async #finish(sendable: Sendable, options: SendOptions, troubles: Trouble[]): Promise<Exchange> {
    let troubledSince = performance.now();
    let wasAway = false;
    // Not the troubles so far: an outage ends those, and the request must still not be the same again.
    for (let tries = troubles.length; ; tries++) {
      const request = make(sendable, tries);
      if (isGivenUp(troubles)) {
        wasAway = !wasAway && (await this.#presence.metOutage(troubledSince, request, troubles.at(-1)!));
        if (!wasAway) throw await this.#lost(request, troubles);
        troubles.length = 0;
      }
      const pause = pauseAfter(troubles);
      if (pause > 0) await this.wait(pause);
      await this.#limiter.acquire(options.queue);
      if (tries > 0) this.#retries++;
      // Again on a fresh connection; then, as a target may have no place for one more, on a shared one.
      const outcome = await (troubles.length % 2 === 1 && !options.connection
        ? this.withConnection((connection) => this.#try(request, connection))
        : this.#try(request, options.connection ?? this.#shared));
      const exchange = this.#settle(request, outcome, troubles, options);
      if (troubles.filter(isOfConnection).length === 1) troubledSince = performance.now();
      if (exchange === undefined) continue;
      // Not those that go through a gate, which wait for each other.
      this.#stopwatch.note(exchange);
      return exchange;
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
    { queue, expect }: Omit<SendOptions, 'connection'>,
  ): Exchange | undefined {
    if ('trouble' in outcome) {
      troubles.push(outcome.trouble);
      if (outcome.trouble.kind === 'misread') this.#readOtherwise();
      // Connections that are turned away or broken off may be too many at a time.
      else if (outcome.trouble.kind !== 'timeout' && !outcome.isStale)
        this.#limiter.halve(outcome.sentAt, outcome.inFlight);
      return undefined;
    }
    const { reply, sentAt, firstByte, duration, inFlight } = outcome;
    const tries = troubles.filter(({ kind }) => kind === 'throttled').length;
    const wait = patience(reply, tries);
    if (wait !== undefined && !isAnswer(wait, tries, wait > this.left, expect)) {
      const detail = `status ${reply.status}, asked to wait ${Math.ceil(wait / 1000)} s`;
      // A gateway that fails without a word says nothing about the requests of others, an idle connection's end neither.
      const waitsAlone =
        isGatewayFailure(reply) ||
        reply.status === REQUEST_TIMEOUT ||
        (expect === 'patient refusal' && wait > LONG_WAIT);
      if (isGatewayFailure(reply)) this.#limiter.halve(sentAt, inFlight);
      troubles.push({ kind: 'throttled', detail, ...(waitsAlone && { wait }) });
      if (wait > this.left)
        this.stop(`the target answered ${detail}, longer than the time budget has left`, 'budget');
      else if (!waitsAlone) this.#limiter.throttle(wait, sentAt, inFlight);
      return undefined;
    }
    this.#presence.answered();
    this.#limiter.grow();
    const exchange: Exchange = {
      number: ++this.#replies,
      queue,
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
    if ((await this.#presence.isAwayAfter(request)) && !this.#stopped) {
      const { kind, detail } = troubles.at(-1)!;
      const what = kind === 'protocol' ? 'sends what can not be read' : 'stopped answering';
      this.stop(`the target ${what}: ${detail}`, 'away');
    }
    return new NoReply(request, troubles);
  }
}

const make = (sendable: Sendable, tries: number): Request =>
  typeof sendable === 'function' ? sendable(tries) : sendable;

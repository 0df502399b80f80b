import { createBarriers } from './connections/barrier.ts';
import type { Barrier } from './connections/barrier.ts';
import type { Endpoint } from './connections/dial.ts';
import { NoReply, Stopped } from './exchange.ts';
import type { Trouble } from '../schemas/exchange.ts';
import type { Exchange } from './exchange.ts';
import { createStopwatch } from './pace/latency.ts';
import type { Stopwatch } from './pace/latency.ts';
import { isClientError } from './reply.ts';
import { createRedactor } from './output/redactor.ts';
import type { Redactor } from './output/redactor.ts';
import { Retries } from './retries/retries.ts';
import { pendingRequest, requestOf } from './retries/retry-policy.ts';
import type { PendingRequest, SendOptions, Sendable } from './retries/retry-policy.ts';
import { Sender } from './sender.ts';
import type { Hooks, Limits, Traffic, SentAttempt, SentReply } from './sender.ts';

/** The client of one target: sends requests within limits, retries, and records exchanges. */
export class Target extends Sender {
  readonly redactor: Redactor;
  readonly #retries: Retries;
  readonly #stopwatch: Stopwatch;
  readonly #repeatedAfter: number[] = [];
  #lastTrouble: Trouble | undefined;
  /** The number of the last exchange. */
  #exchanges = 0;

  constructor(endpoint: Endpoint, limits: Limits, hooks: Hooks = {}, redactor: Redactor = createRedactor()) {
    super(endpoint, limits, hooks);
    this.redactor = redactor;
    this.#retries = new Retries(this, limits.timeout * 1000, redactor);
    this.#stopwatch = createStopwatch(hooks.operationOf ?? (() => undefined));
  }

  get traffic(): Traffic {
    return { ...this.counters, latency: this.#stopwatch.latencies() };
  }

  /** The statuses of final responses after which the caller sends a request once more; such a repetition is a retry, too. */
  get repeatedAfter(): readonly number[] {
    return this.#repeatedAfter;
  }

  /** What prevented a final response most recently; undefined: nothing yet. */
  get lastTrouble(): Trouble | undefined {
    return this.#lastTrouble;
  }

  /** Notes that a request is sent once more in spite of its final response, such as a 404 during a deployment. */
  noteRepeated({ reply }: Pick<Exchange, 'reply'>): void {
    this.retried++;
    this.#repeatedAfter.push(reply.status);
  }

  /** See `Retries`. */
  get throttlingFields(): readonly string[] | undefined {
    return this.#retries.throttlingFields;
  }

  /**
   * Sends a request until a final response arrives; retries lost connections, rate limits, 408 and failures of gateways.
   * @throws {NoReply} when none arrived within the attempts allowed
   * @throws {Stopped} when the run may not send any more
   */
  async send(sendable: Sendable, options: SendOptions): Promise<Exchange> {
    return this.#sendUntilFinal(pendingRequest(sendable, options));
  }

  /**
   * Sends several requests so that the target receives the last byte of each at the same instant: as many at once as
   * the limits allow.
   */
  async together(sendables: readonly Sendable[], queue: string): Promise<(Exchange | NoReply | Stopped)[]> {
    const results: (Exchange | NoReply | Stopped)[] = [];
    while (results.length < sendables.length) {
      let count: number;
      try {
        count = await this.limiter.acquire(queue, sendables.length - results.length);
      } catch (error) {
        return [...results, error as Stopped];
      }
      const group = sendables.slice(results.length, results.length + count);
      const barriers = createBarriers(group.length);
      results.push(
        ...(await Promise.all(
          group.map((sendable, at) =>
            this.#throughBarrier(pendingRequest(sendable, { queue }), barriers[at]!),
          ),
        )),
      );
    }
    return results;
  }

  async #throughBarrier(pending: PendingRequest, barrier: Barrier): Promise<Exchange | NoReply | Stopped> {
    try {
      const attempt = await this.attempt(pending.request, this.connections.shared(), barrier).finally(() =>
        barrier.arrive(),
      );
      const exchange = await this.#exchangeIfFinal(pending, attempt);
      return exchange ?? (await this.#sendUntilFinal(pending));
    } catch (error) {
      if (error instanceof NoReply || error instanceof Stopped) return error;
      throw error;
    }
  }

  async #sendUntilFinal(pending: PendingRequest): Promise<Exchange> {
    for (;;) {
      await this.#retries.waitForTurn(pending);
      if (pending.attempts > 0) {
        pending.request = requestOf(pending.sendable, pending.attempts);
        this.retried++;
      }
      const exchange = await this.#exchangeIfFinal(pending, await this.#attempt(pending));
      if (exchange === undefined) continue;
      // Requests through a barrier are not timed: they wait for each other.
      this.#stopwatch.note(exchange);
      return exchange;
    }
  }

  #attempt({ request, troubles, next, options: { connection } }: PendingRequest): Promise<SentAttempt> {
    const { connections, congestion } = this;
    // The first retry uses a new connection, the second a shared one, as the target may not accept another. One that
    // hung may have waited for its turn among the connections: a shared one is served already. Where few are served, it
    // would wait for one, and keep the others from leaving.
    const isNew =
      troubles.length % 2 === 1 &&
      troubles.at(-1)!.kind !== 'timeout' &&
      congestion.limit > 1 &&
      !connections.areFew();
    const isAlone = 'quiet' in next;
    return isNew && !isAlone && connection === undefined
      ? connections.withDedicated((own) => this.attempt(request, own))
      : this.attempt(request, connection ?? connections.shared());
  }

  /** Notes an attempt. @returns its exchange; undefined: the request is retried. @throws {NoReply} */
  async #exchangeIfFinal(pending: PendingRequest, attempt: SentAttempt): Promise<Exchange | undefined> {
    const step = await this.#retries.after(pending, attempt);
    this.#lastTrouble = pending.troubles.at(-1) ?? this.#lastTrouble;
    if (step === 'given up') {
      const incomplete = 'incomplete' in attempt && attempt.incomplete;
      // The rest of the response may carry what must be rejected, unless its status rejects the request.
      const isTelling = incomplete && (!pending.options.mayBeRejected || isClientError(incomplete.reply));
      if (isTelling && this.#retries.isAlwaysIncomplete(pending))
        return this.#noted(pending, { ...incomplete, inFlight: attempt.inFlight });
      const after = this.#exchanges;
      const part = 'part' in attempt && attempt.part;
      const begun = part ? this.#exchangeOf(pending, { ...part, inFlight: attempt.inFlight }) : undefined;
      throw new NoReply(pending.request, pending.troubles, begun, after);
    }
    return step === 'again' || !('reply' in attempt) ? undefined : this.#noted(pending, attempt);
  }

  #noted(pending: PendingRequest, reply: SentReply): Exchange {
    const exchange = this.#exchangeOf(pending, reply);
    this.hooks.onReply?.(exchange);
    return exchange;
  }

  #exchangeOf(
    { request, troubles, options: { queue } }: PendingRequest,
    { reply, sentAt, firstByte, duration, inFlight }: SentReply,
  ): Exchange {
    return {
      number: ++this.#exchanges,
      queue,
      request,
      url: this.endpoint.baseUrl + request.path,
      route: this.endpoint.route,
      reply,
      troubles: [...troubles],
      startedAt: sentAt - this.startedAt,
      firstByte,
      duration,
      answeredAt: Date.now(),
      inFlight,
    };
  }
}

import { createBarrier } from './connections/barrier.ts';
import type { Barrier } from './connections/barrier.ts';
import type { DedicatedConnection } from './connections/connections.ts';
import type { Endpoint } from './connections/dial.ts';
import { NoReply, Stopped, isClosed } from './exchange.ts';
import type { Exchange, Request, Trouble } from './exchange.ts';
import { createStopwatch } from './pace/latency.ts';
import type { Stopwatch } from './pace/latency.ts';
import { BETWEEN_PROBES, detectOutages } from './pace/outage.ts';
import { detectQueueing } from './pace/queueing.ts';
import { createRedactor } from './output/redactor.ts';
import type { Redactor } from './output/redactor.ts';
import type { Reply } from './reply.ts';
import {
  createAloneRetries,
  isGatewayFailure,
  isGivenUp,
  isOfConnection,
  isThrottling,
  pauseAfter,
  retryOf,
} from './pace/retry-policy.ts';
import type { Throttling } from './pace/retry-policy.ts';
import { Sender } from './sending.ts';
import type { TriedReply, Hooks, Limits, Traffic, Tried } from './sending.ts';

/**
 * A request, or a function that makes a new one for each try: the target may have carried out a request whose
 * connection broke, and a retry must not look like a duplicate.
 */
type Sendable = Request | ((tries: number) => Request);

/** How one request is sent. */
export interface SendOptions {
  /** Queues take turns; requests of one queue wait for each other. */
  readonly queue: string;
  readonly throttling?: Throttling;
  /** Whether nothing else is in flight meanwhile. */
  readonly isAlone?: boolean;
  /** Whether it is likely to be rejected, as with a wrong key: a closed connection or a 502 to 504 may then be the answer. */
  readonly isInvalid?: boolean;
  /** A connection to use in place of the shared ones. */
  readonly connection?: DedicatedConnection | undefined;
}

interface Tries {
  /** Since the last outage. */
  readonly troubles: Trouble[];
  count: number;
  /** When the first of these was met (`performance.now()`). */
  since: number;
  /** How often a gateway failed it. */
  gatewayFailures: number;
  /** Milliseconds of quiet before the next try; undefined: it is sent among others. */
  quiet: number | undefined;
  hasBeenAlone: boolean;
  wasAway: boolean;
  /** The beginning of the last response that was too long. */
  part: (TriedReply & { readonly request: Request }) | undefined;
}

const newTries = (): Tries => ({
  troubles: [],
  count: 0,
  since: 0,
  gatewayFailures: 0,
  quiet: undefined,
  hasBeenAlone: false,
  wasAway: false,
  part: undefined,
});

/** The client of one target: sends requests within limits, retries, and records exchanges. */
export class Target extends Sender {
  readonly redactor: Redactor;
  readonly #stopwatch: Stopwatch;
  readonly #isQueued: (path: string, duration: number) => boolean;
  /** Requests in flight that the settings allow. */
  readonly #most: number;
  #retries = 0;
  #throttlingFields: readonly string[] | undefined;
  /** The ways in which the target was seen to reject invalid requests: by closing the connection, or with a status. */
  readonly #rejections = new Set<'closed' | number>();
  #lastAnswered: Request | undefined;
  readonly #aloneRetries = createAloneRetries();
  readonly #outages = detectOutages(
    async (request) => {
      // The same credential may be why nothing is answered.
      const { credential, fields } = this.#lastAnswered ?? request;
      const probed = await this.probe({ ...request, credential, fields });
      return 'reply' in probed && !isGatewayFailure(probed.reply);
    },
    async (milliseconds) => {
      await this.wait(milliseconds);
      if (this.stopped) throw this.stopped;
    },
    () => {
      this.limiter.recover();
      this.connections.renew(this.#most);
    },
  );

  constructor(endpoint: Endpoint, limits: Limits, hooks: Hooks = {}, redactor: Redactor = createRedactor()) {
    super(endpoint, limits, hooks);
    this.redactor = redactor;
    this.#most = limits.concurrency;
    this.#stopwatch = createStopwatch(hooks.operationOf ?? (() => undefined));
    this.#isQueued = detectQueueing(limits.timeout * 1000);
  }

  get traffic(): Traffic {
    return {
      ...this.counters,
      retries: this.#retries,
      latency: this.#stopwatch.latencies(),
    };
  }

  /**
   * Names of the headers that all responses with 429, or 502 to 504 and Retry-After, have; undefined: there was none.
   * Most are retried, and so in no exchange.
   */
  get throttlingFields(): readonly string[] | undefined {
    return this.#throttlingFields;
  }

  /**
   * Sends a request until a final response arrives; retries lost connections, 429 and 502 to 504.
   * @throws {NoReply} when none arrived within the tries allowed
   * @throws {Stopped} when the run may not send any more
   */
  async send(sendable: Sendable, options: SendOptions): Promise<Exchange> {
    return this.#sendUntilFinal(sendable, options, newTries());
  }

  /**
   * Sends several requests so that the target receives the last byte of each at the same instant: as many at once as
   * the limits allow.
   */
  async together(sendables: readonly Sendable[], queue: string): Promise<(Exchange | NoReply | Stopped)[]> {
    const results: (Exchange | NoReply | Stopped)[] = [];
    while (results.length < sendables.length) {
      let places: number;
      try {
        places = await this.limiter.acquire(queue, sendables.length - results.length);
      } catch (error) {
        return [...results, error as Stopped];
      }
      const group = sendables.slice(results.length, results.length + places);
      const barrier = createBarrier(group.length);
      results.push(
        ...(await Promise.all(group.map((sendable) => this.#throughBarrier(sendable, queue, barrier)))),
      );
    }
    return results;
  }

  /** Opens a connection of its own for as long as it is used. */
  withDedicated<T>(use: (connection: DedicatedConnection) => Promise<T>): Promise<T> {
    return this.connections.withDedicated(use);
  }

  async #throughBarrier(
    sendable: Sendable,
    queue: string,
    barrier: Barrier,
  ): Promise<Exchange | NoReply | Stopped> {
    const request = make(sendable, 0);
    const tries = newTries();
    try {
      const tried = await this.try(request, this.connections.shared(), barrier).finally(() =>
        barrier.arrive(),
      );
      const exchange = await this.#settle(request, tried, tries, { queue });
      return exchange ?? (await this.#sendUntilFinal(sendable, { queue }, tries));
    } catch (error) {
      if (error instanceof NoReply || error instanceof Stopped) return error;
      throw error;
    }
  }

  /** @param tries those so far */
  async #sendUntilFinal(sendable: Sendable, options: SendOptions, tries: Tries): Promise<Exchange> {
    const { troubles } = tries;
    for (;;) {
      const request = make(sendable, tries.count);
      if (isGivenUp(troubles, this.#isClosingAnswer(options)))
        await this.#lookBeforeGivingUp(request, tries, options);
      const channel = await this.#placeFor(tries, options);
      if (tries.count > 0) this.#retries++;
      // The first retry uses a new connection, the second a shared one, as the target may not accept another. One that
      // hung may have waited for its turn among the connections: a shared one is served already.
      const isNew =
        troubles.length % 2 === 1 && troubles.at(-1)!.kind !== 'timeout' && this.limiter.pace.limit > 1;
      const tried = await (isNew && channel === undefined
        ? this.withDedicated((connection) => this.try(request, connection))
        : this.try(request, channel ?? this.connections.shared()));
      const exchange = await this.#settle(request, tried, tries, options);
      if (exchange === undefined) continue;
      // Requests through a barrier are not timed: they wait for each other.
      this.#stopwatch.note(exchange);
      return exchange;
    }
  }

  /** Waits until the next try may leave. @returns the channel that it must use, if any */
  async #placeFor(
    { troubles, quiet }: Tries,
    { queue, connection, isAlone = false }: SendOptions,
  ): Promise<DedicatedConnection | undefined> {
    if (quiet !== undefined) {
      await this.limiter.acquireAlone(quiet);
      return connection ?? this.connections.shared();
    }
    const pause = pauseAfter(troubles);
    if (pause > 0) await this.wait(pause);
    await this.#outages.isOver();
    await (isAlone ? this.limiter.acquireAlone(0) : this.limiter.acquire(queue));
    return connection;
  }

  /**
   * Waits for the end of an outage, if there is one; otherwise prepares to send the request alone, on the only
   * connection that is open then.
   * @throws {NoReply} if none of this is left to try
   */
  async #lookBeforeGivingUp(request: Request, tries: Tries, options: SendOptions): Promise<void> {
    const { troubles, hasBeenAlone, wasAway } = tries;
    const { queue, isInvalid = false } = options;
    if (isInvalid && hasBeenAlone && isClosed(troubles)) this.#noteRejection('closed');
    const isRejected = this.#isClosingAnswer(options) && this.#outages.hasAnswered(tries.since);
    // Neither the number of requests nor their rate is the reason.
    if (hasBeenAlone) this.limiter.clearSpacing();
    if (!isOfConnection(troubles.at(-1)!) || !this.#outages.hasAnswered() || hasBeenAlone || isRejected)
      throw await this.#giveUp(request, tries, queue);
    const outage = wasAway ? 'none' : await this.#outages.outage(request, tries.since);
    if (outage === 'over') return this.#beginAnew(tries);
    if (outage === 'lasting') throw await this.#giveUp(request, tries, queue, true);
    const again = this.#isClosingAnswer(options) ? undefined : this.#aloneRetries.afterConnections();
    if (again === undefined) throw await this.#giveUp(request, tries, queue);
    await this.limiter.acquireAlone(0);
    this.connections.renew();
    this.limiter.release();
    tries.quiet = 'quiet' in again ? again.quiet : undefined;
    tries.hasBeenAlone = true;
  }

  /** Whether the target is known to answer such a request by closing the connection. */
  #isClosingAnswer({ isInvalid = false }: Pick<SendOptions, 'isInvalid'>): boolean {
    return isInvalid && this.#rejections.has('closed');
  }

  /** Notes how the target answered an invalid request that was sent alone, though it answers others otherwise. */
  #noteRejection(way: 'closed' | number): void {
    this.#rejections.add(way);
    this.limiter.recover();
  }

  #beginAnew(tries: Tries): void {
    tries.troubles.length = 0;
    tries.gatewayFailures = 0;
    tries.quiet = undefined;
    tries.wasAway = true;
  }

  /** Makes a final response into an exchange; otherwise adds to the troubles and adjusts the limits. */
  async #settle(
    request: Request,
    tried: Tried,
    tries: Tries,
    options: Omit<SendOptions, 'connection'>,
  ): Promise<Exchange | undefined> {
    const wasAlone = tries.quiet !== undefined;
    tries.count++;
    tries.quiet = undefined;
    if (tries.troubles.length === 0) tries.since = performance.now();
    if ('trouble' in tried) {
      this.#noteTrouble(request, tried, tries, options);
      return undefined;
    }
    this.#noteThrottling(tried.reply);
    const isFinal = isGatewayFailure(tried.reply)
      ? await this.#isFinalFailure(request, tried, tries, wasAlone, options.isInvalid)
      : this.#isFinalReply(request, tried, tries, options, wasAlone);
    return isFinal ? this.record(request, tried, tries.troubles, options.queue) : undefined;
  }

  #noteTrouble(
    request: Request,
    { trouble, part, sentAt, inFlight, isStale = false }: Exclude<Tried, TriedReply>,
    tries: Tries,
    options: Omit<SendOptions, 'connection'>,
  ): void {
    tries.troubles.push(trouble);
    tries.part = part && { ...part, inFlight, request };
    if (trouble.kind === 'misread') this.connections.switchToNode();
    else if (trouble.kind === 'timeout' || isStale || this.#isClosingAnswer(options)) return;
    // A target refuses or resets connections when there are too many, and again when there are too many a second.
    else if (tries.troubles.length === 1) this.limiter.halve(sentAt, inFlight);
    else this.limiter.overload(sentAt, inFlight);
  }

  #noteThrottling(reply: Reply): void {
    if (!isThrottling(reply)) return;
    const names = Object.keys(reply.fields);
    this.#throttlingFields = this.#throttlingFields?.filter((name) => names.includes(name)) ?? names;
  }

  /** Whether a reply that is no gateway's failure is final; otherwise waits as long as it asks for. */
  #isFinalReply(
    request: Request,
    { reply, sentAt, inFlight, duration }: TriedReply,
    { troubles }: Tries,
    { throttling, isInvalid = false }: Pick<SendOptions, 'throttling' | 'isInvalid'>,
    wasAlone: boolean,
  ): boolean {
    const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
    const retry = retryOf(reply, throttled, this.left, throttling);
    if (retry) {
      const { wait, stopsOthers } = retry;
      const detail = `status ${reply.status}, asked to wait ${Math.ceil(wait / 1000)} s`;
      troubles.push({ kind: 'throttled', detail, ...(!stopsOthers && { wait }) });
      if (wait > this.left)
        this.stop(`the target answered ${detail}, longer than the time budget has left`, 'budget');
      else if (stopsOthers) this.limiter.throttle(wait, sentAt, inFlight);
      return false;
    }
    if (wasAlone) this.#aloneRetries.helped();
    this.#outages.answered();
    // An invalid one may have been answered for something else than its credential.
    if (!isInvalid) this.#lastAnswered = request;
    if (this.#isQueued(request.path, duration)) this.limiter.halve(sentAt, inFlight);
    else this.limiter.grow();
    return true;
  }

  /** Whether a gateway's failure is the answer to a request; otherwise prepares its next try. */
  async #isFinalFailure(
    request: Request,
    { reply, sentAt, inFlight }: TriedReply,
    tries: Tries,
    wasAlone: boolean,
    isInvalid = false,
  ): Promise<boolean> {
    if (isInvalid && this.#rejections.has(reply.status)) {
      const isUp =
        this.#outages.hasAnswered(sentAt) || (await this.#outages.outage(request, sentAt)) === 'none';
      if (isUp) return true;
    }
    if (this.#aloneRetries.isInVain()) this.limiter.halve(sentAt, inFlight);
    else if (!wasAlone) this.limiter.overload(sentAt, inFlight);
    tries.gatewayFailures++;
    const detail = `status ${reply.status}, without Retry-After`;
    // The service behind the gateway may be away if nothing else was answered since, or an outage has ended since.
    if (wasAlone && !tries.wasAway && this.#outages.mayBeAway(tries.since)) {
      const outage = await this.#outages.outage(request, tries.since);
      if (outage === 'lasting') this.#stopAsAway(`stopped answering: ${detail}`);
      if (outage === 'over') this.#beginAnew(tries);
      if (outage !== 'none') return false;
    }
    const again =
      this.#aloneRetries.afterGateway(tries.gatewayFailures) ??
      (this.#outages.mayBeStarting(tries.since) ? { pause: BETWEEN_PROBES } : undefined);
    if (again === undefined) {
      if (isInvalid) this.#noteRejection(reply.status);
      else if (this.#aloneRetries.isInVain()) this.limiter.clearSpacing();
      return true;
    }
    const isAlone = 'quiet' in again;
    tries.troubles.push({ kind: 'throttled', detail, wait: isAlone ? again.quiet : again.pause });
    tries.quiet = isAlone ? again.quiet : undefined;
    return false;
  }

  /** Gives a request up, and ends the run if the target is away. */
  async #giveUp(
    request: Request,
    { troubles, part }: Tries,
    queue: string,
    isAway = false,
  ): Promise<NoReply> {
    if (isAway || ((await this.#outages.isAwayAfter(request)) && !this.stopped)) {
      const { kind, detail } = troubles.at(-1)!;
      const what = kind === 'protocol' ? 'sends responses that cannot be read' : 'stopped answering';
      this.#stopAsAway(`${what}: ${detail}`);
    }
    const { replies } = this;
    const exchange = part && this.exchangeOf(part.request, part, troubles, queue);
    return new NoReply(request, troubles, exchange, replies);
  }

  #stopAsAway(what: string): void {
    this.stop(`the target ${what}`, 'away');
  }
}

const make = (sendable: Sendable, tries: number): Request =>
  typeof sendable === 'function' ? sendable(tries) : sendable;

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
import {
  AT_ONCE,
  createAloneRetries,
  isGatewayFailure,
  isGivenUp,
  isOfConnection,
  isThrottling,
  pauseAfter,
  retryAfter,
  retryOf,
} from './pace/retry-policy.ts';
import type { NextTry, Throttling } from './pace/retry-policy.ts';
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
  /** How the next try leaves. */
  next: NextTry;
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
  next: AT_ONCE,
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
        await this.#beforeGivingUp(request, tries, options);
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
    { next }: Tries,
    { queue, connection, isAlone = false }: SendOptions,
  ): Promise<DedicatedConnection | undefined> {
    if ('quiet' in next) {
      await this.limiter.acquireAlone(next.quiet);
      return connection ?? this.connections.shared();
    }
    if (next.pause > 0) await this.wait(next.pause);
    await this.#outages.isOver();
    await (isAlone ? this.limiter.acquireAlone(0) : this.limiter.acquire(queue));
    return connection;
  }

  /**
   * Waits for the end of an outage, if there is one; otherwise prepares to send the request alone, on the only
   * connection that is open then.
   * @throws {NoReply} if none of this is left to try
   */
  async #beforeGivingUp(request: Request, tries: Tries, options: SendOptions): Promise<void> {
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
    const next = this.#isClosingAnswer(options) ? undefined : this.#aloneRetries.afterConnections();
    if (next === undefined) throw await this.#giveUp(request, tries, queue);
    await this.limiter.acquireAlone(0);
    this.connections.renew();
    this.limiter.release();
    tries.next = next;
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
    tries.next = AT_ONCE;
    tries.wasAway = true;
  }

  /** Makes a final response into an exchange; otherwise notes the trouble, and decides how the next try leaves. */
  async #settle(
    request: Request,
    tried: Tried,
    tries: Tries,
    options: Omit<SendOptions, 'connection'>,
  ): Promise<Exchange | undefined> {
    tries.count++;
    if (tries.troubles.length === 0) tries.since = performance.now();
    const next = await this.#nextAfter(request, tried, tries, options);
    if (next !== 'final') tries.next = next;
    else if ('reply' in tried) return this.record(request, tried, tries.troubles, options.queue);
    return undefined;
  }

  /** How the next try leaves, if this one is not final. */
  async #nextAfter(
    request: Request,
    tried: Tried,
    tries: Tries,
    options: Omit<SendOptions, 'connection'>,
  ): Promise<NextTry | 'final'> {
    if ('trouble' in tried) {
      this.#noteTrouble(request, tried, tries, options);
      return { pause: pauseAfter(tries.troubles) };
    }
    const { reply } = tried;
    if (isThrottling(reply)) {
      const names = Object.keys(reply.fields);
      this.#throttlingFields = this.#throttlingFields?.filter((name) => names.includes(name)) ?? names;
    }
    if (isGatewayFailure(reply)) return this.#afterGatewayFailure(request, tried, tries, options.isInvalid);
    return this.#afterReply(request, tried, tries, options);
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

  /** The next try after a reply that is no gateway's failure: when the reply asks for it. */
  #afterReply(
    request: Request,
    { reply, sentAt, inFlight, duration }: TriedReply,
    { troubles, next }: Tries,
    { throttling, isInvalid = false }: Pick<SendOptions, 'throttling' | 'isInvalid'>,
  ): NextTry | 'final' {
    const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
    const retry = retryOf(reply, throttled, this.left, throttling);
    if (retry) {
      const { wait, stopsOthers } = retry;
      const asked = retryAfter(reply, Date.now()) ? `asked to wait ${Math.ceil(wait / 1000)} s` : undefined;
      const detail = `status ${reply.status}, ${asked ?? 'without Retry-After'}`;
      troubles.push({ kind: 'throttled', detail, ...(!stopsOthers && { wait }) });
      if (wait > this.left)
        this.stop(
          `the target answered ${request.method} ${request.path} with ${detail}${asked ? ', longer than the time budget has left' : ', until the time budget was spent'}`,
          'budget',
        );
      else if (stopsOthers) this.limiter.throttle(wait, sentAt, inFlight);
      return stopsOthers ? AT_ONCE : { pause: wait };
    }
    if ('quiet' in next) this.#aloneRetries.helped();
    this.#outages.answered();
    // An invalid one may have been answered for something else than its credential.
    if (!isInvalid) this.#lastAnswered = request;
    if (this.#isQueued(request.path, duration)) this.limiter.halve(sentAt, inFlight);
    else this.limiter.grow();
    return 'final';
  }

  /** The next try after a gateway's failure, unless that is the answer. */
  async #afterGatewayFailure(
    request: Request,
    { reply, sentAt, inFlight }: TriedReply,
    tries: Tries,
    isInvalid = false,
  ): Promise<NextTry | 'final'> {
    if (isInvalid && this.#rejections.has(reply.status)) {
      const isUp =
        this.#outages.hasAnswered(sentAt) || (await this.#outages.outage(request, sentAt)) === 'none';
      if (isUp) return 'final';
    }
    const wasAlone = 'quiet' in tries.next;
    if (this.#aloneRetries.isInVain()) this.limiter.halve(sentAt, inFlight);
    else if (!wasAlone) this.limiter.overload(sentAt, inFlight);
    tries.gatewayFailures++;
    const detail = `status ${reply.status}, without Retry-After`;
    // The service behind the gateway may be away if nothing else was answered since, or an outage has ended since.
    if (wasAlone && !tries.wasAway && this.#outages.mayBeAway(tries.since)) {
      const outage = await this.#outages.outage(request, tries.since);
      if (outage === 'lasting') this.#stopAsAway(`answers ${request.method} ${request.path} with ${detail}`);
      if (outage === 'over') this.#beginAnew(tries);
      if (outage !== 'none') return AT_ONCE;
    }
    const next =
      this.#aloneRetries.afterGateway(tries.gatewayFailures) ??
      (this.#outages.mayBeStarting(tries.since) ? { pause: BETWEEN_PROBES } : undefined);
    if (next === undefined) {
      if (isInvalid) this.#noteRejection(reply.status);
      else if (this.#aloneRetries.isInVain()) this.limiter.clearSpacing();
      return 'final';
    }
    tries.troubles.push({ kind: 'throttled', detail, wait: 'quiet' in next ? next.quiet : next.pause });
    return next;
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

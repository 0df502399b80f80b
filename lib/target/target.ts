import { setTimeout as delay } from 'node:timers/promises';
import { asSent } from './as-sent.ts';
import { createGate } from './channel.ts';
import type { Answer, Attempt, Channel, Gate } from './channel.ts';
import { openConnections } from './connections.ts';
import type { Connections } from './connections.ts';
import type { Place } from './dial.ts';
import { NoReply, Stopped } from './exchange.ts';
import type { Exchange, Request, StopCause, Trouble } from './exchange.ts';
import { createStopwatch } from './latency.ts';
import type { Stopwatch } from './latency.ts';
import { Limiter } from './limiter.ts';
import { detectOutages } from './outage.ts';
import { failureIn } from './proxy-failed.ts';
import { createRedactor } from './redactor.ts';
import type { Redactor } from './redactor.ts';
import {
  createAloneRetries,
  isGatewayFailure,
  isGivenUp,
  isOfConnection,
  isThrottling,
  pauseAfter,
  retryOf,
} from './retry-policy.ts';
import { troubleOf } from './trouble.ts';
import type { Hooks, Limits, SendOptions, Sendable, Traffic } from './sending.ts';

/** Milliseconds beyond the time budget, or the end of a run, for which a response is still awaited. */
const GRACE = 500;

/** Requests that a run must be able to send within its time budget, however much the target slows it down. */
const LEAST_REQUESTS = 500;

/** The tries of one request. */
interface Course {
  /** Since the last outage. */
  readonly troubles: Trouble[];
  tries: number;
  /** When the first of these was met (`performance.now()`). */
  since: number;
  /** How often a gateway failed it. */
  gatewayFailures: number;
  /** Milliseconds of quiet before the next try; undefined: it is sent among others. */
  quiet: number | undefined;
  hasBeenAlone: boolean;
  wasAway: boolean;
  /** What was last read of a response that is too long. */
  part: (Answer & { readonly inFlight: number; readonly request: Request }) | undefined;
}

const newCourse = (): Course => ({
  troubles: [],
  tries: 0,
  since: 0,
  gatewayFailures: 0,
  quiet: undefined,
  hasBeenAlone: false,
  wasAway: false,
  part: undefined,
});

/** The result of one try, and how many requests were in flight then. */
type Tried = Attempt & { readonly inFlight: number };

/** The client of one target: sends requests within limits, retries, and records exchanges. */
export class Target {
  readonly redactor: Redactor;
  readonly baseUrl: string;
  readonly #place: Place;
  readonly #limits: Limits;
  readonly #limiter: Limiter;
  readonly #hooks: Hooks;
  readonly #stopwatch: Stopwatch;
  readonly #startedAt = performance.now();
  readonly #openedAt = Date.now();
  readonly #budget: NodeJS.Timeout;
  readonly #halt = new AbortController();
  readonly #connections: Connections;
  #requests = 0;
  #retries = 0;
  #replies = 0;
  /** Whether more connections are open than the target serves at a time. */
  #hasTooMany = false;
  #stopped: Stopped | undefined;
  #throttlingFields: readonly string[] | undefined;
  readonly #aloneRetries = createAloneRetries();
  readonly #outages = detectOutages(
    async (request) => {
      const probed = await this.#probe(request);
      return 'reply' in probed && !isGatewayFailure(probed.reply);
    },
    async (milliseconds) => {
      await this.wait(milliseconds);
      if (this.#stopped) throw this.#stopped;
    },
    () => this.#limiter.recover(),
  );

  constructor(place: Place, limits: Limits, hooks: Hooks = {}, redactor: Redactor = createRedactor()) {
    this.redactor = redactor;
    this.baseUrl = place.baseUrl;
    this.#place = place;
    this.#limits = limits;
    this.#limiter = new Limiter(limits.concurrency, limits.rate, (limits.timeBudget * 1000) / LEAST_REQUESTS);
    this.#hooks = hooks;
    this.#stopwatch = createStopwatch(hooks.operationOf ?? (() => undefined));
    this.#connections = openConnections(place, limits.concurrency, limits.timeout * 1000);
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

  /**
   * Names of the headers that all responses with 429, or 502 to 504 and Retry-After, have; undefined: there was none. Most are
   * retried, and so in no exchange.
   */
  get throttlingFields(): readonly string[] | undefined {
    return this.#throttlingFields;
  }

  /** Milliseconds since the start of the run, as in every exchange. */
  get now(): number {
    return performance.now() - this.#startedAt;
  }

  /** Milliseconds of the time budget that are left. */
  get left(): number {
    return this.#limits.timeBudget * 1000 - this.now;
  }

  /** Waits, but only as long as requests may be sent. */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#halt.signal }).catch(() => {});
  }

  /** Sends nothing more; requests in flight are still awaited. */
  stop(reason: string, cause: StopCause): void {
    if (this.#stopped === undefined && cause === 'away') this.#hooks.onAway?.(reason);
    this.#stopped ??= new Stopped(reason, cause);
    this.#limiter.stop(this.#stopped);
    this.#halt.abort();
  }

  /** Sends nothing more, waits a moment for the requests in flight, so that `traffic` is final, and disconnects. */
  async close(): Promise<void> {
    clearTimeout(this.#budget);
    this.#limiter.stop(new Stopped('the run is over', 'budget'));
    this.#halt.abort();
    await Promise.race([this.#limiter.idle(), delay(GRACE, undefined, { ref: false })]);
    await this.#connections.close();
  }

  /**
   * Sends a request until a final response arrives; retries lost connections, 429 and 502 to 504.
   * @throws {NoReply} when none arrived within the tries allowed
   * @throws {Stopped} when the run may not send any more
   */
  async send(sendable: Sendable, options: SendOptions): Promise<Exchange> {
    return this.#sendUntilFinal(sendable, options, newCourse());
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
        places = await this.#limiter.acquire(queue, sendables.length - results.length);
      } catch (error) {
        return [...results, error as Stopped];
      }
      const group = sendables.slice(results.length, results.length + places);
      const gate = createGate(group.length);
      results.push(...(await Promise.all(group.map((sendable) => this.#throughGate(sendable, queue, gate)))));
    }
    return results;
  }

  /**
   * Gives two of three turns to a queue that others depend on.
   * @param queue undefined: all queues take equal turns again
   */
  prioritise(queue: string | undefined): void {
    this.#limiter.prioritise(queue);
  }

  /** Opens a connection of its own for as long as it is used. */
  withConnection<T>(use: (connection: Channel) => Promise<T>): Promise<T> {
    return this.#connections.ofItsOwn(use);
  }

  async #throughGate(sendable: Sendable, queue: string, gate: Gate): Promise<Exchange | NoReply | Stopped> {
    const request = make(sendable, 0);
    const course = newCourse();
    try {
      const tried = await this.#try(request, this.#connections.shared(), gate).finally(() => gate.arrive());
      const exchange = await this.#settle(request, tried, course, { queue });
      return exchange ?? (await this.#sendUntilFinal(sendable, { queue }, course));
    } catch (error) {
      if (error instanceof NoReply || error instanceof Stopped) return error;
      throw error;
    }
  }

  /** @param course the tries so far */
  async #sendUntilFinal(sendable: Sendable, options: SendOptions, course: Course): Promise<Exchange> {
    const { troubles } = course;
    for (;;) {
      const request = make(sendable, course.tries);
      if (isGivenUp(troubles)) await this.#lookBeforeGivingUp(request, course, options.queue);
      const channel = await this.#placeFor(course, options);
      if (course.tries > 0) this.#retries++;
      // Not when the first of several hangs: the connections that are served would be closed for each.
      if (this.#hasTooMany) this.#connections.renew(this.#limiter.pace.limit);
      this.#hasTooMany = false;
      // The first retry uses a new connection, the second a shared one, as the target may not accept another. One that
      // hung may have waited for its turn among the connections: a shared one is served already.
      const isNew = troubles.length % 2 === 1 && troubles.at(-1)!.kind !== 'timeout';
      const tried = await (isNew && channel === undefined
        ? this.withConnection((connection) => this.#try(request, connection))
        : this.#try(request, channel ?? this.#connections.shared()));
      const exchange = await this.#settle(request, tried, course, options);
      if (exchange === undefined) continue;
      // Requests through a gate are not timed: they wait for each other.
      this.#stopwatch.note(exchange);
      return exchange;
    }
  }

  /** Waits until the next try may leave. @returns the channel that it must use, if any */
  async #placeFor(
    { troubles, quiet }: Course,
    { queue, connection }: SendOptions,
  ): Promise<Channel | undefined> {
    if (quiet !== undefined) {
      await this.#limiter.acquireAlone(quiet);
      return connection ?? this.#connections.shared();
    }
    const pause = pauseAfter(troubles);
    if (pause > 0) await this.wait(pause);
    await this.#outages.isOver();
    await this.#limiter.acquire(queue);
    return connection;
  }

  /**
   * Waits for the end of an outage, if there is one; otherwise prepares to send the request alone, on the only
   * connection that is open then.
   * @throws {NoReply} if none of this is left to try
   */
  async #lookBeforeGivingUp(request: Request, course: Course, queue: string): Promise<void> {
    const { troubles, hasBeenAlone, wasAway } = course;
    if (!isOfConnection(troubles.at(-1)!) || !this.#outages.hasAnswered() || hasBeenAlone)
      throw await this.#giveUp(request, course, queue);
    const outage = wasAway ? 'none' : await this.#outages.outage(request, course.since);
    if (outage === 'over') return this.#beginAnew(course);
    if (outage === 'lasting') throw await this.#giveUp(request, course, queue, true);
    const again = this.#aloneRetries.afterConnections();
    if (again === undefined) throw await this.#giveUp(request, course, queue);
    await this.#limiter.acquireAlone(0);
    this.#connections.renew();
    this.#limiter.release();
    course.quiet = 'quiet' in again ? again.quiet : undefined;
    course.hasBeenAlone = true;
  }

  #beginAnew(course: Course): void {
    course.troubles.length = 0;
    course.gatewayFailures = 0;
    course.quiet = undefined;
    course.wasAway = true;
  }

  /** Sends a request once, in a place that the limiter has given, and gives the place back. */
  async #try(request: Request, channel: Channel, gate?: Gate): Promise<Tried> {
    try {
      if (this.#requests >= this.#limits.maxRequests) {
        this.stop(`the budget of ${this.#limits.maxRequests} requests was spent`, 'budget');
      }
      if (this.#stopped) throw this.#stopped;
      this.#requests++;
      this.#hooks.onProgress?.(this.#requests);
      const timeout = Math.min(this.#limits.timeout * 1000, this.left + GRACE);
      const sent = asSent(request, this.#place);
      const attempt = await channel.attempt(sent.request, sent.path, timeout, gate);
      return { ...this.#withoutProxy(attempt), inFlight: this.#limiter.inFlight };
    } finally {
      this.#limiter.release();
    }
  }

  /** A reply of a forwarding proxy itself is no reply of the target. */
  #withoutProxy(attempt: Attempt): Attempt {
    if ('trouble' in attempt || !this.#place.route.isForwarded) return attempt;
    const failure = failureIn(this.#place.route.proxy!, attempt.reply);
    return failure ? { trouble: troubleOf(failure, 0), sentAt: attempt.sentAt } : attempt;
  }

  /** Makes a final response into an exchange; otherwise adds to the troubles and adjusts the limits. */
  async #settle(
    request: Request,
    tried: Tried,
    course: Course,
    { queue, throttling }: Omit<SendOptions, 'connection'>,
  ): Promise<Exchange | undefined> {
    const { troubles } = course;
    const wasAlone = course.quiet !== undefined;
    course.tries++;
    course.quiet = undefined;
    if (troubles.length === 0) course.since = performance.now();
    if ('trouble' in tried) {
      troubles.push(tried.trouble);
      course.part = tried.part && { ...tried.part, inFlight: tried.inFlight, request };
      if (tried.trouble.kind === 'misread') this.#connections.switchToNode();
      else if (tried.trouble.kind === 'timeout') {
        if (this.#outages.hasAnswered(tried.sentAt) && this.#limiter.hang()) this.#hasTooMany = true;
      }
      // A target refuses or resets connections when there are too many.
      else if (!tried.isStale) this.#limiter.halve(tried.sentAt, tried.inFlight);
      return undefined;
    }
    const { reply, sentAt, inFlight } = tried;
    if (isThrottling(reply)) {
      const names = Object.keys(reply.fields);
      this.#throttlingFields = this.#throttlingFields?.filter((name) => names.includes(name)) ?? names;
    }
    if (isGatewayFailure(reply)) {
      if (this.#aloneRetries.isInVain()) this.#limiter.halve(sentAt, inFlight);
      else if (!wasAlone) this.#limiter.overload(sentAt, inFlight);
      const isFinal = await this.#isFinal(request, reply.status, course, wasAlone);
      return isFinal ? this.#noted(this.#exchangeOf(request, tried, troubles, queue)) : undefined;
    }
    const throttled = troubles.filter(({ kind }) => kind === 'throttled').length;
    const retry = retryOf(reply, throttled, this.left, throttling);
    if (retry) {
      const { wait, isAlone } = retry;
      const detail = `status ${reply.status}, asked to wait ${Math.ceil(wait / 1000)} s`;
      troubles.push({ kind: 'throttled', detail, ...(isAlone && { wait }) });
      if (wait > this.left)
        this.stop(`the target answered ${detail}, longer than the time budget has left`, 'budget');
      else if (!isAlone) this.#limiter.throttle(wait, sentAt, inFlight);
      return undefined;
    }
    if (wasAlone) this.#aloneRetries.helped();
    this.#outages.answered();
    this.#limiter.grow();
    return this.#noted(this.#exchangeOf(request, tried, troubles, queue));
  }

  /** Whether a gateway's failure is the answer to a request; otherwise prepares its next try. */
  async #isFinal(request: Request, status: number, course: Course, wasAlone: boolean): Promise<boolean> {
    course.gatewayFailures++;
    const detail = `status ${status}, without Retry-After`;
    // If nothing else was answered until an outage was over, or is, the service behind the gateway may be away.
    if (wasAlone && !course.wasAway && this.#outages.mayBeAway(course.since)) {
      const outage = await this.#outages.outage(request, course.since);
      if (outage === 'lasting') this.#stopAsAway(`stopped answering: ${detail}`);
      if (outage === 'over') this.#beginAnew(course);
      if (outage !== 'none') return false;
    }
    const again = this.#aloneRetries.afterGateway(course.gatewayFailures);
    if (again === undefined) {
      if (this.#aloneRetries.isInVain()) this.#limiter.unslow();
      return true;
    }
    const isAlone = 'quiet' in again;
    course.troubles.push({ kind: 'throttled', detail, wait: isAlone ? again.quiet : again.pause });
    course.quiet = isAlone ? again.quiet : undefined;
    return false;
  }

  #exchangeOf(
    request: Request,
    { reply, sentAt, firstByte, duration, inFlight }: Answer & { readonly inFlight: number },
    troubles: readonly Trouble[],
    queue: string,
  ): Exchange {
    return {
      number: ++this.#replies,
      queue,
      request,
      url: this.baseUrl + request.path,
      route: this.#place.route,
      reply,
      troubles: [...troubles],
      startedAt: sentAt - this.#startedAt,
      firstByte,
      duration,
      inFlight,
    };
  }

  #noted(exchange: Exchange): Exchange {
    this.#hooks.onReply?.(exchange);
    return exchange;
  }

  /** Sends a GET without a body to the path of a request, alone, on the only connection that is open then. */
  async #probe({ path, fields, credential }: Request): Promise<Attempt> {
    const method = 'GET';
    const probe: Request = { method, path: path.replace(/\?.*/, ''), fields, credential, body: undefined };
    await this.#limiter.acquireAlone(0);
    this.#connections.renew();
    return this.#try(probe, this.#connections.shared());
  }

  /** Gives a request up, and ends the run if the target is away. */
  async #giveUp(
    request: Request,
    { troubles, part }: Course,
    queue: string,
    isAway = false,
  ): Promise<NoReply> {
    if (isAway || ((await this.#outages.isAwayAfter(request)) && !this.#stopped)) {
      const { kind, detail } = troubles.at(-1)!;
      const what = kind === 'protocol' ? 'sends responses that cannot be read' : 'stopped answering';
      this.#stopAsAway(`${what}: ${detail}`);
    }
    return new NoReply(request, troubles, part && this.#exchangeOf(part.request, part, troubles, queue));
  }

  #stopAsAway(what: string): void {
    this.stop(`the target ${what}`, 'away');
  }
}

const make = (sendable: Sendable, tries: number): Request =>
  typeof sendable === 'function' ? sendable(tries) : sendable;

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { CustomerRequest } from '../schemas/interface.ts';
import { isObject } from '../schemas/json.ts';
import type { Call } from './call.ts';
import { acceptsIssuing, acceptsLifetime } from './behaviour.ts';
import type { Behaviour, Customer, Middleware, Reason, ServiceReply, TokenRecord } from './behaviour.ts';

/** Yields to other requests. @param times how many turns of the event loop */
export async function pause(times: number): Promise<void> {
  for (let i = 0; i < times; i++) await setImmediate();
}

/** Makes a function that returns the first value that it got with each key. */
export function firstByKey<T>(): (key: unknown, value: T) => T {
  const known = new Map<unknown, T>();
  return (key, value) => {
    if (!known.has(key)) known.set(key, value);
    return known.get(key)!;
  };
}

/** Makes a function that returns true every nth time. */
export function everyNth(n: number): () => boolean {
  let count = 0;
  return () => ++count % n === 0;
}

/** The first bits of a digest, as a number. */
export const hashed = (text: string | Uint8Array, bits: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE() >>> (32 - bits);

/** Numbers of so many bits, as random, but always the same, so that chance does not decide when one repeats. */
export function asRandom(bits: number): () => number {
  let count = 0;
  return () => hashed(`${count++}`, bits);
}

/** Wraps the whole service, with new state for each start. */
export const around = (make: () => Middleware) => (): Behaviour => ({ around: make() });

/** Accepts the key, and any request that meets a condition, which may keep state and is called for the key too. */
export const acceptsWhen = (condition: (call: Call) => boolean) => (): Behaviour => ({
  authenticate(call) {
    const isMet = condition(call);
    return call.hasKey || isMet;
  },
});

/** A condition on a header; its value is '' where it is missing. */
export const sends =
  (name: string, pattern: RegExp = /./) =>
  ({ header }: Call): boolean =>
    pattern.test(header(name) ?? '');

export const isChunked = sends('Transfer-Encoding', /\bchunked\b/i);

/** How often a request has a header. @param name in lower case */
export const countOf = (request: IncomingMessage | undefined, name: string): number =>
  request?.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length ?? 0;

/** The parts of an address before and after its last @. */
export const localOf = (email: string): string => email.slice(0, email.lastIndexOf('@'));
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Handles customers of a kind differently: changes them, the response, or the milliseconds until it. */
export const otherWay =
  (
    isAffected: (submitted: CustomerRequest) => boolean,
    {
      change = (customer) => customer,
      reply: more = {},
      delay = 0,
    }: { change?: (customer: Customer) => object; reply?: Partial<ServiceReply>; delay?: number },
  ) =>
  (): Behaviour => {
    const affected = new WeakSet<Call>();
    return {
      async id(fresh, submitted, call) {
        if (!isAffected(submitted)) return fresh;
        affected.add(call);
        if (delay > 0) await sleep(delay);
        return fresh;
      },
      customer: (customer, call) => (affected.has(call) ? change(customer) : customer),
      respond: (reply, call) =>
        affected.has(call) ? { ...reply, ...more, headers: { ...reply.headers, ...more.headers } } : reply,
    };
  };

/** Changes the response to accepted requests. @param operation default: both */
export const onAccepted =
  (change: (reply: ServiceReply, call: Call) => Partial<ServiceReply>, operation?: 'customer' | 'token') =>
  (): Behaviour => ({
    respond: (reply, call) =>
      operation === undefined || call.operation === operation ? { ...reply, ...change(reply, call) } : reply,
  });

/** Changes the response to rejected requests. @param only the reason; default: all */
export const onRejected =
  (change: (reply: ServiceReply, reason: Reason, call: Call) => Partial<ServiceReply>, only?: Reason) =>
  (): Behaviour => ({
    reject: (reply, reason, call) =>
      only === undefined || reason === only ? { ...reply, ...change(reply, reason, call) } : reply,
  });

/** Closes the connection of a rejected request, as nginx does with its status 444. @param only the reason; default: all */
export const closingOnRejected = (only?: Reason) =>
  onRejected((reply, _, { incoming }) => {
    incoming?.socket.destroy();
    return reply;
  }, only);

/** Changes every response. */
export const onEvery = (change: (reply: ServiceReply) => Partial<ServiceReply>) => (): Behaviour => ({
  ...onAccepted(change)(),
  ...onRejected(change)(),
});

/** Changes the name of each customer. */
export const onName = (change: NonNullable<Behaviour['name']>) => (): Behaviour => ({ name: change });

/** Changes the email address of each customer. */
export const onEmail = (change: NonNullable<Behaviour['email']>) => (): Behaviour => ({ email: change });

/** Changes the record of a customer. */
export const onCustomer =
  (change: (customer: Customer, call: Call) => unknown): (() => Behaviour) =>
  () => ({ customer: change });

export const onToken =
  (change: (record: TokenRecord, call: Call) => unknown): (() => Behaviour) =>
  () => ({ tokenRecord: change });

/** Delivers tokens in a header, in place of a member. */
export const tokenInHeader = (name: string, valueOf = (token: string) => token): (() => Behaviour) =>
  onAccepted(({ headers, body }) => {
    const { token, ...record } = JSON.parse(String(body)) as TokenRecord;
    return { headers: { ...headers, [name]: valueOf(token) }, body: json(record) };
  }, 'token');

/** Writes the body of a response with a customer. */
export const serialised = (write: (customer: Customer) => string | Uint8Array) => (): Behaviour => ({
  serialise(customer) {
    const body = write(customer);
    return typeof body === 'string' ? body : new Uint8Array(body);
  },
});

export const bodies = (change: (text: string) => string): (() => Behaviour) =>
  onEvery(({ body }) => (typeof body === 'string' ? { body: change(body) } : {}));

/** Adds fields to every response. */
export const fields = (more: Readonly<Record<string, string>>): (() => Behaviour) =>
  onEvery(({ headers }) => ({ headers: { ...headers, ...more } }));

/** Accepts some customers only. @param status of the rejection of others */
export const acceptingOnly =
  (isAccepted: (submitted: CustomerRequest, call: Call) => boolean, status = 400) =>
  (): Behaviour => ({
    acceptsCustomer: isAccepted,
    reject: (reply, reason) => (reason === 'values' ? { ...reply, status } : reply),
  });

export const acceptingScopes = (isAccepted: (scopes: readonly string[]) => boolean) => (): Behaviour => ({
  acceptsToken: (submitted) => isAccepted(submitted.scopes) && acceptsLifetime(submitted.expires_in),
});

/** Accepts each value once. */
export const once = (valueOf: (submitted: CustomerRequest) => string) => (): Behaviour => {
  const known = new Set<string>();
  return acceptingOnly((submitted) => known.size < known.add(valueOf(submitted)).size, 409)();
};

export const json = (value: unknown): string => JSON.stringify(value);

/** Hooks that are called one after the other if two behaviours have them, the second with the result of the first. */
const CHAINED = new Set<string>(['customer', 'tokenRecord', 'respond', 'reject', 'around']);
/** Hooks that must both accept if two behaviours have them. */
const AGREED = new Set<string>(['acceptsCustomer', 'acceptsToken']);

type Hook = (...values: readonly unknown[]) => unknown;

/** Combines behaviours; of two with the same hook, other than those above, the second replaces the first. */
export const combined = (...behaviours: readonly Behaviour[]): Behaviour =>
  behaviours.reduce((one, other) => {
    const both = Object.assign({} as Record<string, unknown>, one, other);
    for (const name of Object.keys(other)) {
      const [first, second] = [one, other].map((each) => (each as Record<string, Hook>)[name]);
      if (!first || !second) continue;
      if (CHAINED.has(name))
        both[name] = (value: unknown, ...rest: unknown[]) => second(first(value, ...rest), ...rest);
      if (AGREED.has(name))
        both[name] = async (...values: unknown[]) => (await first(...values)) && (await second(...values));
    }
    return both;
  });

/** Repairs a text that is not JSON before it is parsed. */
export const readingAlso = (repair: (text: string) => string) => (): Behaviour => ({
  parse(text) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return JSON.parse(repair(text)) as unknown;
    }
  },
});

/** Changes the parsed body of a customer creation, perhaps depending on how it was written. */
export const reading =
  (change: (sent: Record<string, unknown>, text: string) => object): (() => Behaviour) =>
  () => ({
    parse(text, { operation }) {
      const sent: unknown = JSON.parse(text);
      return isObject(sent) && operation === 'customer' ? change(sent, text) : sent;
    },
  });

/** Ignores members of a customer creation that the interface does not show. */
export const ignoringUnknown = reading(({ name, email }) => ({ name, email }));

/** Rejects all requests but those of a certain form. @param status of the rejection */
export const requiring =
  (status: number, isRight: (call: Call) => boolean): (() => Behaviour) =>
  () => ({
    acceptsCustomer: (_, call) => isRight(call),
    acceptsToken: (submitted, call) => isRight(call) && acceptsIssuing(submitted),
    reject: (reply, reason, call) => (reason === 'values' && !isRight(call) ? { ...reply, status } : reply),
  });

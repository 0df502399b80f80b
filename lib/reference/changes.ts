import type { CustomerRequest } from '../schemas/interface.ts';
import { isObject } from '../schemas/json.ts';
import type { Call } from './call.ts';
import type { Behaviour, Customer, Reason, ServiceReply, TokenRecord } from './behaviour.ts';

/** Changes the response to accepted requests. */
export const onAccepted =
  (change: (reply: ServiceReply, call: Call) => Partial<ServiceReply>) => (): Behaviour => ({
    respond: (reply, call) => ({ ...reply, ...change(reply, call) }),
  });

/** Changes the response to rejected requests. */
export const onRejected =
  (change: (reply: ServiceReply, reason: Reason, call: Call) => Partial<ServiceReply>) => (): Behaviour => ({
    reject: (reply, reason, call) => ({ ...reply, ...change(reply, reason, call) }),
  });

/** Closes the connection of a request with invalid credentials, as nginx does with its status 444. */
export const closingOnRejected = onRejected((_, reason, { incoming }) => {
  if (reason === 'credential') incoming?.socket.destroy();
  return {};
});

/** Changes every response. */
export const onEvery = (change: (reply: ServiceReply) => Partial<ServiceReply>) => (): Behaviour => ({
  ...onAccepted(change)(),
  ...onRejected(change)(),
});

/** Changes the record of a customer. */
export const onCustomer =
  (change: (customer: Customer, call: Call) => unknown): (() => Behaviour) =>
  () => ({ customer: change });

/** Changes the record of a token. */
export const onToken =
  (change: (record: TokenRecord, call: Call) => unknown): (() => Behaviour) =>
  () => ({ tokenRecord: change });

/** Delivers tokens in a header, in place of a member. */
export const tokenInHeader =
  (name: string): (() => Behaviour) =>
  () => ({
    respond(reply, { operation }) {
      if (operation !== 'token') return reply;
      const { token, ...record } = JSON.parse(String(reply.body)) as TokenRecord;
      return { ...reply, headers: { ...reply.headers, [name]: token }, body: json(record) };
    },
  });

/** Changes every body. */
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

/** Changes the parsed body of a customer creation. */
export const reading =
  (change: (sent: Record<string, unknown>) => object): (() => Behaviour) =>
  () => ({
    parse(text, { operation }) {
      const sent: unknown = JSON.parse(text);
      return isObject(sent) && operation === 'customer' ? change(sent) : sent;
    },
  });

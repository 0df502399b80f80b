import type { Call } from '../call.ts';
import type { Customer, Reason, Reply, TokenRecord } from '../hooks.ts';
import type { Behaviour } from '../behaviour.ts';

/** Changes the response to accepted requests. */
export const onAccepted = (change: (reply: Reply, call: Call) => Partial<Reply>) => (): Behaviour => ({
  respond: (reply, call) => ({ ...reply, ...change(reply, call) }),
});

/** Changes the response to rejected requests. */
export const onRejected =
  (change: (reply: Reply, reason: Reason, call: Call) => Partial<Reply>) => (): Behaviour => ({
    reject: (reply, reason, call) => ({ ...reply, ...change(reply, reason, call) }),
  });

/** Changes every response. */
export const onEvery = (change: (reply: Reply) => Partial<Reply>) => (): Behaviour => ({
  ...onAccepted(change)(),
  ...onRejected(change)(),
});

/** Changes the record of a customer. */
export const customer =
  (change: (customer: Customer, call: Call) => unknown): (() => Behaviour) =>
  () => ({ customer: change });

/** Changes the record of a token. */
export const record =
  (change: (record: TokenRecord) => unknown): (() => Behaviour) =>
  () => ({ tokenRecord: change });

/** Changes every body. */
export const bodies = (change: (text: string) => string): (() => Behaviour) =>
  onEvery(({ body }) => (typeof body === 'string' ? { body: change(body) } : {}));

/** Adds fields to every response. */
export const fields = (more: Readonly<Record<string, string>>): (() => Behaviour) =>
  onEvery(({ headers }) => ({ headers: { ...headers, ...more } }));

export const json = (value: unknown): string => JSON.stringify(value);

/** Combines behaviours; where two have the same hook, the second gets the result of the first. */
export const combined = (...behaviours: readonly Behaviour[]): Behaviour =>
  behaviours.reduce((one, other) =>
    Object.assign(
      {},
      one,
      other,
      ...CHAINED.map((hook) => chained(hook, one, other)),
      ...AGREED.map((hook) => agreed(hook, one, other)),
    ),
  );

const CHAINED = ['customer', 'tokenRecord', 'respond', 'reject', 'around'] as const;
const AGREED = ['acceptsCustomer', 'acceptsToken'] as const;

/** Calls the hook of one behaviour with the result of the other's. */
function chained<K extends (typeof CHAINED)[number]>(
  hook: K,
  one: Behaviour,
  other: Behaviour,
): Pick<Behaviour, K> | undefined {
  type Step = (value: unknown, ...rest: readonly unknown[]) => unknown;
  const [first, second] = [one[hook], other[hook]] as (Step | undefined)[];
  if (!first || !second) return undefined;
  const step: Step = (value, ...rest) => second(first(value, ...rest), ...rest);
  return { [hook]: step } as Pick<Behaviour, K>;
}

/** Accepts what both behaviours accept. */
function agreed<K extends (typeof AGREED)[number]>(
  hook: K,
  one: Behaviour,
  other: Behaviour,
): Pick<Behaviour, K> | undefined {
  type Rule = (...call: readonly unknown[]) => unknown;
  const [first, second] = [one[hook], other[hook]] as (Rule | undefined)[];
  if (!first || !second) return undefined;
  const rule: Rule = async (...call) => (await first(...call)) && (await second(...call));
  return { [hook]: rule } as Pick<Behaviour, K>;
}

/** Changes the parsed body of a customer creation. */
export const reading =
  (change: (sent: Record<string, unknown>) => object): (() => Behaviour) =>
  () => ({
    parse(text, { operation }) {
      const sent: unknown = JSON.parse(text);
      return isObject(sent) && operation === 'customer' ? change(sent) : sent;
    },
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

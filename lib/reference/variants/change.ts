import type { Call } from '../call.ts';
import type { Customer, Reason, Reply, TokenRecord } from '../hooks.ts';
import type { Behaviour } from '../behaviour.ts';

/** Changes the response to whatever was accepted. */
export const granting = (change: (reply: Reply, call: Call) => Partial<Reply>) => (): Behaviour => ({
  respond: (reply, call) => ({ ...reply, ...change(reply, call) }),
});

/** Changes the response to whatever was turned away. */
export const refusing =
  (change: (reply: Reply, reason: Reason, call: Call) => Partial<Reply>) => (): Behaviour => ({
    refuse: (reply, reason, call) => ({ ...reply, ...change(reply, reason, call) }),
  });

/** Changes both. */
export const answering = (change: (reply: Reply) => Partial<Reply>) => (): Behaviour => ({
  ...granting(change)(),
  ...refusing(change)(),
});

/** Changes the record of a customer. */
export const customer =
  (change: (customer: Customer, call: Call) => unknown): (() => Behaviour) =>
  () => ({ customer: change });

/** Changes the record of a token. */
export const record =
  (change: (record: TokenRecord) => unknown): (() => Behaviour) =>
  () => ({ tokenRecord: change });

/** Changes the text of every body. */
export const bodies = (change: (text: string) => string): (() => Behaviour) =>
  answering(({ body }) => (typeof body === 'string' ? { body: change(body) } : {}));

/** Adds fields to every response. */
export const fields = (more: Readonly<Record<string, string>>): (() => Behaviour) =>
  answering(({ headers }) => ({ headers: { ...headers, ...more } }));

export const json = (value: unknown): string => JSON.stringify(value);

/** Some behaviours at once: of two that differ at the same hook, the second goes on with what the first made. */
export const together = (...behaviours: readonly Behaviour[]): Behaviour =>
  behaviours.reduce((one, other) =>
    Object.assign(
      {},
      one,
      other,
      ...CHAINED.map((hook) => both(hook, one, other)),
      ...AGREED.map((hook) => all(hook, one, other)),
    ),
  );

const CHAINED = ['customer', 'tokenRecord', 'respond', 'refuse', 'around'] as const;
const AGREED = ['takesCustomer', 'takesToken'] as const;

/** What two behaviours do to the same thing, one after the other. */
function both<K extends (typeof CHAINED)[number]>(
  hook: K,
  one: Behaviour,
  other: Behaviour,
): Pick<Behaviour, K> | undefined {
  type Step = (value: unknown, ...rest: readonly unknown[]) => unknown;
  const [first, second] = [one[hook], other[hook]] as (Step | undefined)[];
  if (!first || !second) return undefined;
  const chained: Step = (value, ...rest) => second(first(value, ...rest), ...rest);
  return { [hook]: chained } as Pick<Behaviour, K>;
}

/** What both behaviours must agree to. */
function all<K extends (typeof AGREED)[number]>(
  hook: K,
  one: Behaviour,
  other: Behaviour,
): Pick<Behaviour, K> | undefined {
  type Rule = (...call: readonly unknown[]) => unknown;
  const [first, second] = [one[hook], other[hook]] as (Rule | undefined)[];
  if (!first || !second) return undefined;
  const agreed: Rule = async (...call) => (await first(...call)) && (await second(...call));
  return { [hook]: agreed } as Pick<Behaviour, K>;
}

/** Reads the members of a customer creation otherwise. */
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

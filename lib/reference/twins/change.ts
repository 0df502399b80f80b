import type { Call } from '../call.ts';
import type { Customer, Reason, Reply, TokenRecord } from '../seams.ts';
import type { Variant } from '../variant.ts';

/** Changes the response to whatever was granted. */
export const granting = (change: (reply: Reply, call: Call) => Partial<Reply>) => (): Variant => ({
  respond: (reply, call) => ({ ...reply, ...change(reply, call) }),
});

/** Changes the response to whatever was turned away. */
export const refusing =
  (change: (reply: Reply, reason: Reason, call: Call) => Partial<Reply>) => (): Variant => ({
    refuse: (reply, reason, call) => ({ ...reply, ...change(reply, reason, call) }),
  });

/** Changes both. */
export const answering = (change: (reply: Reply) => Partial<Reply>) => (): Variant => ({
  ...granting(change)(),
  ...refusing(change)(),
});

/** Changes the record of a customer. */
export const customer =
  (change: (customer: Customer, call: Call) => unknown): (() => Variant) =>
  () => ({ customer: change });

/** Changes the record of a token. */
export const record =
  (change: (record: TokenRecord) => unknown): (() => Variant) =>
  () => ({ tokenRecord: change });

/** Changes the text of every body. */
export const bodies = (change: (text: string) => string): (() => Variant) =>
  answering(({ body }) => (typeof body === 'string' ? { body: change(body) } : {}));

/** Adds fields to every response. */
export const fields = (more: Readonly<Record<string, string>>): (() => Variant) =>
  answering(({ headers }) => ({ headers: { ...headers, ...more } }));

export const json = (value: unknown): string => JSON.stringify(value);

/** Some variants at once: of two that differ at the same seam, the second goes on with what the first made. */
export const together = (...variants: readonly Variant[]): Variant =>
  variants.reduce((one, other) =>
    Object.assign(
      {},
      one,
      other,
      ...CHAINED.map((seam) => both(seam, one, other)),
      ...AGREED.map((seam) => all(seam, one, other)),
    ),
  );

const CHAINED = ['customer', 'tokenRecord', 'respond', 'refuse', 'around'] as const;
const AGREED = ['takesCustomer', 'takesToken'] as const;

/** What two variants do to the same thing, one after the other. */
function both<K extends (typeof CHAINED)[number]>(
  seam: K,
  one: Variant,
  other: Variant,
): Pick<Variant, K> | undefined {
  type Step = (value: unknown, ...rest: readonly unknown[]) => unknown;
  const [first, second] = [one[seam], other[seam]] as (Step | undefined)[];
  if (!first || !second) return undefined;
  const chained: Step = (value, ...rest) => second(first(value, ...rest), ...rest);
  return { [seam]: chained } as Pick<Variant, K>;
}

/** What both variants must agree to. */
function all<K extends (typeof AGREED)[number]>(
  seam: K,
  one: Variant,
  other: Variant,
): Pick<Variant, K> | undefined {
  type Rule = (...call: readonly unknown[]) => unknown;
  const [first, second] = [one[seam], other[seam]] as (Rule | undefined)[];
  if (!first || !second) return undefined;
  const agreed: Rule = async (...call) => (await first(...call)) && (await second(...call));
  return { [seam]: agreed } as Pick<Variant, K>;
}

/** Reads the members of a customer creation otherwise. */
export const reading =
  (change: (sent: Record<string, unknown>) => object): (() => Variant) =>
  () => ({
    parse(text, { operation }) {
      const sent: unknown = JSON.parse(text);
      return isObject(sent) && operation === 'customer' ? change(sent) : sent;
    },
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

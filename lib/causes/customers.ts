import type { Cause } from './cause.ts';
import { CROSSED } from './texts.ts';

/** A created customer. */
export interface CreatedCustomer {
  readonly id: string;
  /** The id that the request sent. */
  readonly sentId?: string | undefined;
  readonly name: string;
  readonly email: string;
  /** The whole body of the response. */
  readonly reply: string;
}

/** A name that was sent. */
interface TriedName {
  readonly name: string;
  readonly accepted: boolean;
}

/** With fewer of each kind, their lengths may differ by chance. */
const FEWEST = 3;

/** Names are rejected from some length on. */
export function causeOfRejectedNames(tried: readonly TriedName[]): Cause | undefined {
  const [accepted, rejected] = [true, false].map((kind) =>
    tried.filter((one) => one.accepted === kind).map(({ name }) => [...name].length),
  );
  const [longest, shortest] = [Math.max(...accepted!), Math.min(...rejected!)];
  if (Math.min(accepted!.length, rejected!.length) < FEWEST || longest >= shortest) return undefined;
  return {
    id: 'names-long',
    text: `names of ${shortest} characters or more are rejected, those of up to ${longest} accepted`,
    next: 'Make room for longer names, and validate only what the interface states.',
  };
}

/** The service takes over the ids that requests send, and makes the others itself. */
export function causeOfSentIds(created: readonly CreatedCustomer[]): Cause | undefined {
  const sent = created.filter(({ sentId }) => sentId !== undefined);
  const others = new Set(created.filter(({ sentId }) => sentId === undefined).map(({ id }) => id));
  if (sent.length === 0 || sent.some(({ id, sentId }) => id !== sentId)) return undefined;
  return others.size === created.length - sent.length ? TAKEN_OVER : undefined;
}

const TAKEN_OVER: Cause = {
  id: 'ids-taken-over',
  text: 'an id that the request sends is taken over',
  next: 'Copy only name and email from the request, or set the id after them.',
};

const NEXT = 'Make ids from a counter of the database, or from at least 64 random bits.';

/** The simplest rule that explains which customers share an id. @param created in the order of their responses */
export function causeOfIds(created: readonly CreatedCustomer[]): Cause | undefined {
  const ids = created.map(({ id }) => id);
  if (new Set(ids).size === ids.length) return undefined;
  if (new Set(ids).size === 1)
    return { id: 'ids-equal', text: 'every customer gets the same id', next: NEXT };
  const places = placesOf(ids);
  if (isPeriodic(places)) return { id: 'ids-repeat', text: `ids repeat after ${places.length}`, next: NEXT };
  for (const [text, of] of sources)
    if (isFunction(created, of))
      return { id: 'ids-derived', text: `the id depends on ${text} alone`, next: NEXT };
  for (const [text, of] of identities)
    if (isFunction(created, of))
      return {
        id: 'ids-found',
        text: `requests with the same ${text} get the same customer`,
        next: 'Create a customer for each request: look for an upsert, a customer that is looked up first, or a cache of responses.',
      };
  return isFunction(created, ({ reply }) => reply) ? CROSSED : (atOnce(places) ?? fromFew(places));
}

/** Responses that may overtake others. */
const OVERTAKING = 16;

/** Where each different id occurs. */
const placesOf = (ids: readonly string[]): (readonly number[])[] => [
  ...Map.groupBy(ids.keys(), (at) => ids[at]!).values(),
];

/** Whether each id occurs again when all the others have, or at least as often as they. */
function isPeriodic(places: readonly (readonly number[])[]): boolean {
  const period = places.length;
  const times = places.flat().length / period;
  if (times > 2 && places.every(({ length }) => Math.abs(length - times) < 1)) return true;
  const tolerance = Math.min(OVERTAKING, period >> 2);
  const gaps = places.flatMap((one) => one.slice(1).map((at, before) => at - one[before]!));
  return gaps.length >= FEWEST && gaps.every((gap) => Math.abs(gap - period) <= tolerance);
}

/** Each id that occurs again does so in a row. */
function atOnce(places: readonly (readonly number[])[]): Cause | undefined {
  const repeated = places.filter((one) => one.length > 1);
  const tolerance = Math.min(OVERTAKING, places.length >> 3);
  const isInRow = repeated.every((one) => one.at(-1)! - one[0]! < one.length + tolerance);
  return isInRow && repeated.length >= FEWEST
    ? { id: 'ids-at-once', text: 'requests that arrive at about the same time get the same id', next: NEXT }
    : undefined;
}

/** Most occurrences of one id that is chosen at random. */
const MOST = 6;

/** Ids repeat as often as if they were chosen at random: by the birthday problem, so many pairs show from how many. */
function fromFew(places: readonly (readonly number[])[]): Cause | undefined {
  const repeated = places.filter((one) => one.length > 1);
  if (repeated.length < FEWEST || repeated.some((one) => one.length > MOST)) return undefined;
  const pairsOf = (count: number): number => (count * (count - 1)) / 2;
  const pairs = repeated.reduce((sum, one) => sum + pairsOf(one.length), 0);
  const values = pairsOf(places.flat().length) / pairs;
  return {
    id: 'ids-few',
    text: `ids repeat as if they were chosen from about ${Number(values.toPrecision(1))}`,
    next: NEXT,
  };
}

const sources: readonly (readonly [text: string, of: (created: CreatedCustomer) => string])[] = [
  ['the name', ({ name }) => name],
  ['the lower-cased name', ({ name }) => name.toLowerCase()],
];

/** What customers are looked up by. */
const identities: typeof sources = [
  // Where no two customers had one of these alone in common, nothing shows which of them decides.
  ['name and email', ({ name, email }) => JSON.stringify([name, email])],
  ['email', ({ email }) => email],
  ['email in any case', ({ email }) => email.toLowerCase()],
];

/** Whether two customers share an id exactly if they share a value. */
function isFunction(created: readonly CreatedCustomer[], of: (created: CreatedCustomer) => string): boolean {
  const idOf = new Map<string, string>();
  for (const one of created) {
    const value = of(one);
    if ((idOf.get(value) ?? one.id) !== one.id) return false;
    idOf.set(value, one.id);
  }
  return new Set(idOf.values()).size === idOf.size;
}

/** Where the customer is, if it is not the body itself but one of its members in every response. */
export function causeOfBodies(bodies: readonly unknown[]): Cause | undefined {
  const [first] = bodies;
  if (typeof first !== 'object' || first === null) return undefined;
  const name = Object.keys(first).find((member) => bodies.every((body) => isCustomer(valueOf(body, member))));
  return name === undefined
    ? undefined
    : {
        id: 'enclosed',
        text: `the customer is not the body, but its member ${name.slice(0, 40)}`,
        next: 'Return id, name and email as members of the body itself.',
      };
}

/** A body, and the value that one of its members must have; undefined: any id of a customer. */
interface BodyWithValue {
  readonly body: unknown;
  readonly value?: string;
}

/** The name that a member has in every response, if none has it under its own. */
export function causeOfMissing(name: string, responses: readonly BodyWithValue[]): Cause | undefined {
  const [first] = responses;
  if (!first || responses.some(({ body }) => valueOf(body, name) !== undefined)) return undefined;
  const other = Object.keys(first.body ?? {}).find((candidate) =>
    responses.every(({ body, value }) => {
      const returned = valueOf(body, candidate);
      return value === undefined ? String(returned).startsWith('cus_') : returned === value;
    }),
  );
  return other === undefined
    ? undefined
    : {
        id: 'renamed',
        text: `${name} is returned as ${other.slice(0, 40)}`,
        next: `Name the member ${name} in responses, as the interface does.`,
      };
}

const valueOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

const isCustomer = (value: unknown): boolean =>
  ['id', 'name', 'email'].every((name) => typeof valueOf(value, name) === 'string');

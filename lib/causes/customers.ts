import { MIN_SAMPLE } from './cause.ts';
import type { Cause } from './cause.ts';
import { beginAgain, correspond, patternOf, periodOf } from './repeats.ts';
import { withoutAccents, withoutTag } from './text-changes.ts';
import { CROSSED } from './texts.ts';

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

/** Names are rejected from some length on. */
export function causeOfRejectedNames(tried: readonly TriedName[]): Cause | undefined {
  const [accepted, rejected] = [true, false].map((kind) =>
    tried.filter((one) => one.accepted === kind).map(({ name }) => [...name].length),
  );
  const [longest, shortest] = [Math.max(...accepted!), Math.min(...rejected!)];
  if (Math.min(accepted!.length, rejected!.length) < MIN_SAMPLE || longest >= shortest) return undefined;
  return {
    id: 'names-long',
    text: `names of ${shortest} characters or more are rejected, those of up to ${longest} accepted`,
    next: 'Make room for longer names, and validate only what the interface states.',
  };
}

/** The service uses the ids that requests send, perhaps only those of the form of its own, and makes the others itself. */
export function causeOfSentIds(created: readonly CreatedCustomer[]): Cause | undefined {
  const sent = created.filter(({ sentId }) => sentId !== undefined);
  const others = new Set(created.filter(({ sentId }) => sentId === undefined).map(({ id }) => id));
  const isTaken = ({ id, sentId }: CreatedCustomer): boolean => sentId !== undefined && id.endsWith(sentId);
  const isExplained = (one: CreatedCustomer): boolean => isTaken(one) || !one.sentId!.startsWith('cus_');
  if (!sent.some(isTaken) || !sent.every(isExplained)) return undefined;
  return others.size === created.length - sent.length ? TAKEN_OVER : undefined;
}

const TAKEN_OVER: Cause = {
  id: 'ids-taken-over',
  text: 'an id that the request sends is used',
  next: 'Copy only name and email from the request, or set the id after them.',
};

const MAKE_UNIQUE_IDS = 'Make ids from a counter of the database, or from at least 64 random bits.';

const RESTARTED: Cause = {
  id: 'ids-restart',
  text: 'ids start over in the same order',
  next: 'Keep a counter where a restart does not reset it, and seed a random generator differently in each process.',
};

/** The simplest rule that explains which customers share an id. @param created in the order of their responses */
export function causeOfIds(created: readonly CreatedCustomer[]): Cause | undefined {
  const ids = created.map(({ id }) => id);
  if (new Set(ids).size === ids.length) return undefined;
  if (new Set(ids).size === 1)
    return { id: 'ids-equal', text: 'every customer gets the same id', next: MAKE_UNIQUE_IDS };
  const cause = (text: string): Cause => ({ id: 'ids-repeat', text: `ids ${text}`, next: MAKE_UNIQUE_IDS });
  const period = periodOf(ids);
  if (period !== undefined) return cause(period);
  const isBy = (of: (customer: CreatedCustomer) => string, among = created): boolean =>
    correspond(
      among.map(({ id }) => id),
      among.map(of),
    );
  const areFound = isBy(({ reply }) => reply);
  for (const [text, of] of sources)
    if (isBy(of))
      return areFound
        ? found(text)
        : { id: 'ids-derived', text: `the id depends on the ${text} alone`, next: MAKE_UNIQUE_IDS };
  for (const [text, of] of identities)
    if (isBy(of))
      return areFound
        ? found(text)
        : { ...found(text), text: `requests with the same ${text} get the same id` };
  const sharing = created.filter(({ id }, at) => ids.indexOf(id) !== at || ids.lastIndexOf(id) !== at);
  if (isBy(({ reply }) => reply, sharing))
    for (const [text, of] of identities) if (isBy(of, sharing)) return found(text, 'some requests');
  if (areFound) return CROSSED;
  if (beginAgain(ids)) return RESTARTED;
  const pattern = patternOf(ids);
  return pattern === undefined ? undefined : cause(pattern);
}

const sources: readonly (readonly [text: string, of: (created: CreatedCustomer) => string])[] = [
  ['name', ({ name }) => name],
  ['name in any case', ({ name }) => name.toLowerCase()],
  ['name in any case, without white space at its ends', ({ name }) => name.trim().toLowerCase()],
];

const found = (what: string, which = 'requests'): Cause => ({
  id: 'ids-found',
  text: `${which} with the same ${what} get the same customer`,
  next: 'Create a customer for each request, with an id of its own: look for an upsert, a customer that is looked up first, a cache of responses, or an id that is made from what was sent.',
});

const nameAndEmail = ({ name, email }: CreatedCustomer): string => JSON.stringify([name, email]);

/** What customers are looked up by. */
const identities: typeof sources = [
  // If no two customers had only one of these in common, nothing shows which of them decides.
  ['name and email', nameAndEmail],
  ['email', ({ email }) => email],
  ['email in any case', ({ email }) => email.toLowerCase()],
  ['email without its tag', ({ email }) => withoutTag(email)],
  [
    'email without case, accents and spaces at its end',
    ({ email }) => withoutAccents(email).toLowerCase().trimEnd(),
  ],
  ['email in any case, without its tag', ({ email }) => withoutTag(email).toLowerCase()],
];

/** The member or item of every body that is the customer, if the body itself is not. */
export function causeOfBodies(bodies: readonly unknown[]): Cause | undefined {
  const [first] = bodies;
  if (typeof first !== 'object' || first === null) return undefined;
  const name = Object.keys(first).find((member) => bodies.every((body) => isCustomer(valueOf(body, member))));
  if (name === undefined) return undefined;
  const enclosed = (text: string): Cause => ({
    id: 'enclosed',
    text: `the customer is not the body, but ${text}`,
    next: 'Return id, name and email as members of the body itself.',
  });
  return bodies.every(Array.isArray)
    ? enclosed('an item of an array')
    : enclosed(`its member ${name.slice(0, 40)}`);
}

/** A body, and the value that one of its members must have; undefined: any id of a customer. */
interface BodyWithValue {
  readonly body: unknown;
  readonly value?: string;
}

/** The other name that a member has in every response, if none has it under its own name. */
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

/** A member is in every response the only item of an array. */
export function causeOfListed(name: string, responses: readonly BodyWithValue[]): Cause | undefined {
  const areListed = responses.every(({ body, value }) => {
    const returned = valueOf(body, name);
    return (
      Array.isArray(returned) &&
      returned.length === 1 &&
      (value === undefined ? typeof returned[0] === 'string' : returned[0] === value)
    );
  });
  return responses.length > 0 && areListed
    ? {
        id: 'listed',
        text: `${name} is returned in an array`,
        next: 'Return one text: look for a type with several values, such as a header, a form or a vector (R: auto_unbox = TRUE).',
      }
    : undefined;
}

const valueOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

const isCustomer = (value: unknown): boolean =>
  ['id', 'name', 'email'].every((name) => typeof valueOf(value, name) === 'string');

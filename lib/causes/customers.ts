import type { Cause } from './cause.ts';
import { CROSSED } from './texts.ts';

/** A created customer. */
export interface CreatedCustomer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The whole body of the response. */
  readonly reply: string;
}

const NEXT = 'Make ids from a counter of the database, or from at least 64 random bits.';

/** The simplest rule that explains which customers share an id. @param created in the order of their responses */
export function causeOfIds(created: readonly CreatedCustomer[]): Cause | undefined {
  const ids = created.map(({ id }) => id);
  if (new Set(ids).size === ids.length) return undefined;
  if (new Set(ids).size === 1)
    return { id: 'ids-equal', text: 'every customer gets the same id', next: NEXT };
  const period = ids.indexOf(ids[0]!, 1);
  if (period > 0 && ids.every((id, at) => at < period || id === ids[at - period]))
    return { id: 'ids-repeat', text: `ids repeat after ${period}`, next: NEXT };
  for (const [text, of] of sources)
    if (isFunction(created, of))
      return { id: 'ids-derived', text: `the id depends on ${text} alone`, next: NEXT };
  return isFunction(created, ({ reply }) => reply) ? CROSSED : undefined;
}

const sources: readonly (readonly [text: string, of: (created: CreatedCustomer) => string])[] = [
  ['the name', ({ name }) => name],
  ['the lower-cased name', ({ name }) => name.toLowerCase()],
  ['the email', ({ email }) => email],
  ['the name and the email', ({ name, email }) => JSON.stringify([name, email])],
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

const valueOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

const isCustomer = (value: unknown): boolean =>
  ['id', 'name', 'email'].every((name) => typeof valueOf(value, name) === 'string');

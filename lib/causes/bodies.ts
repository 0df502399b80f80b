import type { Cause } from './cause.ts';

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

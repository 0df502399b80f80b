import type { CustomerRequest, TokenRequest } from '../inputs/schemas.ts';
import type { Call } from './call.ts';

/** A hook may take its time, as a database does; concurrency faults live in that time. */
type Awaitable<T> = T | Promise<T>;

/** A customer on its way out. */
export interface Customer extends CustomerRequest {
  readonly id: string;
}

/** A token on its way out. */
export interface TokenRecord extends TokenRequest {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** A whole response; the body may be cut, wrapped or dropped. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Why a request is turned away: what it lacks, or what this service does not take. */
export type Reason = 'credential' | 'body' | 'values' | 'method' | 'path';

/**
 * Where a fault, or a choice of its own, takes the place of what the plainest service does. Each hook
 * gets what the service would have gone on with, and returns what it goes on with instead: `unknown`
 * wherever a fault may put a value of any type.
 */
export interface Hooks {
  /** The path by which the operation is found. */
  readonly route?: (path: string) => string;
  /** Whether the request may go on. */
  readonly authenticate?: (call: Call) => Awaitable<boolean>;
  /** The body's bytes as text. */
  readonly decode?: (bytes: Uint8Array, call: Call) => Awaitable<string>;
  /** The text as JSON; what it throws means that the body is malformed. */
  readonly parse?: (text: string, call: Call) => unknown;
  /** Whether the service takes these values. */
  readonly takesCustomer?: (submitted: CustomerRequest, call: Call) => Awaitable<boolean>;
  readonly takesToken?: (submitted: TokenRequest, call: Call) => Awaitable<boolean>;
  readonly id?: (fresh: string, submitted: CustomerRequest, call: Call) => unknown;
  readonly name?: (submitted: string, call: Call) => unknown;
  readonly email?: (submitted: string, call: Call) => unknown;
  readonly customer?: (customer: Customer, call: Call) => unknown;
  /** The text of a response with a customer. */
  readonly serialise?: (customer: Customer, call: Call) => Awaitable<string | Uint8Array<ArrayBuffer>>;
  readonly token?: (fresh: string, submitted: TokenRequest, call: Call) => unknown;
  readonly tokenRecord?: (record: TokenRecord, call: Call) => unknown;
  /** The response to a request that was accepted. */
  readonly respond?: (reply: Reply, call: Call) => Reply;
  /** The response to a request that was turned away. */
  readonly refuse?: (reply: Reply, reason: Reason, call: Call) => Reply;
}

/** The scopes that the plainest service takes. */
export const takesScopes = (scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => /^[a-z]+:[a-z]+$/.test(scope));

/** The lifetimes that it takes, in seconds. */
export const takesLifetime = (lifetime: number): boolean => lifetime >= 1 && lifetime <= 86_400;

/** What the plainest service does at each hook; it finds its operations by Hono's own routing. */
export const correct: Required<Omit<Hooks, 'route'>> = {
  authenticate: ({ hasKey }) => hasKey,
  decode: (_, { text }) => text,
  parse: (text) => JSON.parse(text) as unknown,
  takesCustomer: () => true,
  takesToken: ({ scopes, expires_in: lifetime }) => takesScopes(scopes) && takesLifetime(lifetime),
  id: (fresh) => fresh,
  name: (submitted) => submitted,
  email: (submitted) => submitted,
  customer: (customer) => customer,
  serialise: (customer) => JSON.stringify(customer),
  token: (fresh) => fresh,
  tokenRecord: (record) => record,
  respond: (reply) => reply,
  refuse: (reply) => reply,
};

import type { RequestListener, Server } from 'node:http';
import type { CustomerRequest, TokenRequest } from '../schemas/interface.ts';
import type { Call } from './call.ts';

/** Hooks may be asynchronous: concurrency faults need time between two steps. */
type Awaitable<T> = T | Promise<T>;

/** The record of a new customer. */
export interface Customer extends CustomerRequest {
  readonly id: string;
}

/** The record of a new token. */
export interface TokenRecord extends TokenRequest {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** A complete response. */
export interface ServiceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Why a request is rejected; `values`: they are valid by the interface, but this service does not accept them. */
export type Reason = 'credential' | 'body' | 'values' | 'method' | 'path';

/**
 * Where a fault or a variant changes the service. Each hook gets the value of the reference service, and returns the one
 * to continue with: `unknown` where a fault may return a value of any type.
 */
export interface ServiceHooks {
  /** The path by which the operation is found. */
  readonly route?: (path: string) => string;
  /** Whether the request is authenticated. */
  readonly authenticate?: (call: Call) => Awaitable<boolean>;
  /** The body as text. */
  readonly decode?: (bytes: Uint8Array, call: Call) => Awaitable<string>;
  /** The text as JSON. @throws when the body is malformed */
  readonly parse?: (text: string, call: Call) => unknown;
  /** Whether the service accepts these values. */
  readonly acceptsCustomer?: (submitted: CustomerRequest, call: Call) => Awaitable<boolean>;
  readonly acceptsToken?: (submitted: TokenRequest, call: Call) => Awaitable<boolean>;
  readonly id?: (fresh: string, submitted: CustomerRequest, call: Call) => unknown;
  readonly name?: (submitted: string, call: Call) => unknown;
  readonly email?: (submitted: string, call: Call) => unknown;
  readonly customer?: (customer: Customer, call: Call) => unknown;
  /** The body of a response with a customer. */
  readonly serialise?: (customer: Customer, call: Call) => Awaitable<string | Uint8Array<ArrayBuffer>>;
  readonly token?: (fresh: string, submitted: TokenRequest, call: Call) => unknown;
  readonly tokenRecord?: (record: TokenRecord, call: Call) => unknown;
  /** The response to an accepted request. */
  readonly respond?: (reply: ServiceReply, call: Call) => ServiceReply;
  /** The response to a rejected request. */
  readonly reject?: (reply: ServiceReply, reason: Reason, call: Call) => ServiceReply;
}

/** How a service differs from the reference: in its answers, or below HTTP. */
export interface Behaviour extends ServiceHooks {
  /** Wraps the whole service, to change timing, connections or bytes. */
  readonly around?: Middleware;
  /** Configures the server, such as its time-outs. */
  readonly server?: (server: Server) => void;
  /** Path in front of those of the operations; default: none. */
  readonly base?: string;
  /** Whether it is served over TLS, with a certificate of a private authority. */
  readonly isSecure?: boolean;
}

export type Middleware = (inner: RequestListener) => RequestListener;

/** Whether the reference service accepts these scopes. */
export const acceptsScopes = (scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => /^[a-z]+:[a-z]+$/.test(scope));

/** Whether the reference service accepts this lifetime, in seconds. */
export const acceptsLifetime = (lifetime: number): boolean => lifetime >= 1 && lifetime <= 86_400;

/** Whether the reference service issues such a token. */
export const acceptsIssuing = (request: TokenRequest): boolean =>
  acceptsScopes(request.scopes) && acceptsLifetime(request.expires_in);

/** The hooks of the reference service. Without `route`, Hono finds the operations on its own. */
export const defaults: Required<Omit<ServiceHooks, 'route'>> = {
  authenticate: ({ hasKey }) => hasKey,
  decode: (_, { text }) => text,
  parse: (text) => JSON.parse(text) as unknown,
  acceptsCustomer: () => true,
  acceptsToken: acceptsIssuing,
  id: (fresh) => fresh,
  name: (submitted) => submitted,
  email: (submitted) => submitted,
  customer: (customer) => customer,
  serialise: (customer) => JSON.stringify(customer),
  token: (fresh) => fresh,
  tokenRecord: (record) => record,
  respond: (reply) => reply,
  reject: (reply) => reply,
};

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

export interface IssuedToken {
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** One request, as the service reads it. */
export interface Call {
  /** The static key of the service. */
  readonly key: string;
  /** The credential in the Bearer scheme; undefined when there is none. */
  readonly credential: string | undefined;
  /** Whether the credential is the static key. */
  readonly hasKey: boolean;
  /** The token that the credential is; undefined if it is not one, or has expired. */
  readonly token: IssuedToken | undefined;
  readonly operation: 'customer' | 'token' | undefined;
  readonly url: URL;
  /** The request as it was sent, with its raw target and headers; undefined without a listening server. */
  readonly incoming: IncomingMessage | undefined;
  readonly header: (name: string) => string | undefined;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly text: string;
  /** The number of this request to the service, from 1. */
  readonly number: number;
  /** How many requests are in flight now, this one included. */
  readonly inFlight: () => number;
  /** Identifies the connection, as a key of a WeakMap. */
  readonly connection: object;
}

/** What Hono keeps with each request; without a listening server, there are no bindings. */
export interface HonoEnvironment {
  Bindings: Partial<HttpBindings>;
  Variables: { call: Call };
}

const operations: Readonly<Record<string, Call['operation']>> = {
  '/v1/customers': 'customer',
  '/v2/tokens': 'token',
};

/** Makes the middleware that reads the requests of one service. */
export function callReader(key: string, findToken: (text: string) => IssuedToken | undefined) {
  let count = 0;
  let inFlight = 0;
  const read = async (context: Context<HonoEnvironment>, number: number): Promise<Call> => {
    const url = new URL(context.req.url);
    // HTTP/2 names the host in the request target only (RFC 9113, section 8.3.1).
    const header = (name: string): string | undefined =>
      context.req.header(name) ?? (name === 'Host' ? url.host : undefined);
    const credential = /^bearer (\S+)$/i.exec(header('Authorization') ?? '')?.[1];
    const incoming = context.env?.incoming;
    const bytes = new Uint8Array(await context.req.arrayBuffer());
    return {
      key,
      credential,
      hasKey: credential !== undefined && isSame(credential, key),
      token: credential === undefined ? undefined : findToken(credential),
      operation: operations[context.req.path],
      url,
      incoming,
      header,
      bytes,
      text: new TextDecoder().decode(bytes),
      number,
      inFlight: () => inFlight,
      connection: connectionOf(incoming) ?? context,
    };
  };
  return async (context: Context<HonoEnvironment>, next: () => Promise<void>): Promise<void> => {
    inFlight++;
    try {
      context.set('call', await read(context, ++count));
      await next();
    } finally {
      inFlight--;
    }
  };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** In HTTP/2 a connection has many streams, and Node makes a pseudo-socket for each. */
const connectionOf = (incoming: HttpBindings['incoming'] | Http2Bindings['incoming'] | undefined) =>
  incoming && 'stream' in incoming ? incoming.stream.session : incoming?.socket;

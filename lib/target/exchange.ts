import type { StopCause } from '../schemas/evidence.ts';
import type { Trouble } from '../schemas/exchange.ts';
import type { Route } from '../settings/route.ts';
import type { Credential } from './credential.ts';
import type { Reply } from './reply.ts';

/** A request below the base URL; `asSent` adds the headers of the route. */
export interface Request {
  readonly method: string;
  /** Path and query below the base URL, sent verbatim. */
  readonly path: string;
  readonly credential: Credential | undefined;
  /** Further fields, in order; the client adds Host, Content-Length and Connection. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
  /** The body before its content coding (RFC 9110, section 8.4), which is gzip; undefined: it has none. */
  readonly uncoded?: Buffer;
  /**
   * The text before the host in a request target in absolute form (RFC 9112, section 3.2.2), such as `user@`; absent:
   * it is in origin form.
   */
  readonly absolute?: string | undefined;
  /** Whether to ask for the connection to be closed afterwards. */
  readonly close?: boolean;
  /** Whether the body is sent in chunks (RFC 9112, section 7.1). */
  readonly chunked?: boolean;
}

/** The path of a request, without its query. */
export const pathOf = ({ path }: Pick<Request, 'path'>): string => path.replace(/\?.*/, '');

/** The body as a text, before its content coding; empty where there is none. */
export const bodyText = ({ body, uncoded = body }: Request): string => uncoded?.toString() ?? '';

/** One request and its final response. It holds secrets: see `Redactor`. */
export interface Exchange {
  /** Counts from 1 over the run, in the order of completion. */
  readonly number: number;
  /** Why it was sent, and which requests it waited for: the name of a scenario, `open questions`, `limit` (which looks for one), or `alone`. */
  readonly queue: string;
  readonly request: Request;
  readonly url: string;
  /** The route to the target; some of its headers were sent with the request. */
  readonly route: Route;
  readonly reply: Reply;
  /** The troubles of earlier tries of the request. */
  readonly troubles: readonly Trouble[];
  /** Milliseconds from the start of the run until the request was sent. */
  readonly startedAt: number;
  /** Milliseconds from sending until the status and fields of the response were there. */
  readonly firstByte: number;
  /** Milliseconds from sending until the response was complete. */
  readonly duration: number;
  /** When that was, in milliseconds since 1970. */
  readonly answeredAt: number;
  /** Requests in flight when this one was answered, itself included. */
  readonly inFlight: number;
}

/** A request had no final response within the tries allowed. Never a verdict on its own. */
export class NoReply extends Error {
  override readonly name = 'NoReply';
  readonly request: Request;
  readonly troubles: readonly Trouble[];
  /** The beginning of a response that is too long. */
  readonly part: Exchange | undefined;
  /** The number of the last exchange when it was given up. */
  readonly after: number;
  constructor(request: Request, troubles: readonly Trouble[], part?: Exchange, after = 0) {
    super(
      `no complete response to ${request.method} ${request.path}: ${troubles.at(-1)?.detail ?? 'unknown'}`,
    );
    this.request = request;
    this.troubles = troubles;
    this.part = part;
    this.after = after;
  }
}

/** Whether the connection was closed without any part of a response at every try, except those that were throttled. */
export function wereAllClosed(troubles: readonly Trouble[]): boolean {
  const tries = troubles.filter(({ kind }) => kind !== 'throttled');
  return tries.length > 0 && tries.every(({ kind, begun }) => kind === 'reset' && begun === undefined);
}

/** Whether the connection was closed at every try, each time after a part of a response, which undici may misread. */
export const wereAllIncomplete = (troubles: readonly Trouble[]): boolean =>
  troubles.at(-1)?.kind === 'reset' &&
  troubles.every(({ kind, begun }) => ['reset', 'misread'].includes(kind) && begun !== undefined);

/** The run may not send any more. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** Undefined: nothing ended early. */
  readonly stopCause: StopCause | undefined;
  constructor(message: string, stopCause?: StopCause) {
    super(message);
    this.stopCause = stopCause;
  }
}

import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { Dial } from './dial.ts';
import type { Trouble } from '../../schemas/exchange.ts';
import type { Request } from '../exchange.ts';
import { readPart, readReply, responseLimit } from '../reply.ts';
import type { Reply } from '../reply.ts';
import { afterRunning } from '../pace/running-time.ts';
import { INVALID_HTTP, MAX_HEADER_SIZE, troubleOf } from '../trouble.ts';
import type { Barrier } from './barrier.ts';

/** The result of one attempt to send a request: a complete response, or what prevented one. Times in milliseconds. */
export type Attempt =
  | TimedReply
  | {
      readonly trouble: Trouble;
      readonly sentAt: number;
      /** Whether the target closed a connection that had been used before, as it may close an idle one at any time. */
      readonly isStale?: boolean;
      /** The beginning of a response that is too long. */
      readonly part?: TimedReply;
      /** Status and headers of a response whose connection was closed before its end. */
      readonly incomplete?: TimedReply;
    };

/** A reply, and when it came. */
export interface TimedReply {
  readonly reply: Reply;
  readonly firstByte: number;
  readonly duration: number;
  readonly sentAt: number;
}

/** One or more connections to a target. */
export interface Channel {
  /**
   * Sends exactly the bytes of a request, once, and reads its response up to a limit. It follows no redirect, retries
   * nothing and keeps no cookie.
   * @param request as the first host receives it: see `asSent`
   * @param timeout milliseconds for the whole exchange
   * @param barrier holds the last byte of the body back until all requests have arrived
   */
  readonly attempt: (request: Request, timeout: number, barrier?: Barrier) => Promise<Attempt>;
  /** How many connections were opened. */
  readonly connects: () => number;
  /** How many connections are open without a request on them. */
  readonly idle: () => number;
  /** Closes each connection once its requests are answered. */
  readonly retire: () => void;
  readonly close: () => void;
}

export type Open = (origin: string, connections: number, dial: Dial) => Channel;

/** A response before its body. */
interface Head {
  readonly status: number;
  readonly fields: Readonly<Record<string, string | string[] | undefined>>;
  /** When status and fields were complete (`performance.now()`). */
  readonly firstByteAt: number;
}

/** A complete response, not decoded yet. */
export interface Received extends Head {
  readonly raw: Buffer;
  /** Whether `raw` is only its beginning, as it is longer than the limit. */
  readonly isPart: boolean;
}

/** The target closed a connection that had been used before, while the next request was sent. */
export class StaleConnection extends Error {}

/** A response ended before it was complete, though its status and headers had arrived. */
export class IncompleteResponse extends Error {
  readonly head: Head;
  /** Bytes of its body that had arrived. */
  readonly length: number;

  constructor(head: Head, length: number, cause: unknown) {
    super(undefined, { cause });
    this.head = head;
    this.length = length;
  }
}

/**
 * Opens a pool of undici. HTTP/1.1 only: HTTP/2 would rename and reorder fields. One timer bounds the whole exchange
 * (see `attemptWith`), as undici's own timers are coarse.
 */
export const openUndici: Open = (origin, connections, dial) => {
  const { host } = new URL(origin);
  const pool = new Pool(origin, {
    connections,
    connect: (_, callback) =>
      void dial().then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      ),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_SIZE,
  });
  let connects = 0;
  pool.on('connect', () => connects++);
  return {
    attempt: (request, milliseconds, barrier) =>
      attemptWith(milliseconds, request, async (signal, limit) => {
        const { statusCode, headers, body } = await pool.request({
          method: request.method,
          path: request.path,
          headers: ['Host', hostFieldOf(request, host), ...fieldList(request)],
          body: bodyOf(request, barrier),
          reset: request.close ?? false,
          signal,
        });
        return readUpTo(limit, body, {
          status: statusCode,
          fields: headers,
          firstByteAt: performance.now(),
        });
      }),
    connects: () => connects,
    idle: () => pool.stats.free,
    retire: () => void pool.close().catch(() => {}),
    // Not awaited: it would wait for connections that are still being opened.
    close: () => void pool.destroy().catch(() => {}),
  };
};

/** Reads a body, or its beginning. @param limit in bytes @throws {IncompleteResponse} */
export async function readUpTo(limit: number, body: Readable, head: Head): Promise<Received> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop early closes the connection.
      if (length > limit) return { ...head, raw: Buffer.concat(chunks, limit), isPart: true };
    }
  } catch (error) {
    throw new IncompleteResponse(head, length, error);
  }
  return { ...head, raw: Buffer.concat(chunks), isPart: false };
}

/**
 * Measures one attempt and turns errors into troubles.
 * @param timeout milliseconds for the whole of it, while this process runs
 */
export async function attemptWith(
  timeout: number,
  request: Request,
  receive: (signal: AbortSignal, limit: number) => Promise<Received>,
): Promise<Attempt> {
  const limit = responseLimit(request);
  const late = new AbortController();
  // A client may look at the signal only once it has a connection.
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const cancel = afterRunning(timeout, () => {
    late.abort(new DOMException('too late', 'TimeoutError'));
    reject(late.signal.reason);
  });
  const sentAt = performance.now();
  try {
    const { status, fields, firstByteAt, raw, isPart } = await Promise.race([
      receive(late.signal, limit),
      timedOut,
    ]);
    const received = { firstByte: firstByteAt - sentAt, duration: performance.now() - sentAt, sentAt };
    if (!isPart) return { reply: readReply(status, joinFields(fields), raw, limit), ...received };
    const part = readPart(status, joinFields(fields), raw);
    const trouble = { kind: 'oversized', detail: `the response is longer than ${limit} bytes` } as const;
    return { trouble, sentAt, ...(part && { part: { reply: part, ...received } }) };
  } catch (error) {
    if (error instanceof IncompleteResponse) {
      const trouble = { ...troubleOf(error.cause, timeout), begun: error.head.status };
      return {
        trouble,
        sentAt,
        ...(trouble.kind === 'reset' && { incomplete: incompleteReply(error, sentAt, trouble) }),
      };
    }
    return { trouble: troubleOf(error, timeout), sentAt, isStale: error instanceof StaleConnection };
  } finally {
    cancel();
  }
}

/** The headers of an incomplete response that are kept. */
const KEPT_FIELDS =
  /^(?:content-(?:type|length|encoding)|transfer-encoding|connection|date|allow|www-authenticate|retry-after|cache-control)$/;

/** A response without its body, and without headers of its own: a token in them would not be found. */
function incompleteReply(
  { head: { status, fields, firstByteAt }, length }: IncompleteResponse,
  sentAt: number,
  { code, detail }: Trouble,
): TimedReply {
  const all = Object.entries(joinFields(fields));
  const joined = Object.fromEntries(all.filter(([name]) => KEPT_FIELDS.test(name)));
  const stated = joined['content-length'];
  const read = stated === undefined ? length : `${length} of ${stated}`;
  const notJson =
    code === INVALID_HTTP
      ? `${detail}, after ${read} bytes of its body`
      : `the connection was closed after ${read} bytes of it`;
  return {
    reply: { status, fields: joined, text: '', json: undefined, notJson, utf8: true, isIncomplete: true },
    firstByte: firstByteAt - sentAt,
    duration: performance.now() - sentAt,
    sentAt,
  };
}

const isHost = (name: string): boolean => name.toLowerCase() === 'host';

/** The host that a request names (RFC 9110, section 7.2). @param host of the connection, unless it names another one */
export const hostFieldOf = ({ fields }: Request, host: string): string =>
  fields.find(([name]) => isHost(name))?.[1] ?? host;

/** The fields of a request, flat, in order, without Host. */
export function fieldList({ credential, fields, body, chunked }: Request): string[] {
  const list: string[] = [];
  if (credential) list.push(credential.field, credential.value);
  for (const [name, value] of fields) if (!isHost(name)) list.push(name, value);
  if (body && !chunked) list.push('Content-Length', String(body.length));
  return list;
}

/** The body of a request: a stream where it goes in chunks or through a barrier. */
export function bodyOf({ body, chunked }: Request, barrier: Barrier | undefined): Buffer | Readable | null {
  if (body === undefined) return null;
  if (barrier) return Readable.from(barrier.hold(body), { objectMode: false });
  return chunked ? Readable.from(piecesOf(body), { objectMode: false }) : body;
}

/** Maximum number of bytes of a chunk: a prime, so that characters of any size lie across the ends of some. */
const LONGEST_CHUNK = 1021;

/** A body in at least two pieces, as some services decode each chunk on its own. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  const size = Math.min(LONGEST_CHUNK, Math.ceil(body.length / 2));
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

/** Fields by lower-case name, repeated ones joined. */
function joinFields(fields: Received['fields']): Record<string, string> {
  const joined: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

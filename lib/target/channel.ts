import { Readable } from 'node:stream';
import type { Request, Trouble } from './exchange.ts';
import type { Gate } from './gate.ts';
import { RESPONSE_LIMIT, readReply } from './reply.ts';
import type { Reply } from './reply.ts';
import { troubleOf } from './trouble.ts';

/** Identifies the suite to whoever reads the target's log (RFC 9110, section 10.1.5). */
export const USER_AGENT = 'cts-conformance/0.1 (+conformance test)';

/** What one try came to: a complete response, or trouble on the way. Times in milliseconds. */
export type Attempt =
  | { readonly reply: Reply; readonly firstByte: number; readonly duration: number; readonly sentAt: number }
  | {
      readonly trouble: Trouble;
      readonly sentAt: number;
      /** Whether it met the end of a connection that had been used before: those end whenever the target likes. */
      readonly isStale?: boolean;
    };

/** One or more connections to a target. */
export interface Channel {
  /**
   * Sends one request once, with exactly its bytes, and reads its response within bounds. Nothing is
   * followed, retried or kept.
   * @param timeout milliseconds for the whole exchange
   * @param gate holds the last byte of the body back until it is open
   */
  readonly attempt: (request: Request, path: string, timeout: number, gate?: Gate) => Promise<Attempt>;
  /** How often a connection was opened. */
  readonly connects: () => number;
  /** Ends what has begun, and its connections with it; absent: another channel never takes its place. */
  readonly retire?: () => void;
  readonly close: () => Promise<void>;
}

/** Opens a channel. @param timeout milliseconds for opening a connection */
export type Open = (origin: string, connections: number, timeout: number) => Channel;

/** A response whose body is whole, as it came. */
export interface Received {
  readonly status: number;
  readonly fields: Readonly<Record<string, string | string[] | undefined>>;
  /** When the fields were there (`performance.now()`). */
  readonly firstByteAt: number;
  readonly raw: Buffer;
}

/** A connection that had been used before was closed as the next request was about to use it. */
export class Stale extends Error {}

/** Measures one try and tells a response from trouble. @param milliseconds for the whole of it */
export async function attemptWith(
  milliseconds: number,
  receive: (onLate: (end: (reason: Error) => void) => void) => Promise<Received>,
): Promise<Attempt> {
  const sentAt = performance.now();
  let end: ((reason: Error) => void) | undefined;
  const timer = setTimeout(
    () => end?.(new DOMException('too late', 'TimeoutError')),
    Math.ceil(milliseconds),
  );
  try {
    const { status, fields, firstByteAt, raw } = await receive((ends) => (end = ends));
    const duration = performance.now() - sentAt;
    const reply = readReply(status, joinFields(fields), raw, RESPONSE_LIMIT);
    return { reply, firstByte: firstByteAt - sentAt, duration, sentAt };
  } catch (error) {
    return { trouble: troubleOf(error, milliseconds), sentAt, isStale: error instanceof Stale };
  } finally {
    clearTimeout(timer);
  }
}

/** The fields of a request, flat, in order. */
export function fieldList({ credential, fields, body, chunked }: Request): string[] {
  const list: string[] = [];
  if (credential) list.push(credential.field, credential.value);
  for (const [name, value] of fields) list.push(name, value);
  if (body && !chunked) list.push('Content-Length', String(body.length));
  return list;
}

/** The body of a request as it leaves. */
export function bodyOf({ body, chunked }: Request, gate: Gate | undefined): Buffer | Readable | null {
  if (body === undefined) return null;
  if (gate) return Readable.from(gate.hold(body), { objectMode: false });
  return chunked ? Readable.from([body]) : body;
}

/** Fields by lower-case name, repeated ones joined. */
function joinFields(fields: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

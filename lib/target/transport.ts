import { Readable } from 'node:stream';
import { Client, Pool, errors } from 'undici';
import type { Dispatcher } from 'undici';
import type { Request, Trouble } from './exchange.ts';
import { readReply } from './reply.ts';
import type { Reply } from './reply.ts';

/** Bytes of a response that are read at most; a customer of thousands of characters is far below. */
export const RESPONSE_LIMIT = 1024 * 1024;

/** Milliseconds that a last byte is held back at most. */
const LONGEST_HOLD = 1_000;

/** Identifies the suite to whoever reads the target's log (RFC 9110, section 10.1.5). */
export const USER_AGENT = 'cts-conformance/0.1 (+conformance test)';

/** What one try came to: a complete response, or trouble on the way. */
export type Attempt =
  | { readonly reply: Reply; readonly firstByte: number; readonly duration: number; readonly sentAt: number }
  | { readonly trouble: Trouble; readonly sentAt: number };

// Verbatim over HTTP/1.1: no second protocol that would rename fields or reorder them. Time is
// bounded by one signal over the whole exchange, as undici's own timers are coarse.
const options = {
  allowH2: false,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 64 * 1024,
  maxResponseSize: RESPONSE_LIMIT,
} as const;

/** Connections to one origin, shared by as many requests as there are connections. */
export const openPool = (origin: string, connections: number, timeout: number): Pool =>
  new Pool(origin, { ...options, connections, connectTimeout: timeout });

/** A single connection of its own. */
export const openConnection = (origin: string, timeout: number): Client =>
  new Client(origin, { ...options, connectTimeout: timeout });

/**
 * Sends one request once, with exactly its bytes, and reads its response within bounds. Nothing is
 * followed, retried or kept.
 * @param lastByte when given, the last byte of the body is held back until it resolves
 */
export async function attempt(
  dispatcher: Dispatcher,
  request: Request,
  path: string,
  timeout: number,
  lastByte?: Gate,
): Promise<Attempt> {
  const signal = AbortSignal.timeout(Math.ceil(timeout));
  const sentAt = performance.now();
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      method: request.method,
      path,
      headers: fieldList(request),
      body: lastByte ? lastByte.hold(request.body!) : bodyOf(request),
      reset: request.close ?? false,
      signal,
    });
    const firstByte = performance.now() - sentAt;
    const raw = Buffer.from(await body.arrayBuffer());
    const duration = performance.now() - sentAt;
    const reply = readReply(statusCode, joinFields(headers), raw, RESPONSE_LIMIT);
    return { reply, firstByte, duration, sentAt };
  } catch (error) {
    return { trouble: troubleOf(error, timeout), sentAt };
  }
}

function bodyOf({ body, chunked }: Request): Buffer | Readable | null {
  if (body === undefined) return null;
  return chunked ? Readable.from([body]) : body;
}

function fieldList(request: Request): string[] {
  const { credential, fields, body, chunked } = request;
  const list: string[] = [];
  if (credential) list.push(credential.field, credential.value);
  for (const [name, value] of fields) list.push(name, value);
  if (body && !chunked) list.push('Content-Length', String(body.length));
  return list;
}

function joinFields(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

function troubleOf(error: unknown, timeout: number): Trouble {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return { kind: 'timeout', detail: `no complete response within ${timeout / 1000} s` };
  }
  if (error instanceof errors.ConnectTimeoutError) {
    return { kind: 'timeout', detail: 'the connection could not be opened in time' };
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return { kind: 'protocol', detail: 'the response is not valid HTTP/1.1' };
  }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return { kind: 'protocol', detail: `the response is longer than ${RESPONSE_LIMIT} bytes` };
  }
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return { kind: 'refused', detail: 'connection refused' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return { kind: 'refused', detail: 'the host name does not resolve' };
  }
  if (
    code === 'EPROTO' ||
    code?.startsWith('ERR_SSL') ||
    code?.startsWith('ERR_TLS') ||
    isCertificate(code)
  ) {
    return { kind: 'refused', detail: `TLS failed (${code})` };
  }
  return {
    kind: 'reset',
    detail: `the connection was closed before the response was complete (${code ?? 'unknown'})`,
  };
}

const isCertificate = (code: string | undefined): boolean =>
  code !== undefined && /CERT|SIGNATURE|ISSUER/.test(code);

/** The code of an error, or of the first one that it wraps. */
function codeOf(error: unknown): string | undefined {
  for (let node = error; node instanceof Error; node = node.cause) {
    if (node instanceof AggregateError && node.errors.length > 0) return codeOf(node.errors[0]);
    const { code } = node as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/**
 * Holds back the last byte of several bodies until all of them have come that far, so that their
 * requests are complete at the target at the same instant.
 */
export class Gate {
  #missing: number;
  #open!: () => void;
  readonly #opened: Promise<void>;

  constructor(requests: number) {
    this.#missing = requests;
    this.#opened = new Promise((resolve) => (this.#open = resolve));
    // A connection that does not come about must not hold up the others.
    setTimeout(this.#open, LONGEST_HOLD).unref();
  }

  hold(body: Buffer): AsyncIterable<Buffer> & Dispatcher.DispatchOptions['body'] {
    const pass = async function* (this: Gate): AsyncGenerator<Buffer> {
      yield body.subarray(0, -1);
      this.arrive();
      await this.#opened;
      yield body.subarray(-1);
    };
    return pass.call(this) as unknown as AsyncIterable<Buffer> & Dispatcher.DispatchOptions['body'];
  }

  /** One request has come this far, or will not come any more. */
  arrive(): void {
    if (--this.#missing <= 0) this.#open();
  }
}

import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  IncompleteResponse,
  StaleConnection,
  attemptWith,
  bodyOf,
  fieldList,
  hostFieldOf,
} from './channel.ts';
import type { Open, Received } from './channel.ts';
import type { Dial } from './dial.ts';

interface Http2Connection {
  readonly session: ClientHttp2Session;
  /** Whether it has answered a stream. */
  isUsed: boolean;
}

/**
 * Opens connections of HTTP/2 with Node's own client: undici's repeats requests on its own, and may reorder headers. Each
 * request is a stream, so one connection is enough, whatever the number of requests in flight.
 */
export const openHttp2: Open = (origin, _, dial) => {
  const { host, protocol } = new URL(origin);
  let connects = 0;
  let isRetired = false;
  let opening: Promise<Http2Connection> | undefined;
  const begin = async (signal: AbortSignal): Promise<Http2Connection> => {
    try {
      const session = await openSession(origin, dial, signal);
      connects++;
      return { session, isUsed: false };
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  /** The open connection, or a new one if the target has ended it. */
  const current = async (signal: AbortSignal): Promise<Http2Connection> => {
    const last = (opening ??= begin(signal));
    const opened = await last.catch((error: unknown) => {
      // The request that began to open it had no time left; this one may have.
      if (signal.aborted || (error as Error).name !== 'TimeoutError') throw error;
      return current(signal);
    });
    if (!opened.session.closed && !opened.session.destroyed) return opened;
    if (opening === last) opening = undefined;
    return (opening ??= begin(signal));
  };
  return {
    attempt: (request, milliseconds, barrier) =>
      attemptWith(milliseconds, request, async (signal, limit) => {
        const opened = await current(signal);
        const pseudo = {
          ':method': request.method,
          ':scheme': protocol.slice(0, -1),
          // In place of Host (RFC 9113, section 8.3.1).
          ':authority': hostFieldOf(request, host),
          ':path': request.path,
        };
        // Names are in lower case (RFC 9113, section 8.2.1).
        const fields = fieldList(request).map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text));
        const stream = opened.session.request([...Object.entries(pseudo).flat(), ...fields], {
          signal,
          endStream: request.body === undefined,
        });
        const body = bodyOf(request, barrier);
        if (body instanceof Readable) pipeline(body, stream).catch(() => {});
        else if (body) stream.end(body);
        try {
          const received = await receive(stream, limit);
          opened.isUsed = true;
          return received;
        } catch (error) {
          // The target may close an idle connection at any time.
          if (opened.isUsed && opened.session.closed) throw new StaleConnection('', { cause: error });
          throw error;
        } finally {
          if (isRetired) opened.session.close();
        }
      }),
    connects: () => connects,
    // One connection carries all requests.
    idle: () => 0,
    retire() {
      isRetired = true;
      void opening?.then(({ session }) => session.close()).catch(() => {});
    },
    close: () => void opening?.then(({ session }) => session.destroy()).catch(() => {}),
  };
};

/**
 * Opens a connection; the target has spoken HTTP/2 when it resolves.
 * @param signal ends the attempt
 * @throws {Error} what prevented it, with the code NO_HTTP2 if the target speaks something else
 */
async function openSession(origin: string, dial: Dial, signal: AbortSignal): Promise<ClientHttp2Session> {
  const socket = await dial();
  if (signal.aborted) {
    socket.destroy();
    throw signal.reason;
  }
  const { alpnProtocol } = socket as { alpnProtocol?: string | false };
  if (alpnProtocol !== undefined && alpnProtocol !== 'h2') {
    socket.destroy();
    throw noHttp2(alpnProtocol ? `by ALPN it chose ${alpnProtocol}` : undefined);
  }
  const session = connect(origin, { createConnection: () => socket, settings: { enablePush: false } });
  const { promise, resolve, reject } = Promise.withResolvers<ClientHttp2Session>();
  // A target that chose HTTP/2, or closes without a word, may be restarting.
  const fail = (): void => reject(alpnProtocol !== 'h2' && socket.bytesRead > 0 ? noHttp2() : closedEarly());
  session.once('remoteSettings', () => resolve(session));
  session.on('error', fail);
  session.on('close', fail);
  const giveUp = (): void => {
    reject(signal.reason);
    session.destroy();
  };
  signal.addEventListener('abort', giveUp);
  return promise.finally(() => signal.removeEventListener('abort', giveUp));
}

/** A target does not speak HTTP/2, although it was asked to. */
const noHttp2 = (reason = 'it does not answer in HTTP/2'): Error =>
  Object.assign(new Error(`the target does not speak HTTP/2: ${reason}`), { code: 'NO_HTTP2' });

const closedEarly = (): Error =>
  Object.assign(new Error('the connection was closed before the target answered in HTTP/2'), {
    code: 'CLOSED_BEFORE_HTTP2',
  });

/** @param limit in bytes of the body */
async function receive(stream: ClientHttp2Stream, limit: number): Promise<Received> {
  const head = Promise.withResolvers<IncomingHttpHeaders>();
  const end = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('response', head.resolve);
  // At once: a stream that is closed before it is read loses its data.
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= limit) return;
    end.resolve();
    stream.close(constants.NGHTTP2_CANCEL);
  });
  stream.on('end', end.resolve);
  for (const { reject } of [head, end]) {
    stream.on('error', reject);
    stream.on('close', () => reject(closed(stream)));
  }
  end.promise.catch(() => {});
  const { ':status': status, ...fields } = await head.promise;
  const answer = { status: Number(status), fields, firstByteAt: performance.now() };
  await end.promise.catch((cause: unknown) => {
    throw new IncompleteResponse(answer, length, cause);
  });
  const received = {
    ...answer,
    raw: Buffer.concat(chunks).subarray(0, limit),
    isPart: length > limit,
  };
  if (received.isPart) return received;
  // A stream that is cut short may end without an error.
  const stated = fields['content-length'];
  const isShort = stated !== undefined && Number(stated) !== length && !isBodiless(stream, Number(status));
  if (stream.aborted || stream.rstCode !== 0 || isShort)
    throw new IncompleteResponse(answer, length, closed(stream));
  return received;
}

/** Whether a response has no body, whatever its Content-Length says (RFC 9110, section 8.6). */
const isBodiless = ({ sentHeaders }: ClientHttp2Stream, status: number): boolean =>
  sentHeaders?.[':method'] === 'HEAD' || status === 204 || status === 304;

const closed = ({ rstCode }: ClientHttp2Stream): Error =>
  Object.assign(new Error('closed'), { code: `ERR_HTTP2_STREAM_CLOSED_${rstCode}` });

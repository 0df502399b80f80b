import { Pool } from 'undici';
import { attemptWith, bodyOf, fieldList } from './channel.ts';
import type { Open, Received } from './channel.ts';
import { RESPONSE_LIMIT } from './reply.ts';

/**
 * Opens a pool of connections. Verbatim over HTTP/1.1: no second protocol that would rename fields or
 * reorder them. Time is bounded by one timer over the whole exchange, as undici's own are coarse. What undici reads is
 * taken as it comes (`dispatch`): a stream for each response takes a twentieth of a run's processor time.
 */
export const openUndici: Open = (origin, connections, timeout) => {
  const pool = new Pool(origin, {
    connections,
    connectTimeout: timeout,
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
    maxResponseSize: RESPONSE_LIMIT,
  });
  let connects = 0;
  pool.on('connect', () => connects++);
  return {
    attempt: (sent, path, milliseconds, gate) =>
      attemptWith(milliseconds, (onLate) => {
        const { promise, resolve, reject } = Promise.withResolvers<Received>();
        let begun: { abort(reason: Error): void } | undefined;
        let late: Error | undefined;
        onLate((reason) => {
          late = reason;
          begun?.abort(reason);
          reject(reason);
        });
        const request = {
          method: sent.method,
          path,
          headers: fieldList(sent),
          body: bodyOf(sent, gate),
          reset: sent.close ?? false,
        };
        const chunks: Buffer[] = [];
        let start: Omit<Received, 'raw'>;
        pool.dispatch(request, {
          onRequestStart: (controller) => {
            begun = controller;
            // It waited for a connection until nobody waited for it.
            if (late) controller.abort(late);
          },
          // An interim response (RFC 9110, section 15.2) is followed by another one.
          onResponseStart: (_, status, fields) =>
            (start = { status, fields, firstByteAt: performance.now() }),
          onResponseData: (_, chunk) => chunks.push(chunk),
          onResponseEnd: () => resolve({ ...start, raw: Buffer.concat(chunks) }),
          onResponseError: (_, error) => reject(error),
        });
        return promise;
      }),
    connects: () => connects,
    retire: () => void pool.close().catch(() => {}),
    // Not awaited: it would wait for connections that are still being opened.
    close: async () => void pool.destroy().catch(() => {}),
  };
};

import { Pool, request } from './undici.ts';
import { attemptWith, bodyOf, fieldList } from './channel.ts';
import type { Open } from './channel.ts';
import { RESPONSE_LIMIT } from './reply.ts';

/**
 * Opens a pool of connections. Verbatim over HTTP/1.1: no second protocol that would rename fields or
 * reorder them. Time is bounded by one signal over the whole exchange, as undici's own timers are coarse.
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
      attemptWith(milliseconds, async (signal) => {
        const { statusCode, headers, body } = await request.call(pool, {
          method: sent.method,
          path,
          headers: fieldList(sent),
          body: bodyOf(sent, gate),
          reset: sent.close ?? false,
          signal,
        });
        return {
          status: statusCode,
          fields: headers,
          read: async () => Buffer.from(await body.arrayBuffer()),
        };
      }),
    connects: () => connects,
    // Not awaited: it would wait for connections that are still being opened.
    close: async () => void pool.destroy().catch(() => {}),
  };
};

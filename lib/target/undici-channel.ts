import { Pool } from 'undici';
import { RESPONSE_LIMIT, bodyOf, fieldList, joinFields } from './channel.ts';
import type { Open } from './channel.ts';
import { readReply } from './reply.ts';
import { troubleOf } from './trouble.ts';

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
    attempt: async (request, path, milliseconds, gate) => {
      const sentAt = performance.now();
      try {
        const { statusCode, headers, body } = await pool.request({
          method: request.method,
          path,
          headers: fieldList(request),
          body: bodyOf(request, gate),
          reset: request.close ?? false,
          signal: AbortSignal.timeout(Math.ceil(milliseconds)),
        });
        const firstByte = performance.now() - sentAt;
        const raw = Buffer.from(await body.arrayBuffer());
        const duration = performance.now() - sentAt;
        return {
          reply: readReply(statusCode, joinFields(headers), raw, RESPONSE_LIMIT),
          firstByte,
          duration,
          sentAt,
        };
      } catch (error) {
        return { trouble: troubleOf(error, milliseconds), sentAt };
      }
    },
    connects: () => connects,
    close: () => pool.destroy(),
  };
};

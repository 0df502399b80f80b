import { Pool } from 'undici';
import type { ExchangeLine } from '../../engine/evidence.ts';
import type { Service } from './service.ts';

/**
 * Sends what a run has sent once more, the same bytes in the same order, as fast as undici does by itself.
 * @param concurrency requests in flight
 * @returns milliseconds that it took
 */
export async function sendBarely(
  { baseUrl, apiKey }: Service,
  exchanges: readonly ExchangeLine[],
  concurrency: number,
): Promise<number> {
  const pool = new Pool(new URL(baseUrl).origin, { connections: concurrency });
  const queue = exchanges.values();
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    for (const { request } of queue) {
      const { pathname, search } = new URL(request.url);
      const { body } = await pool.request({
        method: request.method,
        path: pathname + search,
        headers: request.headers.flatMap(([name, value]) => [
          name,
          // Where something else stood, its length is about the same.
          value.replaceAll(/\[[^\]]*\]/g, apiKey).replaceAll(/[^\t\x20-\x7e]/g, '?'),
        ]),
        ...(request.body !== '' && { body: request.body }),
      });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const took = performance.now() - startedAt;
  await pool.close();
  return took;
}

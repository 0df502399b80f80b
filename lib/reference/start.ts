import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { Seams } from './seams.ts';
import { createReference } from './service.ts';

/** A reference service that listens. */
export interface RunningReference {
  readonly baseUrl: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

/**
 * Starts the reference service on loopback, with a key of its own.
 * @param port 0: a free one
 * @param seams where it differs from the interface on purpose
 * @throws {Error} when the port can't be listened on
 */
export async function startReference(port = 0, seams: Seams = {}): Promise<RunningReference> {
  const apiKey = `sk_test_${randomBytes(18).toString('base64url')}`;
  const { app } = createReference({ apiKey, seams });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, (address: AddressInfo) => {
      resolve({
        baseUrl: `http://127.0.0.1:${address.port}`,
        apiKey,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.once('error', reject);
  });
}

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createReference } from './service.ts';
import type { Behaviour } from './behaviour.ts';

/** A listening reference service. */
export interface RunningReference {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Path of the CA certificate that a client must trust; undefined without TLS. */
  readonly authority: string | undefined;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the reference service on loopback, with a new key.
 * @param port 0: a free one
 * @throws {Error} when the port is in use or not permitted
 */
export async function startReference(port = 0, behaviour: Behaviour = {}): Promise<RunningReference> {
  const { around = (inner) => inner, server: configure, base = '', isSecure = false, ...hooks } = behaviour;
  const apiKey = `sk_test_${randomBytes(18).toString('base64url')}`;
  const { app } = createReference({ apiKey, hooks });
  const server = serverFor(around(below(base, getRequestListener(app.fetch))), isSecure);
  configure?.(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        baseUrl: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}${base}`,
        apiKey,
        authority: isSecure ? tls('authority.pem') : undefined,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
}

const tls = (file: string): string => join(import.meta.dirname, 'tls', file);

const serverFor = (listener: RequestListener, isSecure: boolean): Server =>
  isSecure
    ? createSecureServer(
        { cert: readFileSync(tls('server.pem')), key: readFileSync(tls('server-key.pem')) },
        listener,
      )
    : createServer(listener);

/** Removes the base from the path of each request; answers 404 to other paths. */
const below = (base: string, inner: RequestListener): RequestListener =>
  base === ''
    ? inner
    : (request, response) => {
        if (!request.url?.startsWith(`${base}/`)) return void response.writeHead(404).end();
        request.url = request.url.slice(base.length);
        return inner(request, response);
      };

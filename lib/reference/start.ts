import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createHttp2Server, createSecureServer as createSecureHttp2Server } from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createReference } from './service.ts';
import type { Behaviour } from './behaviour.ts';

/** A listening reference service. */
interface RunningReference {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The variables that make it the target; with TLS, also the CA certificate to trust. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the reference service on loopback, with a new key.
 * @param options.port default: a free one
 * @param options.isHttp2 whether it speaks HTTP/2 alone, without TLS by prior knowledge; default: no
 * @throws {Error} when the port is in use or not permitted
 */
export async function startReference(
  behaviour: Behaviour = {},
  { port = 0, isHttp2 = false }: { readonly port?: number; readonly isHttp2?: boolean } = {},
): Promise<RunningReference> {
  const { around = (inner) => inner, server: configure, base = '', isSecure = false, ...hooks } = behaviour;
  // With a digit that has a compatibility form, which one near miss of the key has in its place.
  const apiKey = `sk_test_1${randomBytes(18).toString('base64url')}`;
  const app = createReference(apiKey, hooks);
  const listener = around(below(base, getRequestListener(app.fetch)));
  const server = isHttp2 ? http2ServerFor(listener, isSecure) : serverFor(listener, isSecure);
  configure?.(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const baseUrl = `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}${base}`;
      resolve({
        baseUrl,
        apiKey,
        variables: {
          TARGET_BASE_URL: baseUrl,
          TARGET_API_KEY: apiKey,
          ...(isSecure && { TARGET_CA: tls('authority.pem') }),
        },
        stop: () =>
          new Promise((stopped) => {
            // Otherwise a service that is away for a while would listen again.
            server.on('listening', () => server.close());
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
}

const tls = (file: string): string => join(import.meta.dirname, 'tls', file);

const identity = (): { cert: Buffer; key: Buffer } => ({
  cert: readFileSync(tls('server.pem')),
  key: readFileSync(tls('server-key.pem')),
});

const serverFor = (listener: RequestListener, isSecure: boolean): Server =>
  isSecure ? createSecureServer(identity(), listener) : createServer(listener);

/** Node's two servers take the same listeners, and differ in how they are closed. */
function http2ServerFor(listener: RequestListener, isSecure: boolean): Server {
  const server = isSecure ? createSecureHttp2Server(identity()) : createHttp2Server();
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('request', listener as never);
  return Object.assign(server, {
    closeAllConnections: () => sessions.forEach((session) => session.destroy()),
  }) as unknown as Server;
}

/** Removes the base from the path of each request; answers 404 to other paths. */
const below = (base: string, inner: RequestListener): RequestListener =>
  base === ''
    ? inner
    : (request, response) => {
        if (!request.url?.startsWith(`${base}/`)) return void response.writeHead(404).end();
        request.url = request.url.slice(base.length);
        return inner(request, response);
      };

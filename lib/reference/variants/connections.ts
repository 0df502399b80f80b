import type { AddressInfo, Server, Socket } from 'node:net';
import type { Behaviour } from '../behaviour.ts';
import { isChunked, onRejected } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const closing = (isLast: (count: number, status: number) => boolean) => (): Behaviour => {
  const counts = new WeakMap<object, number>();
  return {
    around: (inner) => (request, response) => {
      const count = (counts.get(request.socket) ?? 0) + 1;
      counts.set(request.socket, count);
      if (isLast(count, response.statusCode)) response.setHeader('Connection', 'close');
      return inner(request, response);
    },
  };
};

/** Serves so many connections at a time, as with a thread for each; those beyond wait, open and unread. */
const serving = (most: number) => (): Behaviour => ({
  server: (server) => {
    const [serve] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
    const waiting: Socket[] = [];
    let served = 0;
    const serveNext = (): void => {
      const socket = served < most ? waiting.shift() : undefined;
      if (!socket) return;
      served++;
      socket.on('close', () => {
        served--;
        serveNext();
      });
      serve!.call(server, socket);
      socket.resume();
      serveNext();
    };
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      waiting.push(socket.pause());
      serveNext();
    });
    server.keepAliveTimeout = 60_000;
  },
});

/** How connections are managed (RFC 9112, section 9). */
export const connections = variantsOf('1: an HTTP API; connection management is not shown')({
  'connection-closed-after-each': closing(() => true),
  'connection-closed-after-three': closing((count) => count % 3 === 0),
  'connection-idle-for-a-moment-only': () => ({
    server: (server) => {
      server.keepAliveTimeout = 20;
    },
  }),
  'connection-cut-without-notice': () => ({
    around: (inner) => (request, response) => {
      response.on('finish', () => setImmediate(() => request.socket.destroySoon()));
      return inner(request, response);
    },
  }),
  // As servers that do not read the body of a request that they reject for its headers.
  'connection-cut-off-within-a-401-to-chunks': onRejected(
    ({ headers }, _, call) =>
      isChunked(call) ? { headers: { ...headers, 'Content-Length': '1000', Connection: 'close' } } : {},
    'credential',
  ),
  'connections-four-at-most': () => ({
    server: (server) => {
      server.maxConnections = 4;
    },
  }),
  'connections-two-at-most': () => ({
    server: (server) => {
      server.maxConnections = 2;
      server.keepAliveTimeout = 60_000;
    },
  }),
  'connections-served-one-by-one': serving(1),
  'connections-served-five-at-a-time': serving(5),
  'connections-served-twelve-at-a-time': serving(12),
  'connections-refused-during-a-deployment': () => ({
    server: (server) => {
      let count = 0;
      server.on('request', () => {
        if (++count !== 150) return;
        const { port } = server.address() as AddressInfo;
        server.close();
        server.closeIdleConnections();
        setTimeout(() => server.listen(port, '127.0.0.1'), 3000);
      });
    },
  }),
  'connection-closed-when-rejected': () => ({
    reject: (reply) => ({ ...reply, headers: { ...reply.headers, Connection: 'close' } }),
  }),
});

/** The base URL of the service. */
export const addresses = variantsOf('4: {base_url} may have a path, and any scheme of HTTP')({
  'base-api': () => ({ base: '/api' }),
  'base-of-several-segments': () => ({ base: '/gateway/eu-west-1/customers.v3' }),
  'base-that-looks-like-an-operation': () => ({ base: '/v1/customers' }),
  'base-with-percent-encoding': () => ({ base: '/tenants/a%20b%2Fc' }),
  'https-private-authority': () => ({ isSecure: true }),
  'https-private-authority-below-a-path': () => ({ isSecure: true, base: '/api' }),
});

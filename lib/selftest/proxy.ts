import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { forwardTo, listen } from './front.ts';

/** A forward proxy of a test. */
export interface TestProxy {
  readonly url: string;
  /** The first line of each request that it received, such as `CONNECT a.example:443`. */
  readonly received: string[];
  readonly stop: () => Promise<void>;
}

export interface ProxyBehaviour {
  /** `user:password` that it demands. */
  readonly credentials?: string;
  /** A status to answer in place of connecting. */
  readonly status?: number;
}

/** Starts a proxy that tunnels CONNECT and forwards requests in absolute form. */
export async function startProxy({ credentials, status }: ProxyBehaviour = {}): Promise<TestProxy> {
  const received: string[] = [];
  const tunnels = new Set<Duplex>();
  const rejection = ({ headers, method, url }: IncomingMessage): number | undefined => {
    received.push(`${method} ${url}`);
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    return expected === undefined || headers['proxy-authorization'] === expected ? status : 407;
  };
  const server = createServer((request, response) => {
    const code = rejection(request);
    delete request.headers['proxy-authorization'];
    if (code !== undefined) response.writeHead(code, { 'X-Squid-Error': 'ERR_TEST 0' }).end('refused');
    else forwardTo(request.url!)(request, response);
  });
  server.on('connect', (request, socket) => {
    const code = rejection(request);
    socket.on('error', () => {});
    if (code !== undefined) return void socket.end(`HTTP/1.1 ${code} Rejected\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
    // The server no longer knows this connection.
    tunnels.add(socket.once('close', () => tunnels.delete(socket)));
  });
  const { port, stop } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: async () => {
      for (const socket of tunnels) socket.destroy();
      await stop();
    },
  };
}

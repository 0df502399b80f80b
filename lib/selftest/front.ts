import { createServer, request as open } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Forwards each request to another server, as a reverse proxy does. */
export const forwardTo =
  (origin: string): RequestListener =>
  (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const isPlain = ([name]: readonly [string, unknown]): boolean =>
      !/^:|^(?:connection|keep-alive)$/.test(name);
    const forwarded = open(
      new URL(url, origin),
      { method, headers: Object.fromEntries(Object.entries(headers).filter(isPlain)) },
      (answer) => {
        const { 'transfer-encoding': _, ...fields } = answer.headers;
        response.writeHead(answer.statusCode!, Object.fromEntries(Object.entries(fields).filter(isPlain)));
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  };

/** A server that listens on loopback. */
export interface Listening {
  readonly port: number;
  readonly baseUrl: string;
  readonly stop: () => Promise<void>;
}

/** Lets a server listen on a free loopback port. To stop it destroys all connections, tunnels too. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

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
    if (code !== undefined) return void socket.end(`HTTP/1.1 ${code} Rejected\r\nContent-Length: 0\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  const { baseUrl, stop } = await listen(server);
  return { url: baseUrl, received, stop };
}

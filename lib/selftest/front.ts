import { once } from 'node:events';
import { createServer, request as open } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect, createServer as createSocketServer } from 'node:net';
import type { AddressInfo, ListenOptions, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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

const LOOPBACK: ListenOptions = { port: 0, host: '127.0.0.1' };

/** A server that listens; its port and URL on loopback. */
export interface Listening {
  readonly port: number;
  readonly baseUrl: string;
  readonly stop: () => Promise<void>;
}

/** Lets a server listen, by default on a free loopback port. `stop` destroys all connections, tunnels too. */
export async function listen(server: Server, options: ListenOptions = LOOPBACK): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(options);
  await once(server, 'listening');
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
  /** The requests that it received: the first line of each, such as `CONNECT a.example:443`, or `a.example:443`. */
  readonly received: string[];
  readonly stop: () => Promise<void>;
}

export interface ProxyBehaviour {
  /** `user:password` that it demands. */
  readonly credentials?: string;
  /** A status to answer in place of connecting: of HTTP, or of SOCKS. */
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
    const host = hostname.replace(/^\[|\]$/g, '');
    tunnel(socket, Number(port), host, 'HTTP/1.1 200 Connection established\r\n\r\n');
  });
  const { baseUrl, stop } = await listen(server);
  return { url: baseUrl, received, stop };
}

/** Joins a client to a server, and reports that to the client. */
function tunnel(socket: Duplex, port: number, host: string, greeting: string | Buffer): void {
  const target = connect(port, host, () => {
    socket.write(greeting);
    socket.pipe(target).pipe(socket);
  });
  target.on('error', () => socket.destroy());
  socket.on('close', () => target.destroy());
}

/** Starts a proxy that speaks SOCKS5 (RFC 1928), with a user name and password if it demands any (RFC 1929). */
export async function startSocksProxy({ credentials, status = 0 }: ProxyBehaviour = {}): Promise<TestProxy> {
  const received: string[] = [];
  const server = createSocketServer(async (socket) => {
    const next = reader(socket);
    const [, methods = 0] = await next(2);
    const offered = [...(await next(methods))];
    const method = credentials === undefined ? 0 : 2;
    if (!offered.includes(method)) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, method]));
    if (credentials !== undefined) {
      const [, length = 0] = await next(2);
      const user = (await next(length)).toString();
      const password = (await next((await next(1))[0]!)).toString();
      const isRight = `${user}:${password}` === credentials;
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) return void socket.end();
    }
    const [, , , type] = await next(4);
    const isName = type === 3;
    const place = await next(isName ? (await next(1))[0]! : 4);
    const host = isName ? place.toString() : place.join('.');
    const port = (await next(2)).readUInt16BE();
    received.push(`${host}:${port}`);
    const answer = (code: number): Buffer => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    if (status !== 0) return void socket.end(answer(status));
    tunnel(socket, port, host, answer(0));
  });
  const { port, stop } = await listen(server);
  return { url: `socks5h://127.0.0.1:${port}`, received, stop };
}

/** Reads a number of bytes at a time. */
function reader(socket: Socket): (bytes: number) => Promise<Buffer> {
  return async (bytes) => {
    for (;;) {
      const chunk = bytes === 0 ? Buffer.alloc(0) : (socket.read(bytes) as Buffer | null);
      if (chunk) return chunk;
      await once(socket, 'readable');
    }
  };
}

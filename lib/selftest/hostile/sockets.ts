import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A target that listens, until it is stopped. */
export interface Target {
  readonly baseUrl: string;
  /** The key that it takes; any, where it takes none or all. */
  readonly apiKey?: string;
  readonly stop: () => Promise<void> | void;
  /** What must be true of the target when the run is over; undefined: all is well. */
  readonly complaint?: () => string | undefined;
}

async function listening(server: Server | HttpServer): Promise<Target> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A server that does with each connection what it likes. */
export const onSocket = (use: (socket: Socket) => void): Promise<Target> => listening(createServer(use));

/** A server that answers each request with bytes of its own, once the request is whole. */
export const answering = (write: (socket: Socket, request: string) => void): Promise<Target> =>
  onSocket((socket) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end === -1 || text.length < end + 4 + length) return;
      const request = text;
      text = '';
      write(socket, request);
    });
  });

export const onRequest = (listener: RequestListener): Promise<Target> =>
  listening(createHttpServer(listener));

/** A whole response, with a body that is JSON by its type. */
export const response = (body: string | Buffer, head = '', status = '201 Created'): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);

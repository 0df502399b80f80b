import { randomInt } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { allFaults } from '../../reference/faults/faults.ts';
import { startReference } from '../../reference/start.ts';
import type { Middleware, Behaviour } from '../../reference/behaviour.ts';
import { listen } from '../front.ts';

/** A server that listens on loopback. */
export interface Server {
  readonly baseUrl: string;
  /** Undefined: the server checks no key. */
  readonly apiKey?: string;
  readonly stop: () => Promise<void> | void;
  /** Asked after the run. @returns what the run did wrong; undefined: nothing */
  readonly complaint?: () => string | undefined;
}

/** A server that hands each connection to `use`. */
export const onSocket = (use: (socket: Socket) => void): Promise<Server> => listen(createServer(use));

/** A server that writes raw bytes in answer to each complete request. */
export const answering = (write: (socket: Socket, request: string) => void): Promise<Server> =>
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

/** A server that answers each complete request with the same bytes. @param isLast whether it then closes the connection */
export const sending = (bytes: string | Buffer, isLast = false): Promise<Server> =>
  answering((socket) => void (isLast ? socket.end(bytes) : socket.write(bytes)));

export const onRequest = (listener: RequestListener): Promise<Server> => listen(createHttpServer(listener));

/** A server that has the same trouble with each request. */
export const always = (trouble: (response: ServerResponse) => void) => (): Promise<Server> =>
  onRequest((_, response) => trouble(response));

/** A complete response with the content type of JSON. */
export const response = (body: string | Buffer, head = '', status = '201 Created'): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);

export const MEGABYTE = 1024 * 1024;

/** The reference service, with trouble in front of it. */
export const troubled = (around: Middleware, behaviour: Behaviour = {}): Promise<Server> =>
  startReference({ ...behaviour, around });

/** Gives one in ten requests to `trouble`, at random. */
export const atRandom =
  (trouble: (response: ServerResponse) => void): Middleware =>
  (inner) =>
  (request, response) =>
    randomInt(10) === 0 ? trouble(response) : inner(request, response);

export const reset = (response: ServerResponse): void => void response.socket?.resetAndDestroy();

/** Answers with a status and no body. */
export const status =
  (code: number, fields: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, fields).end();

/** Resets the connection in the middle of a body. */
export const cutOff = (response: ServerResponse): void => {
  response.writeHead(201, { 'Content-Length': '1000' }).write('{"id":');
  setImmediate(() => response.socket?.resetAndDestroy());
};

/** A behaviour that breaks one statement. */
export const faulty = (): Behaviour => allFaults.find(({ name }) => name === 'name-uppercase')!.behaviour();

/** Writes a chunk up to so many times, as fast as the client reads, then ends. */
export function pour(stream: Writable, chunk: string | Buffer, times = Infinity): void {
  let left = times;
  const next = (): void => {
    while (left-- > 0 && !stream.destroyed) if (!stream.write(chunk)) return void stream.once('drain', next);
    stream.end();
  };
  next();
}

/** A server that refers its clients to another one, which they must not contact. */
export const referring = async (make: (elsewhere: string) => Promise<Server>): Promise<Server> => {
  let contacts = 0;
  const elsewhere = await onRequest((_, response) => {
    contacts++;
    response.end('{}');
  });
  const target = await make(elsewhere.baseUrl);
  return {
    ...target,
    complaint: () => (contacts > 0 ? `the run contacted the other server ${contacts} times` : undefined),
    stop: async () => {
      await elsewhere.stop();
      await target.stop();
    },
  };
};

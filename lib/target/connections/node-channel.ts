import { Agent, request as open } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StaleConnection, attemptWith, bodyOf, fieldList, hostFieldOf, readUpTo } from './channel.ts';
import type { Open } from './channel.ts';
import { MAX_HEADER_SIZE } from '../trouble.ts';

/**
 * Opens connections with Node's own client, for targets whose responses are valid HTTP that undici 8 does not read:
 * an unrequested 100 (Continue) (RFC 9110, section 15.2), or white space after a Content-Length (section 5.5).
 */
export const openNode: Open = (origin, connections, dial) => {
  const { host } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let connects = 0;
  // The agent does not mind whether the connection is one of TLS.
  agent.createConnection = (_, callback) => {
    connects++;
    void dial().then(
      (socket) => callback!(null, socket),
      (error: Error) => callback!(error, undefined as never),
    );
    return undefined;
  };
  return {
    attempt: (request, milliseconds, barrier) =>
      attemptWith(milliseconds, request, async (signal, limit) => {
        const connection = request.close ? 'close' : 'keep-alive';
        const headers = ['Host', hostFieldOf(request, host), 'Connection', connection, ...fieldList(request)];
        const { method, path } = request;
        const outgoing = open({ agent, method, path, headers, signal, maxHeaderSize: MAX_HEADER_SIZE });
        const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
        outgoing.on('response', resolve);
        outgoing.on('error', (error: NodeJS.ErrnoException) => {
          const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET';
          reject(isStale ? new StaleConnection('', { cause: error }) : error);
        });
        const body = bodyOf(request, barrier);
        if (body instanceof Readable) pipeline(body, outgoing).catch(() => {});
        else outgoing.end(body ?? undefined);
        const response = await answered;
        const { statusCode: status = 0, headersDistinct: fields } = response;
        return readUpTo(limit, response, { status, fields, firstByteAt: performance.now() });
      }),
    connects: () => connects,
    idle: () => Object.values(agent.freeSockets).flat().length,
    retire() {
      agent.on('free', (socket) => socket.destroy());
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
    close: () => agent.destroy(),
  };
};

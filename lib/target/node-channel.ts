import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Stale, attemptWith, bodyOf, fieldList } from './channel.ts';
import type { Open } from './channel.ts';
import type { Gate } from './gate.ts';
import type { Request } from './exchange.ts';
import { RESPONSE_LIMIT } from './reply.ts';

/**
 * Opens connections with Node's own client, for targets whose responses are valid HTTP that undici
 * does not read: a 100 (Continue) that was not asked for (RFC 9110, section 15.2), or white space
 * after a Content-Length (section 5.5).
 */
export const openNode: Open = (origin, connections) => {
  const { protocol, hostname, port, host } = new URL(origin);
  const [Agent, open] = protocol === 'https:' ? [HttpsAgent, requestHttps] : [HttpAgent, requestHttp];
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const known = new WeakSet<object>();
  let connects = 0;

  const send = async (
    request: Request,
    path: string,
    signal: AbortSignal,
    gate?: Gate,
  ): Promise<IncomingMessage> => {
    const outgoing = open({
      agent,
      // A literal IPv6 address stands in brackets in a URL only.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: request.method,
      path,
      headers: ['Host', host, 'Connection', request.close ? 'close' : 'keep-alive', ...fieldList(request)],
      signal,
    });
    outgoing.on('socket', (socket) => {
      if (!known.has(socket)) connects++;
      known.add(socket);
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        reject(
          outgoing.reusedSocket && error.code === 'ECONNRESET' ? new Stale('', { cause: error }) : error,
        ),
      );
    });
    const body = bodyOf(request, gate);
    if (body instanceof Readable) pipeline(body, outgoing).catch(() => {});
    else outgoing.end(body ?? undefined);
    return answered;
  };

  return {
    attempt: (request, path, milliseconds, gate) =>
      attemptWith(milliseconds, async (onLate) => {
        const late = new AbortController();
        onLate((reason) => late.abort(reason));
        const response = await send(request, path, late.signal, gate);
        return {
          status: response.statusCode ?? 0,
          fields: response.headersDistinct,
          firstByteAt: performance.now(),
          raw: await readAll(response),
        };
      }),
    connects: () => connects,
    close: async () => agent.destroy(),
  };
};

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > RESPONSE_LIMIT) {
      response.destroy();
      throw Object.assign(new Error('too long'), { code: 'CTS_TOO_LONG' });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

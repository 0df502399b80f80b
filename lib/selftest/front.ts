import { request as open } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** A server that listens. */
interface Listening {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Lets a server listen on a free loopback port. */
export async function listen(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

import { request as open } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

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

/** Lets a server listen on a free loopback port until the test ends. @returns the port */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

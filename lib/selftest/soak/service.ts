import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onRequest } from '../hostile/servers.ts';
import type { Server } from '../hostile/servers.ts';

const customer = (count: number): string =>
  JSON.stringify({ id: `cus_${count}`, name: 'Ada', email: 'a@example.com' });
const asJson = { 'Content-Type': 'application/json' };

/** The trouble of every n-th request. The numbers are prime, so that the kinds of trouble meet in all orders. */
const troubles: readonly (readonly [
  each: number,
  trouble: (response: ServerResponse, count: number) => void,
])[] = [
  [499, (response) => void response.writeHead(429, { 'Retry-After': '0' }).end()],
  [67, (response) => void response.socket?.resetAndDestroy()],
  [61, (response) => void response.socket?.destroy()],
  [
    53,
    (response) => {
      response.writeHead(201, { ...asJson, 'Content-Length': '1000' }).write('{"id":');
      setImmediate(() => response.socket?.destroy());
    },
  ],
  [47, (response) => void response.writeHead(503).end('<h1>away</h1>')],
  [43, (response) => void response.writeHead(500, asJson).end('{"error":')],
  [
    41,
    (response, count) => {
      response.writeHead(201, asJson).write(customer(count).slice(0, 9));
      setTimeout(() => response.end(customer(count).slice(9)), 5);
    },
  ],
  [
    37,
    (response, count) =>
      void response.writeHead(201, { 'Content-Encoding': 'gzip' }).end(gzipSync(customer(count))),
  ],
  [
    31,
    (response, count) => void response.writeHead(201, { 'Content-Encoding': 'gzip' }).end(customer(count)),
  ],
  [
    29,
    (response) =>
      void response.writeHead(201, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(2e6))),
  ],
  [23, (response) => void response.writeHead(201).end(`{"id":"cus_${'x'.repeat(100_000)}"}`)],
];

/** Starts a service that has all kinds of trouble, always in the same order. */
export function startTroubled(): Promise<Server> {
  let count = 0;
  const answer = (_: IncomingMessage, response: ServerResponse): void => {
    count++;
    // Once: the suite then switches to its other HTTP client, which can read an unrequested 100.
    if (count === 700) response.writeContinue();
    const [, trouble] = troubles.find(([each]) => count % each === 0) ?? [];
    if (trouble) trouble(response, count);
    else response.writeHead(201, asJson).end(customer(count));
  };
  return onRequest((request, response) => {
    request
      .on('error', () => {})
      .on('end', () => answer(request, response))
      .resume();
  });
}

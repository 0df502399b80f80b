import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onRequest } from './sockets.ts';
import type { Target } from './sockets.ts';

const customer = (count: number): string =>
  JSON.stringify({ id: `cus_${count}`, name: 'Ada', email: 'a@example.com' });
const asJson = { 'Content-Type': 'application/json' };

/** What befalls every so manieth request. Primes, so that all of it comes together in time. */
const faults: readonly (readonly [
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

/** A service on which all kinds of trouble come again and again, always in the same order. */
export function startTroubled(): Promise<Target> {
  let count = 0;
  const answer = (_: IncomingMessage, response: ServerResponse): void => {
    count++;
    // Once: from then on, another client reads the responses.
    if (count === 700) response.writeContinue();
    const [, trouble] = faults.find(([each]) => count % each === 0) ?? [];
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

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onRequest, reset } from '../hostile/servers.ts';
import type { Server } from '../hostile/servers.ts';

const customer = (count: number): string =>
  JSON.stringify({ id: `cus_${count}`, name: 'Ada', email: 'a@example.com' });
const asJson = { 'Content-Type': 'application/json' };

const asGzip = { 'Content-Encoding': 'gzip' };

type Trouble = (response: ServerResponse, count: number) => void;

const answer =
  (
    status: number,
    fields: Readonly<Record<string, string>>,
    body: (count: number) => string | Buffer,
  ): Trouble =>
  (response, count) =>
    void response.writeHead(status, fields).end(body(count));

/** The trouble of every n-th request. The numbers are prime, so that the kinds of trouble meet in all orders. */
const troubles: readonly (readonly [each: number, trouble: Trouble])[] = [
  [499, answer(429, { 'Retry-After': '0' }, () => '')],
  [67, reset],
  [61, (response) => void response.socket?.destroy()],
  [
    53,
    (response) => {
      response.writeHead(201, { ...asJson, 'Content-Length': '1000' }).write('{"id":');
      setImmediate(() => response.socket?.destroy());
    },
  ],
  [47, answer(503, {}, () => '<h1>away</h1>')],
  [43, answer(500, asJson, () => '{"error":')],
  [
    41,
    (response, count) => {
      response.writeHead(201, asJson).write(customer(count).slice(0, 9));
      setTimeout(() => response.end(customer(count).slice(9)), 5);
    },
  ],
  [37, answer(201, asGzip, (count) => gzipSync(customer(count)))],
  [31, answer(201, asGzip, customer)],
  [29, answer(201, asGzip, () => gzipSync(Buffer.alloc(2e6)))],
  [23, answer(201, {}, () => `{"id":"cus_${'x'.repeat(100_000)}"}`)],
];

/** Starts a service that has all kinds of trouble, always in the same order. */
export function startTroubled(): Promise<Server> {
  let count = 0;
  const serve = (response: ServerResponse): void => {
    count++;
    // Once: the suite then switches to its other HTTP client, which can read an unrequested 100.
    if (count === 700) response.writeContinue();
    const [, trouble] = troubles.find(([each]) => count % each === 0) ?? [];
    if (trouble) trouble(response, count);
    else answer(201, asJson, customer)(response, count);
  };
  return onRequest((request, response) => {
    request
      .on('error', () => {})
      .on('end', () => serve(response))
      .resume();
  });
}

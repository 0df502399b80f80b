import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { direct } from '../settings/route.ts';
import type { Route } from '../settings/route.ts';
import { listening } from '../selftest/services.ts';
import { bearer } from './credential.ts';
import type { Request } from './exchange.ts';
import type { Hooks, Limits } from './sender.ts';
import { Target } from './target.ts';

/** The limits of a target in a test, unless it sets others. */
export const limits: Limits = { concurrency: 8, rate: 0, maxRequests: 100, timeBudget: 120, timeout: 2 };

/** Starts an HTTP server. @returns its URL */
export const http = async (listener: RequestListener): Promise<string> =>
  (await listening(createServer(listener))).baseUrl;

/** Starts a TCP server. @param answer the bytes to send once they are not '', given what was received; undefined: disconnect */
export const raw = async (answer: (request: string) => string | undefined): Promise<string> => {
  const { baseUrl } = await listening(
    createTcpServer((socket) => {
      let text = '';
      socket.on('error', () => {});
      socket.on('data', (data) => {
        text += data.toString('latin1');
        const bytes = answer(text);
        if (bytes === undefined) socket.destroy();
        else if (bytes !== '') socket.end(bytes);
      });
    }),
  );
  return baseUrl;
};

export function targetAt(
  baseUrl: string,
  changes: Partial<Limits> = {},
  route: Partial<Route> = {},
  hooks: Hooks = {},
): Target {
  const target = new Target({ baseUrl, route: { ...direct, ...route } }, { ...limits, ...changes }, hooks);
  onTestFinished(() => target.close());
  return target;
}

export const post = (changes: Partial<Request> = {}): Request => ({
  method: 'POST',
  path: '/v1/customers',
  credential: bearer('sk_test_1234567890'),
  fields: [['Content-Type', 'application/json']],
  body: Buffer.from('{"a":1}'),
  ...changes,
});

export const queue = { queue: 'test' };

/** So many requests that differ. */
export const different = (count: number): Request[] =>
  Array.from({ length: count }, (_, number) => post({ body: Buffer.from(JSON.stringify({ number })) }));

/**
 * An outage after some requests that ends with the last of some checks, which repeat an accepted request; all other
 * requests must differ.
 */
export function outage({ after, checks }: { readonly after: number; readonly checks: number }): {
  readonly isAway: (body: string) => boolean;
  readonly isCheck: (body: string) => boolean;
  /** How many checks are left. */
  readonly left: () => number;
} {
  const accepted = new Set<string>();
  let [requests, left] = [0, checks];
  const isCheck = (body: string): boolean => accepted.has(body);
  return {
    isCheck,
    isAway(body) {
      const isAway = ++requests > after && left > 0;
      if (isAway && isCheck(body)) left--;
      if (!isAway) accepted.add(body);
      return isAway;
    },
    left: () => left,
  };
}

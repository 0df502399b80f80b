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

import { expect, it } from 'vitest';
import type { Credential } from '../../target/credential.ts';
import { createRedactor } from '../../target/output/redactor.ts';
import { readReply } from '../../target/reply.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import type { RunBase } from '../scenario.ts';
import { paths } from '../operations/request.ts';
import { findLimit } from './limit-behind.ts';
import type { Operation } from './limit-behind.ts';

const exchangeOf = (request: Partial<Request>, status: number, error: string): Exchange =>
  ({
    request: { method: 'POST', ...request },
    reply: readReply(status, {}, Buffer.from(JSON.stringify({ error })), 1000),
  }) as unknown as Exchange;

const operation = (path: string, result: string): Operation => ({
  result,
  request: (credential: Credential | undefined) => ({ path, credential }) as unknown as Request,
  lastAccepted: 16,
});

it.each([
  ['at most 50 customers', 'raise that quota, or wait until it is renewed'],
  ['maintenance', 'see the log of the service, or raise its limits for wrong keys'],
])('an operation that answers "%s" with any key, though the other is served: %s', async (error, advice) => {
  const [customers, tokens] = [operation(paths.customers, 'customers'), operation(paths.tokens, 'tokens')];
  const rejected = exchangeOf({ path: paths.customers }, 402, error);
  const run = {
    credential: { value: 'Bearer key' },
    exchanges: [exchangeOf({ path: paths.customers, credential: undefined }, 401, 'no key')],
    target: {
      send: async ({ path }: Request) =>
        path === paths.customers ? rejected : exchangeOf({ path }, 201, 'none'),
      redactor: createRedactor(),
    },
  } as unknown as RunBase;
  const operations = { [paths.customers]: customers, [paths.tokens]: tokens };
  const limit = await findLimit(run, operations, customers, rejected, 0);
  expect(limit).toMatchObject({ of: 'path' });
  expect(limit!.reason).toContain(`but still returns tokens; ${advice}`);
});

it('a rejected key is found without a connection of its own where one of few may be waiting for this', async () => {
  const withoutKey = [paths.customers, paths.tokens].map((path) =>
    exchangeOf({ path, credential: undefined }, 401, 'no key'),
  );
  const target = {
    send: async ({ path }: Request) => exchangeOf({ path }, 401, 'no key'),
    together: async () => [],
    redactor: createRedactor(),
    connections: { areFew: () => true, withDedicated: () => Promise.reject(new Error('it is in use')) },
  };
  const settings = { apiKey: 'sk_test_a' };
  const run = { credential: { value: 'Bearer key' }, settings, exchanges: withoutKey, target };
  const [customers, tokens] = [operation(paths.customers, 'customers'), operation(paths.tokens, 'tokens')];
  const operations = { [paths.customers]: customers, [paths.tokens]: tokens };
  const rejected = exchangeOf({ path: paths.customers }, 401, 'no key');
  expect(await findLimit(run as unknown as RunBase, operations, customers, rejected, 0)).toMatchObject({
    of: 'key',
  });
});

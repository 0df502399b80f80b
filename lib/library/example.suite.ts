// A custom suite, for an endpoint beyond the interface: npx --no-install cts-conformance run --suite DIR
import { requirement, scenario, sendRequest } from 'cts-conformance';
import fc from 'fast-check';
import { z } from 'zod';

const order = z.object({ id: z.string(), item: z.string() });

const inputs = fc.record({ item: fc.string({ minLength: 1, maxLength: 40 }) });

const orders = scenario<{ item: string }>({
  name: 'orders',
  shrinking: inputs,
  cases: () => Array.from({ length: 30 }, () => ({ category: 'any item', arbitrary: inputs })),
  // The nonce differs for each request.
  send: sendRequest(
    ({ item }, nonce) => ({ method: 'POST', path: '/v1/orders', json: { item, reference: nonce } }),
    ({ status }) => status === 201,
  ),
});

export const itemEchoed = requirement({
  id: 'acme.order.item',
  level: 'must',
  section: 'Orders, 2',
  statement: 'item equals the submitted item.',
  over: [orders],
  only: ({ accepted }) => accepted,
  check: ({ case: { input }, exchange: { reply } }) => {
    const read = order.safeParse(reply.json);
    if (read.success && read.data.item === input.item) return undefined;
    return { expected: JSON.stringify(input.item), actual: reply.text, pointer: '/item' };
  },
});

const ordersWithoutKey = scenario<{ item: string }>({
  name: 'orders without a key',
  shrinking: fc.constant({ item: 'tea' }),
  cases: () => [1, 2].map(() => ({ category: 'no key', arbitrary: fc.constant({ item: 'tea' }) })),
  send: sendRequest((json) => ({ method: 'POST', path: '/v1/orders', json, authorization: null })),
});

export const keyRequired = requirement({
  id: 'acme.order.key',
  level: 'must',
  section: 'Orders, 1',
  statement: 'No order can be created without a key.',
  over: [ordersWithoutKey],
  check: ({ accepted, exchange: { reply } }) =>
    accepted ? { expected: 'a rejection', actual: `status ${reply.status}` } : undefined,
});

// A custom suite, for an endpoint beyond the interface: cts-conformance run --suite DIR
import { experiment, requirement } from 'cts-conformance';
import fc from 'fast-check';
import { z } from 'zod';

const order = z.object({ id: z.string(), item: z.string() });

const orders = experiment('orders', {
  inputs: fc.record({ item: fc.string({ minLength: 1, maxLength: 40 }) }),
  cases: 30,
  // The mark is of this request alone.
  request: ({ item }, mark) => ({ method: 'POST', path: '/v1/orders', json: { item, reference: mark } }),
  accepted: ({ status }) => status === 201,
});

requirement('acme.order.item', 'item equals the submitted item.', {
  over: orders,
  check: ({ input, reply }) => {
    const read = order.safeParse(reply.json);
    if (read.success && read.data.item === input.item) return undefined;
    return { expected: JSON.stringify(input.item), actual: reply.text, pointer: '/item' };
  },
});

requirement('acme.order.key', 'Without a key there is no order.', {
  over: experiment('orders without a key', {
    inputs: fc.constant({ item: 'tea' }),
    cases: 2,
    request: (json) => ({ method: 'POST', path: '/v1/orders', json, authorization: null }),
  }),
  only: () => true,
  check: ({ accepted, reply: { status } }) =>
    accepted ? { expected: 'a refusal', actual: `status ${status}` } : undefined,
});

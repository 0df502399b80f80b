import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerRequestOf } from '../../lib/engine/operations/customer.ts';
import { firstCustomer } from '../../lib/engine/readiness/first-contact.ts';
import { customerOf } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { plainAddress } from '../../lib/inputs/addresses.ts';
import { usualStyle } from '../../lib/inputs/json-styles.ts';
import { largeCustomers } from './large-customers.ts';

const observed = (input: CustomerInput, accepted: boolean, category: string) => {
  const submitted = customerOf(input, 'qabcdef0', undefined);
  const request = customerRequestOf(submitted, input, undefined);
  const text = JSON.stringify({ id: 'cus_123', ...submitted });
  return { case: { input, category }, submitted, accepted, exchange: { request, reply: { text } } };
};

const named = (name: string): CustomerInput => ({ name, address: plainAddress, style: usualStyle });

/**
 * What is sent to a service that accepts some bodies, after names of some lengths.
 * @param lost how others fail; undefined: they are rejected
 */
function sentTo(
  isAccepted: (body: Buffer) => boolean,
  lengths: readonly number[] = [],
  lost?: 'reset' | 'timeout',
) {
  const judge = (input: CustomerInput, category: string) =>
    observed(input, isAccepted(observed(input, true, '').exchange.request.body!), category);
  const wide = lengths.map((length) => judge(named('é'.repeat(length / 2)), 'wide length'));
  const found = (scenario: unknown) => (scenario === firstCustomer ? [judge(named('Ada'), 'plain')] : wide);
  const run = { target: { lastTrouble: lost && { kind: lost } } };
  const cases = largeCustomers.cases(run as never, found as never) as Generator<never, void, never>;
  const sent: ReturnType<typeof judge>[] = [];
  let step = cases.next([] as never);
  while (step.done !== true) {
    const list = (step.value as readonly { category: string; arbitrary: fc.Arbitrary<CustomerInput> }[]).map(
      ({ category, arbitrary }) => judge(fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0]!, category),
    );
    sent.push(...list);
    step = cases.next(list.filter(({ accepted }) => accepted || lost === undefined) as never);
  }
  return sent;
}

const sizes = (sent: ReturnType<typeof sentTo>): number[] =>
  sent.map(({ exchange }) => exchange.request.body!.length);

describe('large customers', () => {
  it('are three of the first size that is accepted, one body and one response a multiple of 4 KiB', () => {
    const sent = sentTo(() => true);
    expect(sent).toHaveLength(3);
    expect(sizes(sent)[0]).toBeGreaterThan(65_536);
    expect(Math.max(...sizes(sent))).toBeLessThan(100_000);
    expect(sizes(sent)[1]! % 4096).toBe(0);
    expect(sent[1]!.exchange.request.chunked).toBe(true);
    expect(Buffer.byteLength(sent[2]!.exchange.reply.text) % 4096).toBe(0);
    expect([...sent[2]!.submitted.name].length).toBeGreaterThan(65_536);
    expect(sent[2]!.submitted.name.slice(0, 5000)).toBe(sent[0]!.submitted.name.slice(0, 5000));
  });

  it('become smaller until one is accepted', () => {
    const sent = sentTo(({ length }) => length <= 16_384);
    expect(sent.map(({ accepted }) => accepted)).toEqual([false, false, false, true, true, true]);
  });

  it('become smaller where the connection is reset, but not where one is never answered', () => {
    expect(sentTo(() => false, [], 'reset')).toHaveLength(5);
    expect(sentTo(() => false, [], 'timeout')).toHaveLength(1);
  });

  it('are not sent where shorter names were rejected for their length', () => {
    expect(sentTo(({ length }) => length <= 1000, [500, 2000])).toEqual([]);
    expect(sizes(sentTo(({ length }) => length <= 5000, [500, 8000]))).toHaveLength(3);
  });

  it('are ASCII where no long name of other letters was accepted', () => {
    const sent = sentTo((body) => /^[\0-\x7f]*$/.test(body.toString()), [500]);
    expect(sent.slice(0, 3).every(({ submitted }) => /^[a-z]*$/.test(submitted.name))).toBe(true);
  });
});

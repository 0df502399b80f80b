import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstCustomer } from '../../lib/engine/readiness/first-contact.ts';
import { customerOf } from '../../lib/inputs/customers.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import type { CustomerRequest } from '../../lib/schemas/interface.ts';
import { plainCustomers } from './customers.ts';
import { relatedCustomers } from './related-customers.ts';

const earlier = {
  first: { name: 'Ada Berg', email: 'ada1@example.com' },
  plain: { name: 'Carl Lund', email: 'ada2@example.com' },
  wide: { name: 'Zoë M', email: 'é@q.example.com' },
};

/** What is sent to a service that accepts some customers, list by list. */
function sentTo(isAccepted: (submitted: CustomerRequest) => boolean): CustomerRequest[][] {
  const observed = (submitted: CustomerRequest, category: string) => ({
    case: { category },
    submitted,
    accepted: isAccepted(submitted),
  });
  const found = (scenario: unknown) => [
    observed(
      earlier[scenario === firstCustomer ? 'first' : scenario === plainCustomers ? 'plain' : 'wide'],
      '',
    ),
  ];
  const cases = relatedCustomers.cases({} as never, found as never) as Generator<never, void, never>;
  const sent: CustomerRequest[][] = [];
  let step = cases.next([] as never);
  while (step.done !== true) {
    const list = (step.value as readonly { category: string; arbitrary: fc.Arbitrary<CustomerInput> }[]).map(
      ({ category, arbitrary }) =>
        observed(customerOf(fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0]!, 'nonce', undefined), category),
    );
    sent.push(list.map(({ submitted }) => submitted));
    step = cases.next(list as never);
  }
  return sent;
}

describe('related customers', () => {
  it('have the name of one customer and the email of another, unchanged and in other spellings', () => {
    expect(sentTo(() => true)).toEqual([
      [
        { name: 'Ada Berg', email: 'ada2@example.com' },
        { name: 'aDA bERG', email: 'ADA2@EXAMPLE.COM' },
        { name: 'Zoe\u0308 M', email: 'e\u0301@q.example.com' },
        { name: 'Ada Berg', email: 'ada2+news@example.com' },
        { name: 'Ada Berg', email: 'ada2@EXAMPLE.COM' },
        { name: 'Ada Berg ', email: 'ada2@example.org' },
      ],
      [],
    ]);
  });

  it('have only one of the two where a service accepts each email or each name once', () => {
    const known: string[] = [];
    const isNew = ({ email }: CustomerRequest): boolean => {
      const mailbox = email.toLowerCase();
      return !known.includes(mailbox) && known.push(mailbox) > 0;
    };
    const [, alone] = sentTo(isNew);
    expect(alone).toContainEqual({ name: 'Ada Berg', email: 'adanonce@example.com' });
    expect(alone!.length).toBeLessThanOrEqual(6);
  });
});

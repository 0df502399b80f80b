import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, plainAddress } from '../../lib/inputs/addresses.ts';
import type { CustomerInput } from '../../lib/inputs/customers.ts';
import { usualStyle } from '../../lib/inputs/json-styles.ts';
import { combinedCustomers, outliersIn } from './combined-customers.ts';
import { wideCustomers } from './wide-customers.ts';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';

const NAMES = [
  "Ann O'Brien",
  'Anne-Marie Smith-Jones',
  'Zoë Müller',
  'J. R. Berg',
  'ADA BERG',
  'Ada Berg (2)',
];
const LOCALS = ['ada+news', 'a.d.a', 'Ada', 'ada-news', 'ada_b', 'ada'];

/** What is combined in a default run, after a service has accepted each name and each local part alone. */
function combinedAfter(seed: number): CustomerInput[] {
  const observed = (name: string, local: string) => ({
    accepted: true,
    case: { category: '', input: { name, address: { ...plainAddress, local }, style: usualStyle } },
    exchange: { reply: { status: 201, json: {}, fields: {} }, duration: 1 },
  });
  const wide = [
    ...NAMES.map((name) => observed(name, 'ada')),
    ...LOCALS.map((local) => observed('Ada', local)),
  ];
  let generated = 0;
  const run = {
    cases: 170,
    generate: <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.sample(arbitrary, { seed: seed + generated++, numRuns: 1 })[0]!,
    shuffle: <T>(items: readonly T[]) => items,
  };
  const found = (scenario: unknown) =>
    scenario === wideCustomers ? [...wide, ...Array(150).fill(wide[0])] : [];
  const cases = combinedCustomers.cases(run as never, found as never) as Generator<never, void, never>;
  const list = cases.next([] as never).value as unknown as readonly {
    arbitrary: fc.Arbitrary<CustomerInput>;
  }[];
  return list.map(({ arbitrary }) => fc.sample(arbitrary, { seed, numRuns: 1 })[0]!);
}

describe('combined customers', () => {
  it('have signs of names together with signs of addresses, more than random ones have', () => {
    for (const seed of [1, 2, 3]) {
      const texts = combinedAfter(seed).map(
        ({ name, address }) => [name, addressText(address, 'q1')] as const,
      );
      expect(texts.length).toBeLessThan(10);
      const pairs = ["'", '-', '.', 'ë', '('].flatMap((one) =>
        ['+', '-', '_'].map((other) => [one, other] as const),
      );
      const together = pairs.filter(([one, other]) =>
        texts.some(([name, email]) => name.includes(one) && email.includes(other)),
      );
      expect(together.length).toBeGreaterThan(5);
    }
  });
});

/** A customer that was created, unless stated otherwise. */
const observed = (
  name: string,
  { status = 201, fields = {}, more = {}, duration = 5, accepted = true } = {},
): CustomerObservation =>
  ({
    case: { input: { name, address: plainAddress, style: usualStyle } },
    accepted,
    exchange: {
      duration,
      reply: { status, fields: { date: 'now', ...fields }, json: { id: 'cus_1', name, ...more } },
    },
  }) as unknown as CustomerObservation;

describe('outliers', () => {
  const usually = Array.from({ length: 10 }, (_, at) => observed(`Ada ${at}`));

  it('are accepted inputs with another status, other headers, other members, or a late response', () => {
    const outliers = outliersIn([
      observed('queued', { status: 202 }),
      observed('moved', { fields: { 'x-shard': '2' } }),
      observed('warned', { more: { warnings: [] } }),
      observed('slow', { duration: 80 }),
      observed('rejected', { status: 422, accepted: false }),
      observed('dated', { fields: { date: 'later' }, duration: 20 }),
      ...usually,
    ]);
    expect(outliers.map(({ name }) => name)).toEqual(['queued', 'moved', 'warned', 'slow']);
  });

  it('are none where all are alike, or nothing was accepted', () => {
    expect(outliersIn(usually)).toEqual([]);
    expect(outliersIn([observed('rejected', { accepted: false })])).toEqual([]);
  });
});

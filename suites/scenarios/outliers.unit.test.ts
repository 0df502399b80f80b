import { describe, expect, it } from 'vitest';
import type { CustomerObservation } from '../../lib/engine/operations/customer.ts';
import { plainAddress } from '../../lib/inputs/emails.ts';
import { usual } from '../../lib/inputs/json-styles.ts';
import { outliersIn } from './outliers.ts';

/** A customer that was created, unless stated otherwise. */
const observed = (
  name: string,
  { status = 201, fields = {}, more = {}, duration = 5, accepted = true } = {},
): CustomerObservation =>
  ({
    case: { input: { name, address: plainAddress, style: usual } },
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

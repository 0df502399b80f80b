import { describe, expect, it } from 'vitest';
import type { Observation } from './observation.ts';
import { openThinning } from './thinning.ts';

const observation = (number: number, name = 'Ada'): Observation => ({
  case: { experiment: 'wide customers', index: number, family: 'combined', input: { name } },
  granted: true,
  exchange: {
    number,
    lane: 'wide customers',
    request: { method: 'POST', path: '/v1/customers', credential: undefined, fields: [], body: undefined },
    url: 'http://localhost/v1/customers',
    reply: {
      status: 201,
      fields: { date: 'today' },
      text: 'a long text',
      json: { id: `cus_${number}`, name },
      notJson: undefined,
      utf8: true,
    },
    troubles: [],
    startedAt: 1,
    firstByte: 2,
    duration: 3,
    inFlight: 4,
  },
});

const isWhole = ({ thin }: Observation): boolean => thin === undefined;

describe('thinning', () => {
  it('keeps the first observations whole, and of the others the outcome and the id', () => {
    const { thinned } = openThinning();
    const kept = Array.from({ length: 2000 }, (_, number) => thinned(observation(number)));
    expect(kept.filter(isWhole)).toHaveLength(1500);
    const last = kept.at(-1)!;
    expect(last).toMatchObject({ granted: true, thin: { breaks: [] } });
    expect(last.case).toMatchObject({ experiment: 'wide customers', family: 'combined' });
    expect(last.exchange).toMatchObject({ number: 1999, inFlight: 4, reply: { status: 201, text: '' } });
    expect(last.exchange.reply.json).toEqual({ id: 'cus_1999' });
  });

  it('keeps what breaks a requirement whole, up to a number, and then still knows what it broke', () => {
    const { thinned, watch } = openThinning();
    const isBroken = ({ exchange }: Observation): boolean =>
      (exchange.reply.json as { name: string }).name === 'Eve';
    watch('wide customers', 'customer.name.echoed', isBroken);
    for (let number = 0; number < 1500; number++) thinned(observation(number));
    const broken = Array.from({ length: 1600 }, (_, number) => thinned(observation(2000 + number, 'Eve')));
    expect(broken.filter(isWhole)).toHaveLength(1500);
    expect(broken.at(-1)!.thin).toEqual({ breaks: ['customer.name.echoed'] });
    expect(thinned(observation(9999)).thin).toEqual({ breaks: [] });
  });

  it('keeps some that break a requirement whole, however many break another', () => {
    const { thinned, watch } = openThinning();
    const named = (name: string) => (one: Observation) =>
      (one.exchange.reply.json as { name: string }).name === name;
    watch('wide customers', 'customer.name.echoed', named('Eve'));
    watch('wide customers', 'customer.email.echoed', named('Mallory'));
    for (let number = 0; number < 4000; number++) thinned(observation(number, 'Eve'));
    const rare = Array.from({ length: 20 }, (_, number) => thinned(observation(5000 + number, 'Mallory')));
    expect(rare.filter(isWhole)).toHaveLength(10);
  });
});

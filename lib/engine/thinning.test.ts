import { describe, expect, it } from 'vitest';
import { eachOf } from './counted.ts';
import type { Observation } from './observation.ts';
import { openThinning } from './thinning.ts';

const EXPERIMENT = 'wide customers';

const observation = (number: number, name = 'Ada', status = 201): Observation => ({
  case: { experiment: EXPERIMENT, index: number, category: 'combined', input: { name } },
  accepted: status === 201,
  exchange: {
    number,
    queue: EXPERIMENT,
    request: { method: 'POST', path: '/v1/customers', credential: undefined, fields: [], body: undefined },
    url: 'http://localhost/v1/customers',
    reply: {
      status,
      fields: { date: 'today' },
      text: 'a long text',
      json: status === 201 ? { id: `cus_${number}`, name } : {},
      notJson: undefined,
      utf8: true,
    },
    troubles: [],
    startedAt: 1,
    firstByte: 2,
    duration: 3,
    inFlight: number % 7,
  },
});

const named = (name: string) => (one: Observation) =>
  (one.exchange.reply.json as { name: string }).name === name;

const many = (count: number, make: (at: number) => Observation): Observation[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe('thinning', () => {
  it('keeps the first observations whole, and counts the others with the ids that they were given', () => {
    const { keeps, counted } = openThinning();
    const kept = many(2000, (at) => observation(at)).filter(keeps);
    expect(kept.map(({ exchange }) => exchange.number)).toEqual([...Array(1500).keys()]);
    const all = counted(EXPERIMENT);
    expect(all).toMatchObject([
      { category: 'combined', accepted: true, status: 201, breaks: [], first: 1500, inFlight: 6 },
    ]);
    expect([...all[0]!.given]).toEqual(many(500, (at) => observation(1500 + at)).map(given));
    expect(all[0]!.given).toHaveLength(500);
    expect([...eachOf(all[0]!)][7]).toMatchObject({
      case: { experiment: EXPERIMENT, category: 'combined' },
      accepted: true,
      exchange: { number: 1507, reply: { status: 201, json: { id: 'cus_1507' } } },
    });
    expect(counted('another')).toEqual([]);
  });

  it('keeps no id that is long, and still tells it from another', () => {
    const { keeps, counted } = openThinning();
    many(1500, (at) => observation(at)).forEach(keeps);
    const long = (end: string): Observation => {
      const one = observation(2000);
      const reply = { ...one.exchange.reply, json: { id: `cus_${'x'.repeat(100_000)}${end}` } };
      return { ...one, exchange: { ...one.exchange, reply } };
    };
    expect(['a', 'b', 'a'].map(long).filter(keeps)).toHaveLength(1);
    const ids = [...counted(EXPERIMENT)[0]!.given].map(([, id]) => id!);
    expect(ids.map((id) => id.length)).toEqual([106, 106]);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('keeps some whole whose id was given before, by whichever experiment', () => {
    const { keeps } = openThinning();
    many(2000, (at) => observation(at)).forEach(keeps);
    expect([1, 1700, 5000].map((number) => keeps(observation(number)))).toEqual([true, true, false]);
    expect(many(500, () => observation(5000)).filter(keeps)).toHaveLength(98);
  });

  it('keeps fewer whole where each of them is long', () => {
    const { keeps } = openThinning();
    const long = (number: number): Observation => {
      const one = observation(number);
      return {
        ...one,
        exchange: { ...one.exchange, reply: { ...one.exchange.reply, text: 'x'.repeat(32_000) } },
      };
    };
    expect(many(1000, long).filter(keeps)).toHaveLength(400);
  });

  it('tells apart what has an outcome of its own', () => {
    const { keeps, counted } = openThinning();
    many(1500, (at) => observation(at)).forEach(keeps);
    for (const one of [observation(2000), observation(2001, 'Ada', 422), observation(2002)]) keeps(one);
    expect(
      counted(EXPERIMENT).map(({ status, accepted, given: ids }) => [status, accepted, [...ids]]),
    ).toEqual([
      [
        201,
        true,
        [
          [2000, 'cus_2000'],
          [2002, 'cus_2002'],
        ],
      ],
      [422, false, [[2001, null]]],
    ]);
  });

  it('keeps what breaks a requirement whole, up to a number, and then still knows what it broke', () => {
    const { keeps, counted, watch } = openThinning();
    watch(EXPERIMENT, 'customer.name.echoed', named('Eve'));
    many(1500, (at) => observation(at)).forEach(keeps);
    expect(many(1600, (at) => observation(2000 + at, 'Eve')).filter(keeps)).toHaveLength(1500);
    keeps(observation(9999));
    expect(counted(EXPERIMENT).map(({ breaks, given: ids }) => [breaks, ids.length])).toEqual([
      [['customer.name.echoed'], 100],
      [[], 1],
    ]);
  });

  it('keeps some that break a requirement whole, however many break another', () => {
    const { keeps, watch } = openThinning();
    watch(EXPERIMENT, 'customer.name.echoed', named('Eve'));
    watch(EXPERIMENT, 'customer.email.echoed', named('Mallory'));
    many(4000, (at) => observation(at, 'Eve')).forEach(keeps);
    expect(many(20, (at) => observation(5000 + at, 'Mallory')).filter(keeps)).toHaveLength(10);
  });
});

const given = ({ exchange }: Observation): [number, unknown] => [
  exchange.number,
  (exchange.reply.json as { id: string }).id,
];

import { describe, expect, it } from 'vitest';
import { direct } from '../settings/route.ts';
import type { JudgedBy, Observation } from './observation.ts';
import { createSampling, shortId } from './sampling.ts';
import type { Sampling } from './sampling.ts';

const SCENARIO = 'wide customers';

const observation = (number: number, name = 'Ada', status = 201): Observation => ({
  case: { scenario: SCENARIO, index: number, category: 'combined', input: { name } },
  accepted: status === 201,
  exchange: {
    number,
    queue: SCENARIO,
    request: { method: 'POST', path: '/v1/customers', credential: undefined, fields: [], body: undefined },
    url: 'http://localhost/v1/customers',
    route: direct,
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
    answeredAt: 0,
    inFlight: number % 7,
  },
});

/** Two requirements, each broken by the responses with one name. */
const judgeByName = ({ exchange }: Observation): JudgedBy => {
  const { name } = exchange.reply.json as { name?: string };
  return {
    judged: ['customer.name.echoed', 'customer.email.echoed'],
    breaks: [
      ...(name === 'Eve' ? ['customer.name.echoed'] : []),
      ...(name === 'Mallory' ? ['customer.email.echoed'] : []),
    ],
  };
};

const NONE: JudgedBy = { judged: [], breaks: [] };

const many = (count: number, make: (at: number) => Observation): Observation[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** A sampling that keeps nothing more whole, unless there is a reason to. */
function fullSampling(judge: (one: Observation) => JudgedBy = () => NONE): Sampling {
  const sampling = createSampling(judge);
  many(1500, (at) => observation(at)).forEach(sampling.keepOrSummarise);
  return sampling;
}

describe('a sampling', () => {
  it('keeps the first observations whole, and summarises the others with the ids in their responses', () => {
    const { keepOrSummarise, summariesOf } = createSampling(() => NONE);
    const kept = many(2000, (at) => observation(at)).filter(keepOrSummarise);
    expect(kept.map(({ exchange }) => exchange.number)).toEqual([...Array(1500).keys()]);
    const all = summariesOf(SCENARIO);
    expect(all).toMatchObject([
      { category: 'combined', accepted: true, status: 201, judged: [], breaks: [], inFlight: 6 },
    ]);
    expect(all[0]!.ids).toEqual(Array.from({ length: 500 }, (_, at) => [1500 + at, `cus_${1500 + at}`]));
    expect(summariesOf('another')).toEqual([]);
  });

  it('keeps null for a response without an id', () => {
    const { keepOrSummarise, summariesOf } = fullSampling();
    keepOrSummarise(observation(2000, 'Ada', 422));
    expect(summariesOf(SCENARIO)[0]!.ids).toEqual([[2000, null]]);
  });

  it('shortens long ids, and still distinguishes them', () => {
    const { keepOrSummarise, summariesOf } = fullSampling();
    const long = (end: string): Observation => {
      const one = observation(2000);
      const reply = { ...one.exchange.reply, json: { id: `cus_${'x'.repeat(100_000)}${end}` } };
      return { ...one, exchange: { ...one.exchange, reply } };
    };
    expect(['a', 'b', 'a'].map(long).filter(keepOrSummarise)).toHaveLength(1);
    const ids = summariesOf(SCENARIO)[0]!.ids.map(([, id]) => id!);
    expect(ids.map((id) => id.length)).toEqual([106, 106]);
    expect(ids[1]).not.toBe(ids[0]);
    expect(shortId('x'.repeat(200))).toBe('x'.repeat(200));
    expect(shortId('x'.repeat(201))).toMatch(/^x{32}… SHA-256 [0-9a-f]{64}$/);
  });

  it('keeps some whole whose id is not new in any scenario', () => {
    const { keepOrSummarise } = createSampling(() => NONE);
    many(2000, (at) => observation(at)).forEach(keepOrSummarise);
    expect([1, 1700, 5000].map((number) => keepOrSummarise(observation(number)))).toEqual([
      true,
      true,
      false,
    ]);
    const other = observation(1);
    expect(keepOrSummarise({ ...other, case: { ...other.case, scenario: 'plain customers' } })).toBe(true);
    expect(many(500, () => observation(5000)).filter(keepOrSummarise)).toHaveLength(97);
  });

  it('keeps fewer whole if each of them is long', () => {
    const { keepOrSummarise } = createSampling(() => NONE);
    const long = (number: number): Observation => {
      const one = observation(number);
      return {
        ...one,
        exchange: { ...one.exchange, reply: { ...one.exchange.reply, text: 'x'.repeat(32_000) } },
      };
    };
    expect(many(1000, long).filter(keepOrSummarise)).toHaveLength(400);
  });

  it('summarises each outcome on its own', () => {
    const { keepOrSummarise, summariesOf } = fullSampling();
    for (const one of [observation(2000), observation(2001, 'Ada', 422), observation(2002)])
      keepOrSummarise(one);
    expect(summariesOf(SCENARIO).map(({ status, accepted, ids }) => [status, accepted, ids])).toEqual([
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

  it('judges an observation on arrival, unless it is kept whole', () => {
    const numbers: number[] = [];
    const { keepOrSummarise, summariesOf } = fullSampling((one) => {
      numbers.push(one.exchange.number);
      return { judged: one.accepted ? ['customer.name.echoed'] : [], breaks: [] };
    });
    expect(numbers).toEqual([]);
    for (const one of [observation(2000), observation(2001, 'Ada', 422)]) keepOrSummarise(one);
    expect(numbers).toEqual([2000, 2001]);
    expect(summariesOf(SCENARIO).map(({ judged }) => judged)).toEqual([['customer.name.echoed'], []]);
  });

  it('keeps a number of broken observations whole, and records what the others broke', () => {
    const { keepOrSummarise, summariesOf } = fullSampling(judgeByName);
    expect(many(1600, (at) => observation(2000 + at, 'Eve')).filter(keepOrSummarise)).toHaveLength(1500);
    keepOrSummarise(observation(9999));
    expect(summariesOf(SCENARIO).map(({ breaks, ids }) => [breaks, ids.length])).toEqual([
      [['customer.name.echoed'], 100],
      [[], 1],
    ]);
  });

  it('keeps some that break a requirement whole, however many break another', () => {
    const { keepOrSummarise } = fullSampling(judgeByName);
    many(4000, (at) => observation(2000 + at, 'Eve')).forEach(keepOrSummarise);
    expect(many(20, (at) => observation(9000 + at, 'Mallory')).filter(keepOrSummarise)).toHaveLength(10);
  });
});

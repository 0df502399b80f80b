import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallerList } from '../../../lib/inputs/shrinking.ts';
import { combine, combinedCondition } from './filled-conditions.ts';
import { conditionsOf, origins } from './conditions.ts';
import type { Condition } from '../../../lib/engine/operations/request.ts';
import { createRedactor } from '../../../lib/target/output/redactor.ts';
import { underConditions } from './under-conditions.ts';

const row = (...names: string[]): Condition[] => names.map((name) => ({ fields: [[name, '1']] }));
const exchangeOf = (status: number, text = '') => ({
  request: { path: '/' },
  reply: { status, text, fields: {} },
});

/** What is sent to a service, list by list, as names of headers. */
function sentTo(
  rows: Condition[][],
  reply: (names: readonly string[]) => [status: number, text: string] | number | 'accepted',
  withoutKey = exchangeOf(401),
): string[][] {
  const none = { kind: 'none' } as const;
  const cases = underConditions(
    rows.map((conditions) => ({ credential: none, conditions, base: 'body' })),
    [withoutKey as never],
  );
  const sent: string[][] = [];
  let step = cases.next([]);
  while (step.done !== true) {
    const observations = step.value.map(({ arbitrary }) => {
      const [input] = fc.sample(arbitrary, 1);
      const names = input!.conditions.map(({ fields }) => fields![0]![0]);
      const outcome = reply(names);
      const accepted = outcome === 'accepted';
      return {
        case: { input },
        accepted,
        exchange: accepted
          ? exchangeOf(201)
          : typeof outcome === 'number'
            ? exchangeOf(outcome)
            : exchangeOf(...outcome),
      };
    });
    sent.push(
      observations.map((one) =>
        combine(one.case.input!.conditions)
          .fields!.map(([n]) => n)
          .join(''),
      ),
    );
    step = cases.next(observations as never);
  }
  return sent;
}

describe('a row of conditions', () => {
  it('is one request, if it is rejected like one without conditions', () => {
    expect(sentTo([row('a', 'b'), row('c')], () => 401)).toEqual([['ab', 'c']]);
  });

  it('is divided until the condition is known for which it was accepted', () => {
    const sent = sentTo([row('a', 'b', 'c', 'd'), row('e')], (names) =>
      names.includes('c') ? 'accepted' : 401,
    );
    expect(sent).toEqual([
      ['abcd', 'e'],
      ['ab', 'cd'],
      ['c', 'd'],
    ]);
  });

  it('is divided if it was rejected for another reason, which may hide a condition', () => {
    const sent = sentTo([row('a', 'b', 'c', 'd')], (names) => {
      if (names.includes('a')) return 415;
      return names.includes('d') ? 'accepted' : 401;
    });
    expect(sent.flat()).toContain('d');
  });

  it('is divided if it was rejected with the same status, but in other words', () => {
    const withoutKey = exchangeOf(403);
    const reply = (names: readonly string[]) => {
      if (names.includes('a')) return [403, 'Invalid CORS request'] satisfies [number, string];
      return names.includes('d') ? 'accepted' : 403;
    };
    expect(sentTo([row('a', 'b', 'c', 'd')], reply, withoutKey).flat()).toContain('d');
    // A 401 is for the credential.
    const inOtherWords = (): [number, string] => [401, 'no'];
    expect(sentTo([row('a', 'b')], inOtherWords)).toEqual([['ab']]);
  });

  it('is divided for that also beside a row that was accepted', () => {
    const sent = sentTo([row('a', 'b', 'c', 'd'), row('e')], (names) => {
      if (names.includes('a')) return 415;
      return names.includes('d') || names.includes('e') ? 'accepted' : 401;
    });
    expect(sent.flat()).toContain('d');
  });

  it('is not divided again and again by a service that rejects all of them for another reason', () => {
    const rows = Array.from({ length: 10 }, () => row(...'abcdefghijklmnop'));
    expect(sentTo(rows, () => 431).flat()).toHaveLength(10 + 2 * 16);
  });

  it('fits into the limits of usual servers, and changes each part of a request once', () => {
    for (const conditions of [...conditionsOf('customers'), ...conditionsOf('tokens')]) {
      const { fields = [], query = '' } = combine(conditions);
      expect(fields.length).toBeLessThan(70);
      expect(JSON.stringify(fields).length + query.length).toBeLessThan(3000);
      const names = fields.map(([name]) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      for (const part of ['path', 'content', 'absolute'] as const)
        expect(conditions.filter((condition) => condition[part] !== undefined).length).toBeLessThan(2);
    }
  });
});

describe('a failing list', () => {
  it('becomes shorter, the largest parts first', () => {
    expect([...smallerList(['a', 'b', 'c', 'd'])].map((list) => list.join(''))).toEqual([
      '',
      'cd',
      'ab',
      'bcd',
      'acd',
      'abd',
      'abc',
    ]);
  });
});

describe('the row with the origin of a request', () => {
  // Halving a rejected row parts headers that only matter together.
  it.each(['customers', 'tokens'] as const)(
    'changes nothing of the body, which may be rejected for it: %s',
    (name) => {
      const row = conditionsOf(name).find((one) => origins.every((origin) => one.includes(origin)))!;
      expect(row.filter(({ members, content }) => members ?? content)).toEqual([]);
    },
  );
});

it('a cookie that is sent back is redacted unless it is a word, which the report may contain, too', () => {
  const redactor = createRedactor();
  const credential = { value: 'Bearer sk_test_1' };
  const exchange = {
    url: 'http://127.0.0.1/v1/customers',
    request: { path: '/v1/customers', credential },
    reply: { status: 201, fields: { 'set-cookie': 'role=customer; Path=/, sid=q8Zr5xT1mVb7Kp2W' } },
  };
  const run = { exchanges: [exchange], credential, target: { redactor }, settings: { apiKey: 'sk_test_1' } };
  const conditions = [{ fields: [['Cookie', '{response customers set-cookie}'] as const] }];
  const condition = combinedCondition(run as never, { exchange } as never, { conditions }, '1');
  expect(condition.fields).toEqual([['Cookie', 'role=customer; sid=q8Zr5xT1mVb7Kp2W']]);
  expect(redactor.redact('auth.customers.key.required, q8Zr5xT1mVb7Kp2W')).toBe(
    'auth.customers.key.required, [redacted]',
  );
});

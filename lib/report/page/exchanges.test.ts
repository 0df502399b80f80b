import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import { sampleExchange, sampleReport } from '../sample.testing.ts';
import { exchange, log, rangeOf, valueAt } from './exchanges.ts';

it('a long header does not hide the body', () => {
  const sample = sampleExchange('x');
  const headers = { 'content-security-policy': 'v'.repeat(4000) };
  const text = exchange({ ...sample, response: { ...sample.response, headers } }, 'Judged').toString();
  expect(text).toContain(`${'v'.repeat(300)}… (4000 characters)`);
  expect(text).not.toContain('v'.repeat(301));
});

describe('the range of a member in JSON', () => {
  const marked = (json: string, pointer: string): string | undefined => {
    const range = rangeOf(json, pointer);
    return range && json.slice(...range);
  };

  it('is that of the member of the outermost object, with its name', () => {
    expect(marked('{"id":"x", "a":{"name":1}, "name" : "A\\"da" }', '/name')).toBe('"name" : "A\\"da"');
    expect(marked('{"name":["name",{"b":[]}],"b":1}', '/name')).toBe('"name":["name",{"b":[]}]');
    expect(marked(String.raw`{"name":"name","n":1}`, '/n')).toBe('"n":1');
  });

  it('is undefined if there is no such member, or the text is not JSON', () => {
    for (const [json, pointer] of [
      ['{"a":1}', '/b'],
      ['[{"a":1}]', '/a'],
      ['{"a"', '/a'],
      ['{"a":1}', ''],
      ['{"a":{"b":1}}', '/a/b'],
    ] as const)
      expect(rangeOf(json, pointer)).toBeUndefined();
  });

  it('has the value of the member', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (object) => {
        for (const space of ['', '  '])
          for (const name of Object.keys(object).filter((one) => one !== '__proto__')) {
            const json = JSON.stringify(object, null, space);
            const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
            const member = JSON.parse(`{${marked(json, pointer)}}`) as Record<string, unknown>;
            expect(member[name]).toEqual(valueAt(json, pointer));
          }
      }),
    );
  });
});

describe('the requests without a complete response', () => {
  const shown = (lost: Extract<EvidenceLine, { type: 'exploration' }>['lost']): string =>
    log(sampleReport([]), new Map(), [{ type: 'exploration', scenario: 'wide', lost }]).toString();
  const request = { method: 'POST', path: '/v1/customers', body: '{"name":"<b>Ada"}' };

  it('stand before the exchanges, with what was sent and why each was given up', () => {
    const troubles = [{ kind: 'timeout', detail: 'no complete response within 5 s' }] as const;
    const text = shown([{ category: 'html', reason: 'no reply', request, troubles }]);
    expect(text).toContain('1 request without a complete response');
    expect(text).toMatch(/&lt;b&gt;Ada[^]*1 failed attempt:\s+no complete response within 5 s/);
  });

  it('name each trouble once, with how often it occurred', () => {
    const reset = { kind: 'reset', detail: 'closed' } as const;
    const troubles = [reset, { kind: 'timeout', detail: 'too late' }, reset] as const;
    const text = shown([{ category: 'html', reason: 'no reply', request, troubles: [...troubles] }]);
    expect(text).toMatch(/3 failed attempts:\s+closed \(2 times\); too late\s/);
  });

  it('do not include cases that were not sent', () => {
    expect(shown([{ category: 'html', reason: 'its control was rejected', troubles: [] }])).not.toContain(
      'without a complete response',
    );
  });
});

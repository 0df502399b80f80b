import { describe, expect, it } from 'vitest';
import { hasServiceFailed, isComparable, hasPlainInput } from './observation.ts';
import type { Observation } from './observation.ts';

describe('the category of a case', () => {
  const of = (category: string): Observation => ({ case: { category } }) as Observation;

  it.each([
    ['plain', true],
    ['plain | long address', false],
    ['plain, other encoding', false],
  ])('%s shows whether the input is plain', (category, plain) => {
    expect(hasPlainInput(of(category))).toBe(plain);
  });
});

describe('a response to the right credential', () => {
  const failed = (status: number, json: object = {}, accepted = false): boolean =>
    hasServiceFailed({ accepted, exchange: { reply: { status, json, fields: {} } } } as Observation);

  it.each([500, 401, 200, 204])('with status %i and without the result shows a failure', (status) => {
    expect(failed(status)).toBe(true);
    expect(failed(status, { id: 'cus_1' }, true)).toBe(false);
  });

  it('is not a failure if it rejects the input, or is that of a gateway, which was retried', () => {
    expect([400, 403, 409, 422, 502, 503, 504].filter((status) => failed(status))).toEqual([]);
    expect(failed(200, { error: 'invalid name' })).toBe(false);
  });
});

describe('an outcome', () => {
  const isCompared = (status: number): boolean =>
    isComparable({ exchange: { reply: { status, text: '', json: undefined } } } as Observation);

  it('is not compared if the request was too long, or one of too many', () => {
    expect([201, 400, 401, 413, 429].filter(isCompared)).toEqual([201, 400, 401]);
  });
});

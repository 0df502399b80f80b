import { describe, expect, it } from 'vitest';
import { matcherOf, testNamePatternOf } from './requirement.ts';

const questions = [{ id: 'input.names' }] as never;

describe('a list of ids', () => {
  it.each(['customer.id.form', 'customer.id.*', '*.form', 'http.date, customer.*', '*'])(
    'selects an id and its test: %s',
    (list) => {
      expect(matcherOf(list)('customer.id.form')).toBe(true);
      const name = 'customers customer.id.form: id begins with cus_: always.';
      expect(testNamePatternOf(list, { questions }).test(name)).toBe(true);
    },
  );

  it.each(['c*', 'customers*', 'i*', 'begins*', 'id', 'customer.id', 'form', '*cus_'])(
    'selects neither by the title of a chapter nor by a statement: %s',
    (list) => {
      const name = 'customers in tokens json.body: what begins with cus_: always.';
      expect(matcherOf(list)('json.body')).toBe(false);
      expect(testNamePatternOf(list, { questions }).test(name)).toBe(false);
    },
  );

  it('selects the test of all open questions by one of them', () => {
    expect(testNamePatternOf('input.*', { questions }).test('not specified open questions')).toBe(true);
    expect(testNamePatternOf('http.*', { questions }).test('not specified open questions')).toBe(false);
  });
});

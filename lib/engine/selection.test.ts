import { describe, expect, it } from 'vitest';
import { matcherOf } from './selection.ts';

describe('a list of ids', () => {
  it.each(['customer.id.form', 'customer.id.*', '*.form', 'http.date, customer.*', '*'])(
    'selects an id: %s',
    (list) => {
      expect(matcherOf(list)('customer.id.form')).toBe(true);
    },
  );

  it.each(['c*', 'customers*', 'i*', 'begins*', 'id', 'customer.id', 'form', '*cus_'])(
    'selects only whole ids: %s',
    (list) => {
      expect(matcherOf(list)('json.body')).toBe(false);
    },
  );
});

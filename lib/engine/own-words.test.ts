import { expect, it } from 'vitest';
import { catalogue } from '../../suites/catalogue.ts';
import { plan } from '../../suites/plan.ts';
import { ownWordsOf } from './own-words.ts';

const isOwnWord = ownWordsOf(catalogue.requirements, plan);

it.each(['verdict', 'inconclusive', 'customer', 'counterexample', 'plain customers', 'string'])(
  'takes %s for a word of the suite',
  (word) => expect(isOwnWord(word)).toBe(true),
);

it.each(['correcthorse', 'sk_test_1', '12345678', 'c.*', '{"type'])('does not take %s for one', (text) =>
  expect(isOwnWord(text)).toBe(false),
);

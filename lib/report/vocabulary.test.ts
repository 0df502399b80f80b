import { expect, it } from 'vitest';
import { failureText } from '../engine/judging/failure-text.ts';
import {
  brokenRequirement,
  sampleCounterexample,
  sampleExchange,
  sampleReport,
  sampleRequirement,
} from './sample.testing.ts';
import { verdictSentence } from './vocabulary.ts';

it('the sentence of a verdict counts what could not be judged beside what fails', () => {
  const open = sampleRequirement({ id: 'b', verdict: 'inconclusive', reason: 'x' });
  const optional = sampleRequirement({ id: 'c', verdict: 'untested', optional: true });
  const failing = [brokenRequirement('x'), optional];
  expect(verdictSentence(sampleReport(failing))).toBe('1 of 1 requirement of the interface fails');
  expect(verdictSentence(sampleReport([...failing, open]))).toBe(
    '1 of 2 requirements of the interface fails, 1 could not be judged',
  );
});

it('a failure is phrased as what is wrong', () => {
  const [first] = failureText(brokenRequirement('x', { problem: 'name differs.' }), 'reports').split('\n');
  expect(first).toBe('customer.name.echoed (section 4.1): name differs.');
});

it('a failure shows each header of its request, a second credential too', () => {
  const exchange = sampleExchange('x');
  const headers = [...exchange.request.headers, ['Authorization', 'Bearer wrong'] as const];
  const counterexample = {
    ...sampleCounterexample('x'),
    exchanges: [{ ...exchange, request: { ...exchange.request, headers } }],
  };
  expect(failureText(brokenRequirement('x', { counterexample }), 'reports')).toMatch(
    /Authorization: Bearer \[key\]\n +Authorization: Bearer wrong\n/,
  );
});

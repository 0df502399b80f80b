import { expect, it } from 'vitest';
import { failureText } from './failure-text.ts';
import { brokenRequirement, sampleCounterexample, sampleExchange } from '../../report/sample.testing.ts';

it('a failure is phrased as what is wrong', () => {
  const [first] = failureText(brokenRequirement('x', { problem: 'name differs.' }), 'reports').split('\n');
  expect(first).toBe('customer.name.echoed (section 4.1): name differs.');
});

it('a failure shows the usual headers that its request does not have, and the spaces around its body', () => {
  const exchange = sampleExchange('x');
  const request = {
    ...exchange.request,
    headers: [['Authorization', 'Bearer [key]'] as const],
    body: ' {}  ',
  };
  const counterexample = { ...sampleCounterexample('x'), exchanges: [{ ...exchange, request }] };
  expect(failureText(brokenRequirement('x', { counterexample }), 'reports')).toMatch(
    /\[key\]\n +no Content-Type\n +no Accept\n +no User-Agent\n +⟨SP⟩\{\}⟨SP⟩⟨SP⟩\n/,
  );
  const withoutBody = { ...counterexample, exchanges: [{ ...exchange, request: { ...request, body: '' } }] };
  expect(failureText(brokenRequirement('x', { counterexample: withoutBody }))).not.toContain(
    'no Content-Type',
  );
});

it('a failure shows the headers of its request, a second credential too, and how many more there are', () => {
  const exchange = sampleExchange('x');
  const textWith = (...more: (readonly [name: string, value: string])[]): string => {
    const headers = [...exchange.request.headers, ...more];
    const exchanges = [{ ...exchange, request: { ...exchange.request, headers } }];
    const counterexample = { ...sampleCounterexample('x'), exchanges };
    return failureText(brokenRequirement('x', { counterexample }), 'reports');
  };
  const second = ['Authorization', 'Bearer wrong'] as const;
  expect(textWith(second)).toMatch(/Authorization: Bearer \[key\]\n +Authorization: Bearer wrong\n/);
  const many = Array.from({ length: 60 }, (_, at) => [`X-${at}`, 'true'] as const);
  expect(textWith(second, ...many)).toMatch(/wrong\n +X-0: true\n[^]*X-6: true\n +and 53 more headers\n/);
});

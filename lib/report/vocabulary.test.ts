import { expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { failureText } from '../engine/judging/failure-text.ts';
import {
  brokenRequirement,
  sampleCounterexample,
  sampleExchange,
  sampleReport,
  sampleRequirement,
} from './sample.testing.ts';
import { trafficOf, verdictSentence } from './vocabulary.ts';

it('the sentence of a verdict counts what could not be judged beside what fails', () => {
  const open = sampleRequirement({ id: 'b', verdict: 'inconclusive', reason: 'x' });
  const optional = sampleRequirement({ id: 'c', verdict: 'untested', optional: true });
  const failing = [brokenRequirement('x'), optional];
  expect(verdictSentence(sampleReport(failing))).toBe('1 of 1 requirement of the interface fails');
  expect(verdictSentence(sampleReport([...failing, open]))).toBe(
    '1 of 2 requirements of the interface fails; 1 could not be judged',
  );
});

it('the sentence of a verdict names what the profile declares and the run could not test', () => {
  const ended = {
    id: 'token.life.ended',
    level: 'declared',
    verdict: 'inconclusive',
    optional: true,
  } as const;
  const open = sampleRequirement({ ...ended, reason: 'no token expires' });
  expect(verdictSentence(sampleReport([sampleRequirement(), open], { verdict: 'conforms' }))).toBe(
    'all 1 requirement of the interface pass; token.life.ended could not be tested: no token expires',
  );
  for (const run of [{ strict: true }, { only: 'token.*' }])
    expect(verdictSentence(sampleReport([sampleRequirement(), open], { verdict: 'inconclusive', run }))).toBe(
      '1 of 1 requirement has no verdict: no token expires',
    );
});

it('the sentence of a verdict names a recommendation only if it prevents the verdict', () => {
  const required = sampleRequirement();
  const untested = sampleRequirement({ id: 'b', level: 'should', verdict: 'untested', reason: 'no 401' });
  const open = sampleRequirement({ id: 'c', level: 'should', verdict: 'inconclusive', reason: 'cut short' });
  const sentence = (requirements: (typeof open)[], run: Partial<Report['run']>): string =>
    verdictSentence(sampleReport(requirements, { verdict: 'inconclusive', run }));
  const all = [required, untested, open];
  expect(sentence(all, { strict: true })).toBe('1 of 2 recommendations has no verdict: cut short');
  expect(sentence([untested, open], { only: 'http.*' })).toBe(
    '1 of 2 recommendations has no verdict: cut short',
  );
  expect(sentence([untested], { only: 'http.*' })).toBe('1 of 1 recommendation has no verdict: no 401');
  expect(sentence(all, {})).toBe('everything tested passes, but the run ended early, so there is no verdict');
  expect(sentence([], { only: 'customer.state' })).toBe('no requirement was selected that could be tested');
});

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

it('the traffic of a run names outages', () => {
  const run = { outages: 2, unavailableMs: 12_340 };
  expect(trafficOf(sampleReport([], { run }))).toContain('unavailable 2 times, for 12.3 s in all');
});

it('the traffic of a run names what most of its retries followed', () => {
  const trafficWith = (run: Partial<Report['run']>): string => trafficOf(sampleReport([], { run }))[0]!;
  expect(trafficWith({ retries: 213, trouble: 'status 502' })).toMatch(
    /, 213 retries \(mostly after status 502\)$/,
  );
  // A request may be given up without one.
  expect(trafficWith({ retries: 0, trouble: 'status 502' })).toMatch(/, 0 retries$/);
});

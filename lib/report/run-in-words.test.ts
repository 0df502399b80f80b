import { expect, it } from 'vitest';
import type { Report } from '../schemas/report.ts';
import { brokenRequirement, sampleReport, sampleRequirement } from './sample.testing.ts';
import { trafficOf, verdictSentence } from './run-in-words.ts';

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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Inconclusive } from '../experiment/observation.ts';
import type { Observation } from '../experiment/observation.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { Run } from '../experiment/run.ts';
import { thin } from '../experiment/thinning.ts';
import { createRedactor } from '../target/redactor.ts';
import { judgeEach } from './judge.ts';
import type { Judgement } from './judge.ts';

const ID = 'http.date';
const run = {
  settings: { concurrency: 1, seed: 1 },
  target: { redactor: createRedactor() },
} as unknown as Run;

const whole = (number: number, fields: Readonly<Record<string, string>>): Observation => ({
  case: { experiment: 'wide', index: number, family: 'plain', input: {} },
  granted: true,
  exchange: {
    number,
    lane: 'wide',
    request: { method: 'POST', path: '/', credential: undefined, fields: [], body: undefined },
    url: 'http://localhost/',
    reply: { status: 201, fields, text: '{}', json: {}, notJson: undefined, utf8: true },
    troubles: [],
    startedAt: 0,
    firstByte: 0,
    duration: 0,
    inFlight: 1,
  },
});

const thinOne = (number: number, breaks: readonly string[]): Observation =>
  thin(
    { experiment: 'wide', family: 'plain', granted: true, breaks },
    { number, status: 201, inFlight: 1, id: undefined },
  );

const seen = (observations: readonly Observation[]): Experiment<unknown> => ({
  name: 'wide',
  shrinking: fc.anything(),
  explore: () => Promise.resolve({ observations, lost: [], stopped: undefined }),
  settled: () => Promise.resolve(),
  repeat: () => Promise.reject(new Inconclusive('it is not there any more')),
});

/** About a field: of what is left of a response in a long run, it can't be told whether it had one. */
const ofLocation = (observations: readonly Observation[]): Judgement<unknown, Observation> => ({
  over: [seen(observations)],
  only: ({ exchange }) => exchange.reply.fields['location'] !== undefined,
  check: ({ exchange }) =>
    exchange.reply.fields['location'] === '/ok' ? undefined : { expected: '/ok', actual: 'another' },
  shrinking: null,
});

describe('what each exchange is judged by', () => {
  it('is what it was when it came, even where no more than its outcome is left', async () => {
    const observations = [
      whole(1, { location: '/ok' }),
      whole(2, { location: '/bad' }),
      thinOne(3, []),
      thinOne(4, [ID]),
    ];
    expect(await judgeEach(run, ID, ofLocation(observations))).toMatchObject({
      verdict: 'warn',
      cases: 3,
      broken: 2,
      foundAfter: 2,
    });
  });

  it('may be nothing, for want of a grant or of what it is about', async () => {
    expect(await judgeEach(run, ID, ofLocation([]))).toMatchObject({
      verdict: 'untested',
      reason: 'the target granted nothing that it could be judged by',
    });
    expect(await judgeEach(run, ID, ofLocation([whole(1, {})]))).toMatchObject({
      verdict: 'untested',
      reason: 'no response was of the kind that it is about',
    });
  });
});

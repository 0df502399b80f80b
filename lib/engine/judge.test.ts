import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCounter } from './counted.ts';
import type { Counted } from './counted.ts';
import { Inconclusive } from './observation.ts';
import type { Observation } from './observation.ts';
import type { Experiment } from './experiment.ts';
import type { Run } from './run.ts';
import { createRedactor } from '../target/redactor.ts';
import { judgeTogether } from './compare.ts';
import type { Comparison } from './compare.ts';
import { judgeEach } from './judge.ts';
import type { Judgement } from './judge.ts';

const ID = 'http.date';
const run = {
  settings: { concurrency: 1, seed: 1 },
  target: { redactor: createRedactor() },
} as unknown as Run;

const whole = (number: number, fields: Readonly<Record<string, string>>, json: object = {}): Observation => ({
  case: { experiment: 'wide', index: number, category: 'plain', input: {} },
  accepted: true,
  exchange: {
    number,
    queue: 'wide',
    request: { method: 'POST', path: '/', credential: undefined, fields: [], body: undefined },
    url: 'http://localhost/',
    reply: { status: 201, fields, text: '{}', json, notJson: undefined, utf8: true },
    troubles: [],
    startedAt: 0,
    firstByte: 0,
    duration: 0,
    inFlight: 1,
  },
});

/** Of so many responses, from a number on, no more is left than their ids. */
function counted(
  number: number,
  ids: readonly (string | null)[],
  breaks: readonly string[],
): readonly Counted[] {
  const { add, of } = openCounter();
  const kind = { experiment: 'wide', category: 'plain', accepted: true, status: 201, breaks };
  ids.forEach((id, at) => add(kind, [number + at, id], 1));
  return of('wide');
}

const seen = (observations: readonly Observation[], more: readonly Counted[] = []): Experiment<unknown> => ({
  name: 'wide',
  shrinking: fc.anything(),
  explore: () => Promise.resolve({ observations, counted: more, lost: [], stopped: undefined }),
  settled: () => Promise.resolve(),
  repeat: () => Promise.reject(new Inconclusive('it is not there any more')),
});

/** About a field: of what is left of a response in a long run, it can't be told whether it had one. */
const ofLocation = (
  observations: readonly Observation[],
  more?: readonly Counted[],
): Judgement<unknown, Observation> => ({
  over: [seen(observations, more)],
  only: ({ exchange }) => exchange.reply.fields['location'] !== undefined,
  check: ({ exchange }) =>
    exchange.reply.fields['location'] === '/ok' ? undefined : { expected: '/ok', actual: 'another' },
  shrinking: null,
});

describe('what exchanges are compared by', () => {
  const idOf = ({ exchange }: Observation): unknown => (exchange.reply.json as { id?: unknown }).id;
  const ofIds = (isById: boolean, twice = 'cus_a'): Comparison<unknown, Observation> => ({
    over: [
      seen(
        [whole(1, {}, { id: 'cus_b' })],
        [...counted(2, ['cus_a', 'cus_b', 'cus_a'], []), ...counted(5, [null], [])],
      ),
    ],
    only: (one) => one.thin === undefined || idOf(one) !== undefined,
    isById,
    compare: (observations) => {
      const [first, second] = [...observations].filter((one) => idOf(one) === twice);
      return first && second && { first, second, violation: { expected: 'another', actual: twice } };
    },
  });

  it('is the ids of a long run too, where they are enough, and nothing that is not kept otherwise', async () => {
    const found = await judgeTogether(run, 'customer.id.new', ofIds(true));
    expect(found).toMatchObject({ verdict: 'fail', cases: 4, broken: 1, foundAfter: 4 });
    expect(found.counterexample).toBeUndefined();
    expect(found.reason).toBe('expected another; nos. 2 and 4 have cus_a, and no more is kept of them');
    const shown = (await judgeTogether(run, 'customer.id.new', ofIds(true, 'cus_b'))).counterexample!;
    expect(shown.exchanges.map(({ number }) => number)).toEqual([1]);
    expect(shown.expected).toBe('another; no. 3, of which no more is kept, has it');
    const other = await judgeTogether(run, 'customer.reply.own', ofIds(false));
    expect(other).toMatchObject({ verdict: 'pass', cases: 1 });
  });
});

describe('what each exchange is judged by', () => {
  it('is what it was when it came, even where no more than its outcome is left', async () => {
    const observations = [whole(1, { location: '/ok' }), whole(5, { location: '/bad' })];
    const more = [...counted(6, [null, null], []), ...counted(3, [null, null], [ID])];
    expect(await judgeEach(run, ID, ofLocation(observations, more))).toMatchObject({
      verdict: 'warn',
      cases: 4,
      accepted: 4,
      broken: 3,
      foundAfter: 3,
    });
  });

  it('is told without what it was, where nothing of it is kept whole', async () => {
    const cut = await judgeEach(run, ID, ofLocation([{ ...whole(7, {}), thin: { breaks: [ID] } }]));
    expect(cut.broken).toBe(1);
    expect(cut.counterexample!.actual).toMatch(/a response that was too long to be kept whole$/);
    const none = await judgeEach(run, ID, ofLocation([], counted(7, [null], [ID])));
    expect(none).toMatchObject({ broken: 1, foundAfter: 7, reason: 'no more is kept of what broke it' });
    expect(none.counterexample).toBeUndefined();
  });

  it('may be nothing, for want of a grant or of what it is about', async () => {
    expect(await judgeEach(run, ID, ofLocation([]))).toMatchObject({
      verdict: 'untested',
      reason: 'the target accepted nothing that it could be judged by',
    });
    expect(await judgeEach(run, ID, ofLocation([whole(1, {})]))).toMatchObject({
      verdict: 'untested',
      reason: 'no response was of the kind that it is about',
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import { linesOf } from './lines.ts';
import { mergeEvidence } from './merge-evidence.ts';

/** Evidence of one run: as many exchanges, and where redacted tokens are shown. */
const evidence = (exchanges: number, shown: string): EvidenceLine[] =>
  [
    { type: 'run', startedAt: '2026-03-01T12:00:00.000Z', clockStartedAt: '2026-03-01T12:00:00.000Z' },
    ...Array.from({ length: exchanges }, (_, at) => ({
      type: 'exchange',
      number: at + 1,
      startedAt: 10,
      shown,
    })),
  ] as unknown as EvidenceLine[];

describe('merged evidence', () => {
  it('numbers redacted tokens as the exchanges that issued them', () => {
    const merged = mergeEvidence(
      [evidence(5, ''), evidence(1, '[token 1] [possible token 1] token 1')],
      () => false,
    );
    expect(merged.at(-2)).toEqual({
      type: 'exchange',
      number: 6,
      startedAt: 10,
      shown: '[token 6] [possible token 6] token 1',
    });
  });

  it('has one clock, so that the times of a later run are later', () => {
    const [late, early] = [evidence(1, ''), evidence(1, '')];
    Object.assign(late[0]!, { clockStartedAt: '2026-03-01T13:00:00.000Z' });
    const [run, ...lines] = mergeEvidence([late, early], () => false);
    expect(run).toMatchObject({ clockStartedAt: '2026-03-01T12:00:00.000Z' });
    expect(linesOf(lines, 'exchange').map(({ startedAt }) => startedAt)).toEqual([3_600_010, 10]);
  });

  const exploration = (more: object): EvidenceLine =>
    ({ type: 'exploration', scenario: 's', lost: [], ...more }) as unknown as EvidenceLine;
  const lost = (after: number) =>
    exploration({ lost: [{ category: 'c', reason: 'r', after, troubles: [] }] });
  const answered = (exchange: number, scenario = 's'): EvidenceLine =>
    ({ type: 'observation', exchange, observation: { case: { scenario } } }) as unknown as EvidenceLine;
  const merge = (...runs: EvidenceLine[][]) =>
    linesOf(
      mergeEvidence(runs, () => false),
      'exploration',
    )[0]!;

  it('has the cause of a run that ended without a verdict, whatever ended the others early', () => {
    const endedBy = (stopCause: string): EvidenceLine[] => [
      ...evidence(1, ''),
      { type: 'end', durationMs: 1, requests: 1, stopCause } as EvidenceLine,
    ];
    const causeOf = (...causes: string[]): unknown =>
      mergeEvidence(causes.map(endedBy), () => false).find(({ type }) => type === 'end');
    expect(causeOf('budget', 'throttled', 'limit')).toMatchObject({ stopCause: 'limit' });
    expect(causeOf('throttled', 'budget')).toMatchObject({ stopCause: 'throttled' });
  });

  it('counts a case as answered later by the responses of its own run alone', () => {
    const first = [...evidence(5, ''), answered(3), answered(5, 'other'), lost(4)];
    const second = [...evidence(7, ''), answered(7), lost(2)];
    expect(merge(first, second).lost.map(({ after }) => after)).toEqual([12, 7]);
  });

  it('has no verdict, and none of its responses, from a run that found no target to test', () => {
    const run = (index: number, later: object): EvidenceLine[] => {
      const [head, ...exchanges] = evidence(1, '');
      const first = exploration({ scenario: 'first customer' });
      const shard = { ...head, shard: { index, count: 2 } } as unknown as EvidenceLine;
      return [shard, ...exchanges, answered(1, 'first customer'), first, exploration(later)];
    };
    const merged = (later: object): EvidenceLine[] => mergeEvidence([run(1, {}), run(2, later)], () => false);
    const rejected = merged({ failure: { kind: 'inconclusive', message: 'the key was rejected' } });
    expect(linesOf(rejected, 'observation').map(({ exchange }) => exchange)).toEqual([1]);
    expect(linesOf(rejected, 'exploration')).toMatchObject([
      { scenario: 'first customer', lost: [] },
      { stopped: 'shard 2 of 2 tested nothing: the key was rejected' },
    ]);
    expect(linesOf(merged({}), 'observation')).toHaveLength(2);
  });

  it('is cut short where one run has not sent its share', () => {
    const failure = { kind: 'stopped', message: 'the budget was spent' };
    const [first, second] = [evidence(1, ''), evidence(1, '')];
    const merged = merge([...first, exploration({ failure })], [...second, exploration({})]);
    expect(merged).toMatchObject({ stopped: 'the budget was spent' });
    const without = merge([...evidence(1, ''), exploration({})], evidence(1, ''));
    expect(without).toMatchObject({ stopped: 'the evidence of 1 run lacks this scenario' });
  });
});

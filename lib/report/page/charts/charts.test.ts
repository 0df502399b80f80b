import { describe, expect, it } from 'vitest';
import type { EvidenceLine } from '../../../schemas/evidence.ts';
import { chartedLines } from './charts.ts';
import { casesIn } from './inputs.ts';
import { binsOf, percentile } from './latency.ts';
import { inFlight } from './timeline.ts';

describe('a percentile', () => {
  it('is a value that was measured, by nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0.5, 0.9, 0.99, 1].map((share) => percentile(values, share))).toEqual([50, 90, 99, 100]);
    expect([0.5, 0.99].map((share) => percentile([7], share))).toEqual([7, 7]);
    expect(percentile([1, 2, 3], 0.5)).toBe(2);
  });
});

describe('the distribution of latencies', () => {
  it('counts each value once, those on the edges too', () => {
    const values = [1, 1, 2, 3, 8, 16];
    const bins = binsOf(values, 0, 4);
    expect(bins).toHaveLength(16);
    expect(bins.reduce((sum, count) => sum + count, 0)).toBe(values.length);
    expect([bins[0], bins[4], bins[15]]).toEqual([2, 1, 1]);
  });
});

describe('requests in flight', () => {
  it('overlap where they did, and only there', () => {
    const columns = inFlight(
      [
        { startedAt: 0, duration: 500 },
        { startedAt: 250, duration: 250 },
        { startedAt: 800, duration: 0 },
      ],
      1000,
    );
    expect([0, 100, 260, 490, 600, 800, 900].map((at) => columns[at])).toEqual([1, 1, 2, 2, 0, 1, 0]);
  });
});

describe('the outcome of an input', () => {
  const observed = (exchange: number, accepted: boolean): EvidenceLine => ({
    type: 'observation',
    exchange,
    observation: { case: { scenario: 'wide', index: 0, category: 'html', input: {} }, accepted },
  });
  const answered = (number: number, status: number): EvidenceLine =>
    ({ type: 'exchange', number, response: { status } }) as EvidenceLine;
  const lost: EvidenceLine = {
    type: 'exploration',
    scenario: 'wide',
    lost: [
      { reason: 'no reply', request: { method: 'POST', path: '/', body: '' }, troubles: [] },
      { reason: 'its control was rejected', troubles: [] },
    ],
  };

  it('is accepted, rejected, or failed: a server error, or no response', () => {
    const evidence = [
      answered(1, 201),
      answered(2, 400),
      answered(3, 500),
      observed(1, true),
      observed(2, false),
      observed(3, false),
      lost,
    ];
    expect(casesIn(evidence).map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'rejected',
      'failed',
      'failed',
    ]);
  });
});

describe('the lines for the charts', () => {
  it('leave out summaries, which may hold a million ids', () => {
    const [summary, end] = [{ type: 'summary', ids: [[1, 'cus_1']] }, { type: 'end' }];
    expect(chartedLines([summary, end].map((line) => JSON.stringify(line)))).toEqual([end]);
  });
});

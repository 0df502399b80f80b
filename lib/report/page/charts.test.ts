import { describe, expect, it } from 'vitest';
import type { EvidenceLine } from '../../schemas/evidence.ts';
import { sampleReport, sampleRequirement } from '../sample.testing.ts';
import { casesIn, charts } from './charts.ts';
import { pageLines } from './page.ts';

const answered = (number: number, status: number): EvidenceLine => ({
  type: 'exchange',
  number,
  queue: 'wide customers',
  request: { method: 'POST', url: 'https://a.example/v1/customers', headers: [], body: '{}' },
  response: { status, headers: {}, body: 'x'.repeat(9000) },
  troubles: [],
  startedAt: 100 * number,
  firstByte: 1,
  duration: 2,
  inFlight: 1,
  reply: { utf8: true },
});
const observed = (exchange: number, accepted: boolean): EvidenceLine => ({
  type: 'observation',
  exchange,
  observation: {
    case: { scenario: 'wide customers', index: 0, category: 'html | quoted', input: {} },
    accepted,
  },
});
const lost: EvidenceLine = {
  type: 'exploration',
  scenario: 'wide',
  lost: [
    { category: 'html', reason: 'no reply', request: { method: 'POST', path: '/', body: '' }, troubles: [] },
    { category: 'html', reason: 'its control was rejected', troubles: [] },
  ],
};
const summary: EvidenceLine = {
  type: 'summary',
  scenario: 'combined',
  category: 'html',
  accepted: true,
  status: 201,
  inFlight: 1,
  judged: ['a'],
  breaks: ['a'],
  ids: [
    [7, 'cus_7'],
    [8, 'cus_8'],
  ],
};
const failed = sampleRequirement({
  verdict: 'fail',
  broken: 2,
  failedCases: [{ exchange: 1, scenario: 'wide customers', category: 'html', actual: 'x' }],
});
const evidence = [answered(1, 201), answered(2, 400), answered(3, 500), observed(1, true), lost, summary];

describe('the outcome of an input', () => {
  it('is failed if a requirement fails, whatever was accepted, without a response, or by a server error', () => {
    const all = [...evidence, observed(2, false), observed(3, false), observed(4, true)];
    expect(casesIn(all, [failed]).map(({ outcome, count }) => [outcome, count])).toEqual([
      ['failed', 1],
      ['failed', 1],
      ['failed', 2],
      ['rejected', 1],
      ['failed', 1],
      ['accepted', 1],
    ]);
  });
});

describe('the charts', () => {
  const report = sampleReport([failed], {
    run: {
      requests: 3028,
      latency: { 'POST /v1/customers': { count: 3028, p50: 4, p90: 9.9, p99: 16.6 } },
    },
  });
  const page = charts(report, evidence).toString().replaceAll(/\s+/g, ' ');

  it('have the figures of the report, and say what they leave out', () => {
    expect(page).toMatch(/>4 ms<.+>9\.9 ms<.+>16\.6 ms<.+>3028</);
    expect(page).toContain('3 of 3028 requests');
    expect(page).toContain('Not all failed cases are marked');
  });

  it('have a timeline from the first request to the end of the last exchange', () => {
    expect(page).toContain('>0 to 302 ms</th>');
  });
});

describe('the lines for a page', () => {
  it('have the beginnings of bodies', () => {
    const [line] = pageLines([JSON.stringify(answered(1, 201)), '{"type":"answer"}']);
    expect(line!.type === 'exchange' && line!.response.body).toHaveLength(4000);
  });
});

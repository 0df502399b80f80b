import { describe, expect, it } from 'vitest';
import type { Waiver } from '../schemas/profile.ts';
import { NOTHING_JUDGED } from '../schemas/case.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import { withWaivers } from './waivers.ts';

const requirement = (id: string, verdict: FindingVerdict): ReportedRequirement => ({
  id,
  section: '4.1',
  level: 'must',
  statement: 'It holds.',
  verdict,
  ...NOTHING_JUDGED,
});

const waiver: Waiver = { requirement: 'a', reason: 'being fixed', owner: 'Ada', until: '2026-03-31' };
const before = new Date('2026-03-31T23:59:59Z');
const after = new Date('2026-04-01T00:00:00Z');

const judged = (found: readonly ReportedRequirement[], now: Date) =>
  withWaivers(found, { answers: {}, waivers: [waiver] }, now).map(({ id, verdict }) => `${id} ${verdict}`);

describe('waivers', () => {
  it('waive only the failure that they name', () => {
    expect(judged([requirement('a', 'fail'), requirement('b', 'fail')], before)).toEqual([
      'a waived',
      'b fail',
    ]);
  });

  it('name their owner and reason', () => {
    const [waived] = withWaivers([requirement('a', 'fail')], { answers: {}, waivers: [waiver] }, before);
    expect(waived!.reason).toBe('waived until 2026-03-31 by Ada: being fixed');
  });

  it('fail once they have expired, and waive nothing', () => {
    expect(judged([requirement('a', 'fail')], after)).toEqual(['a fail', 'waiver.a fail']);
  });

  it('fail if their requirement passes or does not exist', () => {
    expect(judged([requirement('a', 'pass')], before)).toEqual(['a pass', 'waiver.a fail']);
    expect(judged([requirement('b', 'pass')], before)).toEqual(['b pass', 'waiver.a fail']);
  });

  it('do nothing without a verdict', () => {
    expect(judged([requirement('a', 'inconclusive')], before)).toEqual(['a inconclusive']);
  });
});

import { describe, expect, it } from 'vitest';
import type { Baseline } from '../schemas/baseline.ts';
import type { FindingVerdict } from '../schemas/case.ts';
import { comparedWith, withBaseline } from './baseline.ts';
import { exitCodeOf, verdictOf } from './verdict.ts';

const baseline: Baseline = {
  startedAt: '2026-03-01T12:00:00.000Z',
  version: '0.1.0',
  baseUrl: 'https://staging.example.com',
  until: '2026-03-31',
  broken: ['known', 'fixed', 'advice'],
};
const now = new Date('2026-03-31T23:59:59Z');
const later = new Date('2026-04-01T00:00:00Z');

const judged = (verdicts: Readonly<Record<string, FindingVerdict>>) =>
  Object.entries(verdicts).map(([id, verdict]) => ({
    id,
    verdict,
    level: id === 'advice' ? ('should' as const) : ('must' as const),
  }));

const run = (verdicts: Readonly<Record<string, FindingVerdict>>, change = {}) => {
  const comparison = { baseline, strict: false, cases: 170, now, ...change };
  const requirements = withBaseline(judged(verdicts), comparison);
  return {
    verdicts: Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict])),
    verdict: verdictOf(requirements, {
      isVoid: false,
      isSelection: false,
      stopCause: undefined,
      ...comparison,
    }),
    ...comparedWith(requirements, comparison),
  };
};

describe('a baseline', () => {
  it('knows a failure that it has: the run does not fail, and does not conform either', () => {
    const { verdict, ...compared } = run({ known: 'fail', fixed: 'pass', other: 'pass' });
    expect(compared).toMatchObject({
      verdicts: { known: 'known', fixed: 'pass', other: 'pass' },
      known: ['known'],
      new: [],
      fixed: ['fixed'],
    });
    expect([verdict, exitCodeOf({ run: { strict: false }, verdict })]).toEqual(['no-new-failures', 0]);
  });

  it('is compared with a run that tests less: what that did not test is not fixed', () => {
    const verdicts = { known: 'fail', fixed: 'pass', advice: 'untested' } as const;
    expect(run(verdicts)).toMatchObject({ fixed: ['fixed'], untested: ['advice'] });
    const deep = { baseline: { ...baseline, cases: 3000 } };
    expect(run(verdicts, deep)).toMatchObject({ fixed: [], untested: ['fixed', 'advice'] });
  });

  it('does not know another failure', () => {
    const { verdict, ...compared } = run({ known: 'fail', other: 'fail' });
    expect(compared).toMatchObject({ verdicts: { known: 'known', other: 'fail' }, new: ['other'] });
    expect(verdict).toBe('does-not-conform');
  });

  it('remarks on a failure that has a cause now, or another one', () => {
    const causes = { known: 'trimmed' };
    const otherCause = (cause: string | undefined, baselineCauses: Record<string, string> | undefined) =>
      comparedWith(
        [{ id: 'known', verdict: 'known', ...(cause !== undefined && { cause: { id: cause } }) }],
        {
          baseline: { ...baseline, ...(baselineCauses && { causes: baselineCauses }) },
          strict: false,
          cases: 170,
          now,
        },
      ).otherCause;
    expect(otherCause('trimmed', causes)).toBeUndefined();
    expect(otherCause('any key', causes)).toEqual(['known']);
    expect(otherCause('any key', {})).toEqual(['known']);
    expect(otherCause(undefined, {})).toBeUndefined();
    expect(otherCause('any key', undefined)).toBeUndefined();
  });

  it('does not change the verdict of a run that conforms', () => {
    expect(run({ known: 'pass', fixed: 'pass' }).verdict).toBe('conforms');
  });

  it('does not replace a verdict', () => {
    expect(run({ known: 'fail', fixed: 'inconclusive' }).verdict).toBe('inconclusive');
    expect(run({ known: 'waived' }).verdicts).toEqual({ known: 'waived' });
  });

  it('knows recommendations only where they fail the run', () => {
    const verdicts = { advice: 'warn', known: 'pass' } as const;
    expect(run(verdicts).verdicts).toEqual(verdicts);
    expect(run(verdicts, { strict: true })).toMatchObject({
      verdicts: { advice: 'known' },
      verdict: 'no-new-failures',
    });
  });

  it('knows nothing after its last day', () => {
    const expired = run({ known: 'fail' }, { now: later });
    expect(expired).toMatchObject({ verdicts: { known: 'fail' }, expired: true, known: ['known'], new: [] });
    expect(expired.verdict).toBe('does-not-conform');
    expect(run({ known: 'fail' })).not.toHaveProperty('expired');
  });
});

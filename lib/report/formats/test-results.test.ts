import { describe, expect, it } from 'vitest';
import type { ReportedRequirement } from '../../schemas/report.ts';
import { brokenRequirement, sampleReport, sampleRequirement } from '../sample.testing.ts';
import { summaryMarkdown } from './summary.ts';
import { junitXml, testsOf } from './test-results.ts';
import type { TestResult } from './test-results.ts';

const one = (change: Partial<ReportedRequirement>, strict = false): TestResult =>
  testsOf(sampleReport([sampleRequirement(change)], { run: { strict } }), 'reports')[0]!;

describe('a report as tests', () => {
  it.each([
    [{ verdict: 'pass' }, 'passed'],
    [{ verdict: 'fail' }, 'failed'],
    [{ verdict: 'waived', reason: 'Ada answers for it' }, 'skipped'],
    [{ verdict: 'warn', level: 'should' }, 'passed'],
    [{ verdict: 'untested', reason: 'not selected' }, 'skipped'],
    [{ verdict: 'inconclusive', reason: 'no reply' }, 'error'],
    [{ verdict: 'inconclusive', reason: 'no reply', level: 'should' }, 'skipped'],
    [{ verdict: 'inconclusive', reason: 'it takes a profile', level: 'declared', optional: true }, 'skipped'],
  ] as const)('takes %j as %s', (change, outcome) => {
    expect(one(change)).toMatchObject({
      outcome,
      message: 'reason' in change ? change.reason : change.verdict,
    });
  });

  it('says how far the run went, and by which route', () => {
    const target = { baseUrl: 'https://a.example', route: 'through the proxy http://p:1' };
    const report = sampleReport([sampleRequirement({})], {
      target,
      run: { cases: 243, shard: { index: 1, count: 4 } },
    });
    const xml = junitXml(report, 'reports');
    expect(xml).toContain('<property name="route" value="through the proxy http://p:1"/>');
    expect(xml).toMatch(/<property name="extent" value="243 cases; shard 1 of 4/);
    expect(summaryMarkdown(report, 'reports')).toContain('through the proxy');
  });

  it('fails a recommended requirement only where it fails the run', () => {
    expect(one({ verdict: 'warn', level: 'should' }, true).outcome).toBe('failed');
  });

  it('says what was expected, what came, and all that is known, on one line and on many', () => {
    const problem = 'name differs from the submitted name.';
    const [failed] = testsOf(sampleReport([brokenRequirement('"ada"', { problem })]), 'out');
    expect(failed!.message).toBe(
      'name differs from the submitted name. Expected "Ada", as submitted, not "ada", got "ada"',
    );
    expect(failed!.details).toContain(
      'npx --no-install cts-conformance replay out/cases/customer.name.echoed.json',
    );
  });

  it('ends with the verdict of the run, an error where there is none', () => {
    const outcomes = (['conforms', 'does-not-conform', 'inconclusive'] as const).map(
      (verdict) => testsOf(sampleReport([sampleRequirement()], { verdict }), 'out').at(-1)!.outcome,
    );
    expect(outcomes).toEqual(['passed', 'passed', 'error']);
  });
});

import type { Report } from '../../schemas/report.ts';
import { testsOf } from './tested.ts';
import type { Tested } from './tested.ts';

/** CTRF knows no errors; what could not be judged is its `other`, as skipped would look harmless. */
const statuses = { passed: 'passed', failed: 'failed', error: 'other', skipped: 'skipped' } as const;

/**
 * The report in the Common Test Report Format.
 * @param out folder of the reports, for the replay lines
 */
export function ctrfOf(report: Report, out: string): object {
  const { suite, run, target, verdict } = report;
  const tests = testsOf(report, out);
  const start = Date.parse(run.startedAt);
  const count = (outcome: Tested['outcome']): number =>
    tests.filter((test) => test.outcome === outcome).length;
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(start + run.durationMs).toISOString(),
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        pending: 0,
        skipped: count('skipped'),
        other: count('error'),
        start,
        stop: start + run.durationMs,
        duration: run.durationMs,
      },
      tests: tests.map(testOf),
      environment: {
        testEnvironment: target.baseUrl,
        ...(target.name !== undefined && { appName: target.name }),
      },
      extra: { verdict, seed: run.seed, requests: run.requests },
    },
  };
}

const testOf = (test: Tested): object => ({
  testId: test.id,
  name: test.name,
  status: statuses[test.outcome],
  rawStatus: test.verdict,
  // Statements share their requests: none has a time of its own.
  duration: 0,
  suite: [test.level, ...(test.section === undefined ? [] : [`section ${test.section}`])],
  tags: [test.level],
  message: test.message,
  ...(test.details !== undefined && { trace: test.details }),
});

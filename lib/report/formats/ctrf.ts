import type { Report } from '../../schemas/report.ts';
import { testsOf } from './test-results.ts';
import type { TestResult } from './test-results.ts';

/** CTRF has no errors; what could not be judged is its `other`, because `skipped` looks harmless. */
const statuses = { passed: 'passed', failed: 'failed', error: 'other', skipped: 'skipped' } as const;

/**
 * The report in the Common Test Report Format.
 * @param out folder of the reports, for the replay commands
 */
export function ctrfOf(report: Report, out: string): object {
  const { suite, run, target, verdict } = report;
  const tests = testsOf(report, out);
  const start = Date.parse(run.startedAt);
  const count = (outcome: TestResult['outcome']): number =>
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
      tests: tests.map(({ id, name, outcome, verdict, level, section, message, details }) => ({
        testId: id,
        name,
        status: statuses[outcome],
        rawStatus: verdict,
        // Requirements share their requests, so that none has a duration of its own.
        duration: 0,
        suite: [level, ...(section === undefined ? [] : [`section ${section}`])],
        tags: [level],
        message,
        ...(details !== undefined && { trace: details }),
      })),
      environment: {
        testEnvironment: target.baseUrl,
        ...(target.name !== undefined && { appName: target.name }),
      },
      extra: { verdict, seed: run.seed, requests: run.requests },
    },
  };
}

import type { Report } from '../../schemas/report.ts';
import type { Guard } from '../guard.ts';
import { annotation, appendSummary } from './github-runner.ts';
import { summaryMarkdown } from './summary.ts';
import { testsOf } from './test-results.ts';
import type { TestResult } from './test-results.ts';

/** Errors and warnings that GitHub shows of one step, each. */
const MAX_ANNOTATIONS = 10;

/**
 * Annotates a job of GitHub Actions and appends to its summary.
 * @param environment `GITHUB_ACTIONS` and `GITHUB_STEP_SUMMARY` are used
 * @returns text for the screen: commands for GitHub's runner, and an error if the summary can't be written
 */
export async function reportToGithub(
  report: Report,
  out: string,
  guard: Guard,
  { GITHUB_ACTIONS: isRunner, GITHUB_STEP_SUMMARY: path }: NodeJS.ProcessEnv,
): Promise<string> {
  const annotations = isRunner === 'true' ? guard('the annotations', annotationsOf(report, out)) : '';
  if (!path) return annotations;
  const problem = appendSummary(path, guard('the summary', summaryMarkdown(report, out)));
  return problem === undefined ? annotations : `${annotations}${problem}\n`;
}

/** Failures as errors and recommendations that are not followed as warnings, as commands of GitHub's runner. */
function annotationsOf(report: Report, out: string): string {
  const tests = testsOf(report, out);
  const failures = tests.filter(({ outcome }) => outcome === 'failed');
  // Without a verdict, one reason explains them all.
  const unjudged =
    report.verdict === 'inconclusive' ? tests.slice(-1) : tests.filter(({ outcome }) => outcome === 'error');
  const errors = failures.length > 0 ? failures : unjudged;
  const warnings = tests.filter(({ outcome, verdict }) => verdict === 'warn' && outcome !== 'failed');
  return [...annotations('error', errors), ...annotations('warning', warnings)].join('');
}

function annotations(kind: 'error' | 'warning', tests: readonly TestResult[]): string[] {
  const shown = tests.length > MAX_ANNOTATIONS ? tests.slice(0, MAX_ANNOTATIONS - 1) : tests;
  const rest = tests.length - shown.length;
  return [
    ...shown.map((test) => annotation(kind, titleOf(test), test.message)),
    ...(rest > 0 ? [annotation(kind, `${rest} more`, 'see the summary and the reports')] : []),
  ];
}

/** The name of a test states what should hold. Its message begins with what is wrong, but for a custom one. */
const titleOf = ({ level, id, name }: TestResult): string =>
  level === 'run' ? 'No verdict' : level === 'custom' ? name : id;

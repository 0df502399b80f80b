import { caseFileIn, failureText } from '../../engine/judging/failure-text.ts';
import type { CustomFinding, Judged, Level, Report, ReportedRequirement } from '../../schemas/report.ts';
import { printable } from '../../target/output/printable.ts';
import { failsRun, isBroken, isExcused, isRequired } from '../../verdict/verdict.ts';
import { commonReason, customFailureText, expectedAndGot, verdictSentence } from '../vocabulary.ts';

/** A row of a format for test results: a requirement, a custom one, or the verdict of the run. */
export interface TestResult {
  readonly id: string;
  readonly name: string;
  readonly level: Level | 'custom' | 'run';
  readonly section?: string;
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  /** The verdict in the suite's own words. */
  readonly verdict: string;
  /** One line, never empty. */
  readonly message: string;
  /** The failure in full; only where something is broken. */
  readonly details?: string;
}

/**
 * The report as test results. One of them fails, or is an error, exactly if the exit code of the run is not 0. What may go
 * untested and what a profile waives or a baseline knows is skipped. A recommendation that is not followed passes,
 * except in a strict run. A run without a verdict is an error of its own. Failures of custom suites are skipped, unless
 * they count.
 * @param out folder of the reports, for the replay commands
 */
export function testsOf(report: Report, out: string): TestResult[] {
  // One error for one reason: that of the verdict.
  const isOneError = commonReason(report.requirements) !== undefined;
  return allTests(report, out).map((test) =>
    isOneError && test.outcome === 'error' && test.level !== 'run' ? { ...test, outcome: 'skipped' } : test,
  );
}

const allTests = (report: Report, out: string): TestResult[] => [
  ...report.requirements.map((requirement) => ({
    ...common(requirement),
    level: requirement.level,
    section: requirement.section,
    outcome: outcomeOf(requirement, report.run.strict),
    ...((isBroken(requirement) || isExcused(requirement)) && {
      details: failureText(requirement, caseFileIn(out, requirement.id)),
    }),
  })),
  ...(report.custom ?? []).map((finding) => ({
    ...common(finding),
    level: 'custom' as const,
    outcome: customOutcomeOf(finding, report.customCounts ?? false, report.run.strict),
    ...(finding.verdict === 'fail' && { details: customFailureText(finding) }),
  })),
  {
    id: 'run.has.verdict',
    name: 'run.has.verdict: The run has a verdict.',
    level: 'run',
    outcome: report.verdict === 'inconclusive' ? 'error' : 'passed',
    verdict: report.verdict,
    message: `${report.verdict}: ${verdictSentence(report)}`,
  },
];

const common = (judged: Judged): Pick<TestResult, 'id' | 'name' | 'verdict' | 'message'> => {
  const { id, statement, verdict, reason } = judged;
  const problem = 'problem' in judged ? judged.problem : undefined;
  const found = [problem?.replace(/\.$/, ''), expectedAndGot(judged) ?? reason].filter(Boolean).join(': ');
  // Of a waived failure, the waiver matters more than the failure.
  const message =
    verdict === 'waived' ? reason : verdict === 'known' ? `known from the baseline: ${found}` : found;
  return { id, name: printable(`${id}: ${statement}`), verdict, message: printable(message || verdict) };
};

function outcomeOf(requirement: ReportedRequirement, strict: boolean): TestResult['outcome'] {
  const { verdict } = requirement;
  if (failsRun(requirement, strict)) return 'failed';
  if (verdict === 'inconclusive' && isRequired(requirement)) return 'error';
  return verdict === 'pass' || verdict === 'warn' ? 'passed' : 'skipped';
}

function customOutcomeOf(finding: CustomFinding, counts: boolean, strict: boolean): TestResult['outcome'] {
  if (counts && failsRun(finding, strict)) return 'failed';
  if (finding.verdict === 'pass' || finding.verdict === 'warn') return 'passed';
  return counts && !finding.optional ? 'error' : 'skipped';
}

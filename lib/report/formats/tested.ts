import { failureText } from '../../engine/failure-text.ts';
import { printable } from '../../target/printable.ts';
import type { CustomFinding, Report, ReportedRequirement } from '../../schemas/report.ts';
import { ownFailureText } from '../own-text.ts';
import { sentence } from '../sentences.ts';

/** One row of a format that knows tests: a requirement, one of somebody's own, or the verdict of the run itself. */
export interface Tested {
  readonly id: string;
  readonly name: string;
  readonly level: ReportedRequirement['level'] | 'own' | 'run';
  readonly section: string | undefined;
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped';
  /** The requirement's own word. */
  readonly verdict: string;
  /** On one line, never empty. */
  readonly message: string;
  /** All that is known of a statement that is broken. */
  readonly details: string | undefined;
}

/**
 * The report as tests. One of them has failed or has no outcome exactly when the run does not conform: what
 * went untested without need, and what the operator answers for, is skipped; an advisory statement that is broken
 * passes, unless it fails the run; a run without a verdict is an error of its own. What somebody's own suites found
 * broken is skipped, unless it counts.
 * @param out folder of the reports, for the replay lines
 */
export const testsOf = (report: Report, out: string): Tested[] => [
  ...report.requirements.map((requirement) => testOf(requirement, report.run.strict, out)),
  ...(report.custom ?? []).map((finding) => ownTestOf(finding, report.customCounts !== undefined, out)),
  {
    id: 'verdict',
    name: 'verdict: the run came to a verdict',
    level: 'run',
    section: undefined,
    outcome: report.verdict === 'inconclusive' ? 'error' : 'passed',
    verdict: report.verdict,
    message: `${report.verdict}: ${sentence(report)}`,
    details: undefined,
  },
];

function testOf(requirement: ReportedRequirement, strict: boolean, out: string): Tested {
  const { id, level, section, statement, verdict, reason } = requirement;
  const isBroken = verdict === 'fail' || verdict === 'warn' || verdict === 'waived';
  const got = gotIn(requirement);
  return {
    id,
    name: printable(`${id}: ${statement}`),
    level,
    section,
    outcome: outcomeOf(requirement, strict),
    verdict,
    // Who answers for a failure matters more than what it was.
    message: printable((verdict === 'waived' ? reason : (got ?? reason)) || verdict),
    details: isBroken ? failureText(requirement, out) : undefined,
  };
}

/** What a counterexample comes to, in a line; none where there is none. */
export const gotIn = ({ counterexample }: Pick<ReportedRequirement, 'counterexample'>): string | undefined =>
  counterexample && `expected ${counterexample.expected}, got ${counterexample.actual}`;

function ownTestOf(finding: CustomFinding, counts: boolean, out: string): Tested {
  const { id, statement, verdict, reason } = finding;
  const unsettled = counts ? 'error' : 'skipped';
  return {
    id,
    name: printable(`${id}: ${statement}`),
    level: 'own',
    section: undefined,
    outcome: verdict === 'pass' ? 'passed' : verdict === 'fail' && counts ? 'failed' : unsettled,
    verdict,
    message: printable(gotIn(finding) ?? reason ?? verdict),
    details: verdict === 'fail' ? ownFailureText(finding, out) : undefined,
  };
}

function outcomeOf(
  { verdict, level, optional = false }: ReportedRequirement,
  strict: boolean,
): Tested['outcome'] {
  if (verdict === 'fail' || (strict && verdict === 'warn')) return 'failed';
  if (verdict === 'inconclusive' && level !== 'should' && !optional) return 'error';
  return verdict === 'pass' || verdict === 'warn' ? 'passed' : 'skipped';
}

import type { Finding, Report, ReportedRequirement, Verdict } from '../schemas/report.ts';
import { mayBeEnough } from '../schemas/evidence.ts';
import type { StopCause } from '../schemas/evidence.ts';

/** Process exit codes; the README explains them. */
export const exitCodes = {
  conforms: 0,
  'selection-passes': 0,
  'no-new-failures': 0,
  'does-not-conform': 1,
  usage: 2,
  inconclusive: 3,
  defect: 4,
} as const;

/** The results that decide the exit code of a run. Those of custom suites never affect the verdict. */
type RunResults = Pick<Report, 'verdict' | 'customCounts'> & {
  readonly run: Pick<Report['run'], 'strict'>;
  readonly custom?: readonly Pick<Finding, 'verdict' | 'optional'>[];
};

export function exitCodeOf({ verdict, run: { strict }, custom = [], customCounts }: RunResults): number {
  if (customCounts === undefined) return exitCodes[verdict];
  if (custom.some((one) => failsRun(one, strict))) return exitCodes['does-not-conform'];
  const isSettled = custom.every((one) => !hasNoVerdict(one) || one.optional);
  return exitCodes[verdict] === 0 && !isSettled ? exitCodes.inconclusive : exitCodes[verdict];
}

/** Whether a result fails the run: a recommendation that is not followed does with `--strict`. */
export const failsRun = ({ verdict }: Pick<Finding, 'verdict'>, strict: boolean): boolean =>
  verdict === 'fail' || (strict && verdict === 'warn');

/** Whether a result shows a violation, which the profile does not waive and no baseline knows. */
export const isFailure = ({ verdict }: Pick<Finding, 'verdict'>): boolean =>
  verdict === 'fail' || verdict === 'warn';

/** Whether a result shows a violation that fails no run, because the profile waives it or a baseline knows it. */
export const isExcused = ({ verdict }: Pick<Finding, 'verdict'>): boolean =>
  verdict === 'waived' || verdict === 'known';

/** The members of a requirement that decide the verdict on a run. */
export type JudgedRequirement = Pick<ReportedRequirement, 'level' | 'verdict' | 'optional'> &
  Partial<Pick<ReportedRequirement, 'id' | 'blockedBy'>>;

/** The requirements that can't be tested because of failures that are waived or known. */
export const blockedIn = <J extends JudgedRequirement>(judged: readonly J[]): J[] => {
  const excused = new Set(judged.filter(isExcused).map(({ id }) => id));
  return judged.filter(
    ({ verdict, blockedBy }) => verdict === 'untested' && blockedBy?.every((id) => excused.has(id)),
  );
};

/** Whether a result is not a verdict. */
export const hasNoVerdict = ({ verdict }: Pick<Finding, 'verdict'>): boolean =>
  verdict === 'untested' || verdict === 'inconclusive';

/** Whether counts include a result: not where its requirement is not selected or not declared, and so was not tested. */
export const isCounted = ({ optional = false, verdict }: Pick<Finding, 'verdict' | 'optional'>): boolean =>
  !optional || verdict !== 'untested';

/** Whether the verdict of a run needs a requirement to pass: it is not a recommendation and must be tested. */
export const isRequired = ({
  level,
  optional = false,
}: Pick<ReportedRequirement, 'level' | 'optional'>): boolean => level !== 'should' && !optional;

/** Further facts that the verdict on a run depends on. */
export interface Circumstances {
  /** Whether the results can't be relied on: the suite has a defect, or the run has not ended. */
  readonly isVoid: boolean;
  /** Whether a failed recommended requirement counts. */
  readonly strict: boolean;
  /** Whether only some requirements were selected; the others are optional. */
  readonly isSelection: boolean;
  /** Why the run ended early; after `budget` and `throttled`, the results so far may be enough. */
  readonly stopCause: StopCause | undefined;
}

/**
 * The verdict on all requirements: one failure is enough for `does-not-conform`; `conforms` needs every required one to
 * pass, be waived, or be untestable because of what is waived. A selection never conforms: it passes. There may be nothing that its recommendations apply to, but none
 * of its requirements may be inconclusive; with `--strict`, this is so for every run. A known failure does not fail the
 * run, which does not conform either: it has no new failures.
 */
export function verdictOf(
  judged: readonly JudgedRequirement[],
  { isVoid, strict, isSelection, stopCause }: Circumstances,
): Verdict {
  if (isVoid) return 'inconclusive';
  if (judged.some((one) => failsRun(one, strict))) return 'does-not-conform';
  if (stopCause !== undefined && !mayBeEnough(stopCause)) return 'inconclusive';
  const blocked = blockedIn(judged);
  const isSettled = (one: JudgedRequirement): boolean =>
    one.verdict === 'pass' || isExcused(one) || blocked.includes(one);
  const required = judged.filter(isRequired);
  if (!required.every(isSettled)) return 'inconclusive';
  // There may be nothing that a recommendation applies to, but one that was not tested to the end may not hold.
  const countsAll = isSelection || strict;
  if (countsAll && judged.some(({ verdict }) => verdict === 'inconclusive')) return 'inconclusive';
  if (judged.some(({ verdict }) => verdict === 'known')) return 'no-new-failures';
  if (!isSelection) return required.length > 0 ? 'conforms' : 'inconclusive';
  const isTested = judged.some((one) => isSettled(one) || one.verdict === 'warn');
  return isTested ? 'selection-passes' : 'inconclusive';
}

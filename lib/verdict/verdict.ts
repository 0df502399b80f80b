import type { FindingVerdict } from '../schemas/case.ts';
import type { StopCause } from '../target/exchange.ts';

/** What a run says of its target. */
export type Verdict = 'conforms' | 'does-not-conform' | 'inconclusive';

/** Process exit codes; the README explains them. */
export const exitCodes = {
  conforms: 0,
  'does-not-conform': 1,
  usage: 2,
  inconclusive: 3,
  defect: 4,
} as const;

/** What the exit code of a run follows from. */
export interface Settled {
  readonly verdict: Verdict;
  /** What custom suites found. */
  readonly custom?: readonly Pick<Judged, 'verdict'>[];
  /** Whether that counts: the verdict stays the interface's. */
  readonly customCounts?: true;
}

/** The exit code of a run. */
export function exitCodeOf({ verdict, custom = [], customCounts }: Settled): number {
  if (customCounts === undefined) return exitCodes[verdict];
  if (custom.some((one) => one.verdict === 'fail')) return exitCodes['does-not-conform'];
  const isSettled = custom.every((one) => one.verdict === 'pass');
  return verdict === 'conforms' && !isSettled ? exitCodes.inconclusive : exitCodes[verdict];
}

/** A requirement, as far as the verdict goes. */
export interface Judged {
  readonly level: 'must' | 'should' | 'declared';
  readonly verdict: FindingVerdict;
  /** Whether it may go untested. */
  readonly optional?: boolean;
}

/** Whether the verdict of a run depends on a requirement: it is no recommendation, and may not go untested. */
export const isRequired = ({ level, optional = false }: Pick<Judged, 'level' | 'optional'>): boolean =>
  level !== 'should' && !optional;

/**
 * The verdict over all requirements: one failure is enough against the target, and only requirements
 * that were all tested speak for it.
 * @param strict whether an advisory finding counts as a failure
 * @param stopCause why the run ended early: one that spent its budget may still speak for the target
 */
export function verdictOf(judged: readonly Judged[], strict: boolean, stopCause?: StopCause): Verdict {
  if (judged.some(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warn')))
    return 'does-not-conform';
  if (stopCause === 'away' || stopCause === 'interrupt') return 'inconclusive';
  const required = judged.filter(isRequired);
  const isSettled = ({ verdict }: Judged): boolean => verdict === 'pass' || verdict === 'waived';
  return required.length > 0 && required.every(isSettled) ? 'conforms' : 'inconclusive';
}

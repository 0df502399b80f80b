import { failsRun, hasNoVerdict } from './verdict.ts';
import { dayOf } from '../schemas/profile.ts';
import type { Baseline } from '../schemas/baseline.ts';
import type { BaselineComparison, ReportedCause, ReportedRequirement } from '../schemas/report.ts';

type ComparedRequirement = Pick<ReportedRequirement, 'id' | 'verdict'> & {
  readonly cause?: Pick<ReportedCause, 'id'>;
};

export interface Comparison {
  readonly baseline: Baseline;
  readonly strict: boolean;
  /** Cases of the widest input in this run. */
  readonly cases: number;
  /** When the run began: a baseline is in force until the end of its last day (UTC). */
  readonly now: Date;
}

/** Whether the last day of a baseline is over. */
const isExpired = ({ until }: Pick<Baseline, 'until'>, now: Date): boolean =>
  until !== undefined && until < dayOf(now);

/** Whether a failure is known from a baseline that is still in force. */
export const isKnown = (known: Baseline | undefined, id: string, now: Date): boolean =>
  known !== undefined && !isExpired(known, now) && known.broken.includes(id);

/** Makes `known` what would fail the run, but failed in the baseline too. */
export const withBaseline = <T extends ComparedRequirement>(
  requirements: readonly T[],
  { baseline, strict, now }: Omit<Comparison, 'cases'>,
): T[] =>
  requirements.map((one) =>
    failsRun(one, strict) && isKnown(baseline, one.id, now) ? { ...one, verdict: 'known' } : one,
  );

/** The known, new and fixed failures, and those that were not tested again, after the baseline was applied. */
export function comparedWith(
  requirements: readonly ComparedRequirement[],
  { baseline: { broken, causes, ...about }, strict, cases, now }: Comparison,
): BaselineComparison {
  const ids = (isMeant: (one: ComparedRequirement) => boolean): string[] =>
    requirements.filter(isMeant).map(({ id }) => id);
  const wasBroken = ({ id }: ComparedRequirement): boolean => broken.includes(id);
  const fails = (one: ComparedRequirement): boolean => one.verdict === 'known' || failsRun(one, strict);
  const hasOtherCause = ({ id, cause }: ComparedRequirement): boolean =>
    causes !== undefined && causes[id] !== cause?.id;
  const otherCause = ids((one) => fails(one) && wasBroken(one) && hasOtherCause(one));
  // A run with fewer cases may not have reached the failure.
  const isSmaller = cases < (about.cases ?? 0);
  const untested = ids(
    (one) => wasBroken(one) && (hasNoVerdict(one) || (isSmaller && one.verdict === 'pass')),
  );
  return {
    ...about,
    ...(isExpired(about, now) && { expired: true }),
    known: ids((one) => fails(one) && wasBroken(one)),
    ...(otherCause.length > 0 && { otherCause }),
    new: ids((one) => fails(one) && !wasBroken(one)),
    fixed: ids((one) => one.verdict === 'pass' && wasBroken(one) && !isSmaller),
    ...(untested.length > 0 && { untested }),
  };
}

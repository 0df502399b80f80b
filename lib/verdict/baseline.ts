import { failsRun } from './verdict.ts';
import { isExpired, isKnown } from '../schemas/baseline.ts';
import type { Baseline } from '../schemas/baseline.ts';
import type { BaselineComparison, ReportedCause, ReportedRequirement } from '../schemas/report.ts';

type Judged = Pick<ReportedRequirement, 'id' | 'verdict'> & {
  readonly cause?: Pick<ReportedCause, 'id'>;
};

interface Comparison {
  readonly baseline: Baseline;
  readonly strict: boolean;
  /** When the run began: a baseline is in force until the end of its last day (UTC). */
  readonly now: Date;
}

/** Makes `known` what would fail the run, but failed in the baseline too. */
export const withBaseline = <T extends Judged>(
  requirements: readonly T[],
  { baseline, strict, now }: Comparison,
): T[] =>
  requirements.map((one) =>
    failsRun(one, strict) && isKnown(baseline, one.id, now) ? { ...one, verdict: 'known' } : one,
  );

/** The known, new and fixed failures, after the baseline was applied. */
export function comparedWith(
  requirements: readonly Judged[],
  { baseline: { broken, causes = {}, ...about }, strict, now }: Comparison,
): BaselineComparison {
  const ids = (isMeant: (one: Judged) => boolean): string[] =>
    requirements.filter(isMeant).map(({ id }) => id);
  const wasBroken = ({ id }: Judged): boolean => broken.includes(id);
  const fails = (one: Judged): boolean => one.verdict === 'known' || failsRun(one, strict);
  const hasOtherCause = ({ id, cause }: Judged): boolean =>
    Object.hasOwn(causes, id) && causes[id] !== cause?.id;
  const otherCause = ids((one) => fails(one) && wasBroken(one) && hasOtherCause(one));
  return {
    ...about,
    ...(isExpired({ ...about, broken }, now) && { expired: true }),
    known: ids((one) => fails(one) && wasBroken(one)),
    ...(otherCause.length > 0 && { otherCause }),
    new: ids((one) => fails(one) && !wasBroken(one)),
    fixed: ids((one) => one.verdict === 'pass' && wasBroken(one)),
  };
}

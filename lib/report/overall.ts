import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { comparedWith } from '../verdict/baseline.ts';
import type { Comparison } from '../verdict/baseline.ts';
import { isBroken, verdictOf } from '../verdict/verdict.ts';
import type { Circumstances } from '../verdict/verdict.ts';
import { causesOf } from './order.ts';

/** The results of all requirements, and what follows from them together. @param comparison with a baseline, if there is one */
export function overallResults(
  requirements: readonly ReportedRequirement[],
  circumstances: Circumstances,
  comparison: Comparison | undefined,
): Pick<Report, 'verdict' | 'requirements' | 'baseline' | 'causes'> {
  const causes = causesOf(requirements.filter(isBroken));
  return {
    verdict: verdictOf(requirements, circumstances),
    requirements,
    ...(comparison && { baseline: comparedWith(requirements, comparison) }),
    ...(causes.length > 0 && { causes }),
  };
}

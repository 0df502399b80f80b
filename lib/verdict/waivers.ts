import { NOTHING_JUDGED } from '../schemas/case.ts';
import { dayOf } from '../schemas/profile.ts';
import type { Profile, Waiver } from '../schemas/profile.ts';
import type { ReportedRequirement } from '../schemas/report.ts';
import { hasNoVerdict, isFailure } from './verdict.ts';

/** The waiver of a requirement's failure, if any. @param now a waiver holds to the end of its day (UTC) */
export const waiverFor = (profile: Profile | undefined, id: string, now: Date): Waiver | undefined =>
  profile?.waivers.find(({ requirement, until }) => requirement === id && until >= dayOf(now));

/**
 * Applies the waivers of a profile. A waived failure does not fail the run. A waiver that has expired, or is no longer
 * needed, does, because it would hide the next failure.
 * @param now when the run started; a waiver is in force until the end of its day (UTC)
 */
export function withWaivers(
  requirements: readonly ReportedRequirement[],
  profile: Profile | undefined,
  now: Date,
): ReportedRequirement[] {
  const { waivers = [] } = profile ?? {};
  const judged = requirements.map((requirement): ReportedRequirement => {
    const waiver = isFailure(requirement) ? waiverFor(profile, requirement.id, now) : undefined;
    if (!waiver) return requirement;
    const { until, owner, reason } = waiver;
    return { ...requirement, verdict: 'waived', reason: `waived until ${until} by ${owner}: ${reason}` };
  });
  const useless = waivers.flatMap((waiver): ReportedRequirement[] => {
    const { requirement: id } = waiver;
    const requirement = requirements.find((one) => one.id === id);
    const problem = problemWith(waiver, requirement, dayOf(now));
    if (problem === undefined) return [];
    const [statement, reason] = problem;
    const section = requirement?.section ?? 'of the profile';
    return [
      {
        id: `${OF_WAIVER}${id}`,
        section,
        level: 'declared',
        statement,
        verdict: 'fail',
        reason,
        ...NOTHING_JUDGED,
      },
    ];
  });
  return [...judged, ...useless];
}

const OF_WAIVER = 'waiver.';

/** Whether a failure is that of a waiver itself. */
export const isOfWaiver = ({ id }: Pick<ReportedRequirement, 'id'>): boolean => id.startsWith(OF_WAIVER);

/** What is wrong with a waiver, and what to do about it; undefined if it is in use. */
function problemWith(
  { requirement: id, until, owner }: Waiver,
  requirement: ReportedRequirement | undefined,
  today: string,
): readonly [statement: string, reason: string] | undefined {
  if (requirement === undefined)
    return [`The waiver of ${id} matches nothing.`, `the profile does not declare ${id}; remove the waiver`];
  if (requirement.verdict === 'pass')
    return [`The waiver of ${id} is no longer needed.`, `${id} passes; remove the waiver from the profile`];
  // Nothing shows whether it is still needed.
  if (until >= today || hasNoVerdict(requirement)) return undefined;
  return [
    `The waiver of ${id} has expired.`,
    `it expired on ${until}; ask ${owner} to fix ${id}, or agree on another date`,
  ];
}

import { dayOf, isWaived } from '../engine/declared.ts';
import type { Profile, Waiver } from '../schemas/profile.ts';
import type { ReportedRequirement } from '../schemas/report.ts';

/**
 * Puts a profile's waivers to what was found. A waived failure is shown as such and fails no run. A waiver
 * that has expired, or whose requirement holds, does: it would hide the next failure.
 * @param now when the run started; a waiver holds to the end of its day (UTC)
 */
export function withWaivers(
  requirements: readonly ReportedRequirement[],
  profile: Profile | undefined,
  now: Date,
): ReportedRequirement[] {
  const { waivers = [] } = profile ?? {};
  const judged = requirements.map((requirement): ReportedRequirement => {
    const { id } = requirement;
    if (!isBroken(requirement) || !isWaived(profile, id, now)) return requirement;
    const { until, owner, reason } = waivers.find((waiver) => waiver.requirement === id)!;
    return { ...requirement, verdict: 'waived', reason: `waived until ${until} by ${owner}: ${reason}` };
  });
  const complaints = waivers.flatMap((waiver) => {
    const requirement = requirements.find(({ id }) => id === waiver.requirement);
    const reason = complaintOf(waiver, requirement, dayOf(now));
    return reason === undefined ? [] : [complaint(waiver, requirement?.section ?? 'of the profile', reason)];
  });
  return [...judged, ...complaints];
}

const isBroken = ({ verdict }: ReportedRequirement): boolean => verdict === 'fail' || verdict === 'warn';

/** What is wrong with a waiver, and what to do; undefined where it does its work. */
function complaintOf(
  { requirement: id, until, owner }: Waiver,
  requirement: ReportedRequirement | undefined,
  today: string,
): string | undefined {
  if (requirement === undefined) return `it matches nothing: ${id} is not declared; take the waiver out`;
  if (requirement.verdict === 'pass') return `${id} holds now; take the waiver out of the profile`;
  if (until >= today) return undefined;
  return `it expired on ${until}; have ${owner} mend ${id}, or agree on another date`;
}

const complaint = (waiver: Waiver, section: string, reason: string): ReportedRequirement => ({
  id: `waiver.${waiver.requirement}`,
  section,
  level: 'declared',
  statement: `The waiver of ${waiver.requirement} is still needed, and in force.`,
  verdict: 'fail',
  reason,
  cases: 0,
  accepted: 0,
  broken: 0,
  inFlight: 0,
});

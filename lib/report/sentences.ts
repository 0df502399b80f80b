import { clipped, printable } from '../target/printable.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';

/** How the reason begins that only a profile can take away; the README, and `explain`, say how. */
const UNDECLARED = 'not declared';

/** What a remark is made of. */
export interface Remarked extends Pick<
  ReportedRequirement,
  'verdict' | 'cases' | 'accepted' | 'broken' | 'reason' | 'optional'
> {
  /** Absent for what is not of the interface. */
  readonly level?: ReportedRequirement['level'];
}

/** What a verdict is worth, or why there is none. */
export function remark({ level, verdict, cases, accepted, broken, reason, optional }: Remarked): string {
  if (optional && reason?.startsWith(UNDECLARED)) return UNDECLARED;
  if (level === 'declared' && reason !== undefined) return clipped(printable(reason), 120);
  if (verdict === 'untested' || verdict === 'inconclusive' || verdict === 'waived')
    return clipped(printable(reason ?? ''), 120);
  if (broken > 0 || verdict === 'fail')
    return reason === undefined ? `${broken} of ${cases} cases broken` : clipped(printable(reason), 120);
  // With n clean cases the rate of faults is below 3/n at 95 % (the rule of three).
  const bound = cases >= 4 ? `, < ${(300 / cases).toPrecision(2)} % at 95 %` : '';
  const taken = accepted > 0 && accepted < cases ? `, ${accepted} accepted` : '';
  return `${cases} ${cases === 1 ? 'case' : 'cases'}${taken}${bound}${reason === undefined ? '' : `; ${clipped(printable(reason), 120)}`}`;
}

/** The verdict in one sentence. */
export function sentence({ verdict, requirements, run }: Report): string {
  if (run.defects) return 'the suite itself failed, so what it found is no verdict';
  const required = requirements.filter(({ level, optional }) => level !== 'should' && !optional);
  const failed = required.filter((requirement) => requirement.verdict === 'fail');
  const open = required.filter((requirement) => ['untested', 'inconclusive'].includes(requirement.verdict));
  const statements = required.some(({ level }) => level === 'declared')
    ? 'required and declared statements'
    : 'required statements';
  if (verdict === 'conforms') {
    const waived = required.filter((requirement) => requirement.verdict === 'waived').length;
    return waived === 0
      ? `all ${required.length} ${statements} were tested and hold`
      : `all ${required.length} ${statements} were tested and hold, but ${waived} that the profile waives`;
  }
  if (verdict === 'does-not-conform') {
    return failed.length > 0
      ? `${failed.length} of ${required.length} ${statements} ${failed.length === 1 ? 'is' : 'are'} broken`
      : 'an advisory statement is broken, and --strict counts it';
  }
  if (open.length === 0)
    return `${printable(run.stopped ?? 'a run was cut off')}, so there is no verdict; what was tested until then holds`;
  const reasons = new Set(open.map(({ reason }) => reason ?? 'unknown'));
  const first = printable([...reasons][0] ?? 'nothing was tested');
  return `${open.length} of ${required.length} ${statements} have no verdict: ${first}${reasons.size > 1 ? `, and ${reasons.size - 1} more reasons` : ''}`;
}

/** How many requirements of a level have each verdict; empty: there are none. */
export function counts({ requirements }: Report, level: ReportedRequirement['level']): string {
  const ofLevel = requirements.filter((requirement) => requirement.level === level && !requirement.optional);
  return (['pass', 'fail', 'warn', 'waived', 'inconclusive', 'untested'] as const)
    .map(
      (verdict) =>
        [ofLevel.filter((requirement) => requirement.verdict === verdict).length, verdict] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict}`)
    .join(', ');
}

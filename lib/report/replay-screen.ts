import { failureText } from '../requirements/failure-text.ts';
import { printable } from '../requirements/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { ReportedRequirement } from './model.ts';

/** What became of a counterexample that was sent again. */
export function replayScreen(requirement: ReportedRequirement, out: string): string {
  const { id, verdict, cases, reason } = requirement;
  if (requirement.counterexample) return `${failureText(requirement, out)}\n\nSTILL FAILS  ${id}\n`;
  if (verdict === 'pass') return `FIXED  ${id} held in each of ${cases} replays\n`;
  return `INCONCLUSIVE  ${id}: ${printable(reason ?? 'it was not judged')}\n`;
}

export function replayExitCode({ verdict }: ReportedRequirement): number {
  if (verdict === 'pass') return exitCodes.conforms;
  return verdict === 'fail' || verdict === 'warn' ? exitCodes['does-not-conform'] : exitCodes.inconclusive;
}

import { failureText } from '../requirements/failure-text.ts';
import { commandless } from '../requirements/commandless.ts';
import { printable } from '../requirements/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Finish } from './finish-run.ts';
import type { ReportedRequirement } from './model.ts';

/** Shows what became of a counterexample that was sent again. */
export const finishReplay: Finish = async ({ report, outcome, guard, stream }) => {
  const { replay, out } = outcome.settings;
  const replayed = report.requirements.find(({ id }) => id === replay!.requirement)!;
  stream.write(guard('the screen', commandless(screenOf(replayed, out))));
  if (replayed.verdict === 'pass') return exitCodes.conforms;
  return replayed.counterexample ? exitCodes['does-not-conform'] : exitCodes.inconclusive;
};

function screenOf(requirement: ReportedRequirement, out: string): string {
  const { id, verdict, cases, reason } = requirement;
  if (requirement.counterexample) return `${failureText(requirement, out)}\n\nSTILL FAILS  ${id}\n`;
  if (verdict === 'pass') return `FIXED  ${id} held in each of ${cases} replays\n`;
  return `INCONCLUSIVE  ${id}: ${printable(reason ?? 'it was not judged')}\n`;
}

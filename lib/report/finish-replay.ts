import { styleText } from 'node:util';
import { failureText } from '../engine/failure-text.ts';
import { brokeEachTime } from '../engine/replay.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import type { ReplayedCase } from '../settings/run-settings.ts';
import { commandless } from '../target/commandless.ts';
import { clipped, printable } from '../target/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Finish } from './finish.ts';
import { wrapped } from './text.ts';
import type { Style } from './vocabulary.ts';

type ReplayResult = 'STILL FAILS' | 'FIXED' | 'NOT REPRODUCED' | 'INCONCLUSIVE';

const results: Readonly<Record<ReplayResult, { readonly style: Style; readonly code: number }>> = {
  'STILL FAILS': { style: ['bold', 'red'], code: exitCodes['does-not-conform'] },
  FIXED: { style: ['bold', 'green'], code: exitCodes.conforms },
  'NOT REPRODUCED': { style: ['bold', 'yellow'], code: exitCodes.inconclusive },
  INCONCLUSIVE: { style: ['bold', 'yellow'], code: exitCodes.inconclusive },
};

function resultOf({ counterexample, verdict }: ReportedRequirement, recorded: ReplayedCase): ReplayResult {
  if (counterexample) return 'STILL FAILS';
  if (verdict !== 'pass') return 'INCONCLUSIVE';
  return brokeEachTime(recorded) ? 'FIXED' : 'NOT REPRODUCED';
}

/** Prints the result of a replay. */
export const finishReplay: Finish = async ({ report, outcome: { settings }, guard, stream }) => {
  const replay = settings.replay!;
  const replayed = report.requirements.find(({ id }) => id === replay.requirement)!;
  stream.write(guard('the screen', commandless(replayScreen(report, replayed, replay, stream))));
  return results[resultOf(replayed, replay)].code;
};

/** The result comes last. */
export function replayScreen(
  { target }: Report,
  requirement: ReportedRequirement,
  recorded: ReplayedCase,
  stream: NodeJS.WriteStream,
): string {
  const { id, cases, reason = 'it was not judged', counterexample } = requirement;
  const result = resultOf(requirement, recorded);
  const texts: Readonly<Record<ReplayResult, string>> = {
    'STILL FAILS': `failed in ${counterexample?.reproduced} replays`,
    FIXED: `passed in each of ${cases} replays`,
    'NOT REPRODUCED': `passed in each of ${cases} replays, but it was intermittent before (${recorded.reproduced})`,
    INCONCLUSIVE: printable(reason),
  };
  const lines = [
    ...wrapped(`${id}: ${texts[result]}`, `${result}  `),
    `  at ${clipped(printable(target.baseUrl), 200)}`,
    '',
  ];
  return [
    ...(counterexample ? [failureText({ ...requirement, file: recorded.file }, ''), ''] : []),
    lines.join('\n').replace(result, () => styleText(results[result].style, result, { stream })),
  ].join('\n');
}

import { styleText } from 'node:util';
import { commandless } from '../target/commandless.ts';
import { failureText } from '../engine/failure-text.ts';
import { clipped, printable } from '../target/printable.ts';
import { wasSure } from '../engine/replay.ts';
import type { ReplayedCase } from '../settings/settings.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Finish } from './finish-run.ts';
import type { Report, ReportedRequirement } from '../schemas/report.ts';
import { wrapped } from './wrapped.ts';

type Style = Parameters<typeof styleText>[0];
type Outcome = 'STILL FAILS' | 'FIXED' | 'NOT REPRODUCED' | 'INCONCLUSIVE';

const outcomes: Readonly<Record<Outcome, { style: Style; code: number }>> = {
  'STILL FAILS': { style: ['bold', 'red'], code: exitCodes['does-not-conform'] },
  FIXED: { style: ['bold', 'green'], code: exitCodes.conforms },
  'NOT REPRODUCED': { style: ['bold', 'yellow'], code: exitCodes.inconclusive },
  INCONCLUSIVE: { style: ['bold', 'yellow'], code: exitCodes.inconclusive },
};

function outcomeOf({ counterexample, verdict }: ReportedRequirement, recorded: ReplayedCase): Outcome {
  if (counterexample) return 'STILL FAILS';
  if (verdict !== 'pass') return 'INCONCLUSIVE';
  return wasSure(recorded) ? 'FIXED' : 'NOT REPRODUCED';
}

/** Shows what became of a counterexample that was sent again. */
export const finishReplay: Finish = async ({ report, outcome: { settings }, guard, stream }) => {
  const replay = settings.replay!;
  const replayed = report.requirements.find(({ id }) => id === replay.requirement)!;
  stream.write(guard('the screen', commandless(replayScreen(report, replayed, replay, stream))));
  return outcomes[outcomeOf(replayed, replay)].code;
};

/** What it comes to is last. */
export function replayScreen(
  { target }: Report,
  requirement: ReportedRequirement,
  recorded: ReplayedCase,
  stream: NodeJS.WriteStream,
): string {
  const { id, cases, reason = 'it was not judged', counterexample } = requirement;
  const outcome = outcomeOf(requirement, recorded);
  const said: Readonly<Record<Outcome, string>> = {
    'STILL FAILS': `it broke ${counterexample?.reproduced} times`,
    FIXED: `it held in each of ${cases} replays`,
    'NOT REPRODUCED': `it held in each of ${cases} replays; when it was found, it broke ${recorded.reproduced} times, so that proves little`,
    INCONCLUSIVE: printable(reason),
  };
  const lines = [
    ...wrapped(`${id}: ${said[outcome]}`, `${outcome}  `),
    `  at ${clipped(printable(target.baseUrl), 200)}`,
    '',
  ];
  return [
    ...(counterexample ? [failureText({ ...requirement, file: recorded.file }, ''), ''] : []),
    lines.join('\n').replace(outcome, () => styleText(outcomes[outcome].style, outcome, { stream })),
  ].join('\n');
}

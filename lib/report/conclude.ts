import { readFile, rm } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { linesIn } from '../engine/evidence/lines.ts';
import type { Lines, Written } from '../engine/evidence/lines.ts';
import type { Catalogue } from '../engine/requirement.ts';
import { secretsOf } from '../settings/route.ts';
import { clipped, oneLine, printable } from '../target/output/printable.ts';
import { exitCodes } from '../verdict/verdict.ts';
import type { Finish } from './finish.ts';
import { guardAgainst, redactLateTokens } from './guard.ts';
import type { Guard } from './guard.ts';
import { makeReport } from './model.ts';
import type { RunOutcome } from './model.ts';
import { NOT_SELECTED } from './screen.ts';
import { WritingFailed, writingFailed } from './write.ts';

/** What a run has left when its suites have ended. */
export interface Results extends Required<
  Pick<RunOutcome, 'settings' | 'startedAt' | 'findings' | 'custom' | 'ended' | 'only' | 'defects'>
> {
  /** Whether Vitest has cancelled it. */
  readonly isCancelled?: boolean;
  /** The secrets that the suites have met, such as issued tokens. */
  readonly secrets: Iterable<string>;
}

/** Makes reports and the screen of what the suites have found. Never throws. @returns the exit code */
export async function makeReportAndFinish(
  { isCancelled = false, secrets, ...results }: Results,
  catalogue: Catalogue,
  finish: Finish,
  stream: NodeJS.WriteStream,
): Promise<number> {
  const { settings, startedAt, ended } = results;
  const given = secretsOf(settings).map(({ text }) => text);
  const guard = guardAgainst([...given, ...secrets]);
  const defects = results.defects.map((text) => safeErrorText(guard, text));
  let code: number = exitCodes.defect;
  try {
    const stopCause = isCancelled ? 'interrupt' : ended?.traffic.stopCause;
    const outcome: RunOutcome = {
      ...results,
      // Recorded evidence is judged with the waivers and the baseline that were in force on the day of its run.
      startedAt: settings.recordedAt ?? startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      absent:
        stopCause === 'interrupt'
          ? 'the run was interrupted'
          : results.only === undefined
            ? 'it did not run'
            : NOT_SELECTED,
      stopCause,
      defects,
    };
    // These are known from the start: if one is there, the guard must find it.
    const tokens = [...secrets].filter((secret) => !given.includes(secret));
    const report = redactLateTokens(makeReport(outcome, catalogue), tokens);
    const lines = await evidenceIn(ended?.evidence);
    const result = await finish({ report, outcome, lines, guard, stream });
    if (defects.length === 0) code = result;
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof WritingFailed) stream.write(`\nThere is no verdict: ${printable(message)}\n`);
    else defects.push(safeErrorText(guard, `the report could not be made: ${message}`));
  }
  for (const text of defects)
    stream.write(`\nThe suite itself failed, please report it: ${oneLine(text, 1000)}\n`);
  return code;
}

/** The lines of the evidence that the suites have written; undefined: none. @throws {WritingFailed} */
async function evidenceIn(written: Written | undefined): Promise<Lines | undefined> {
  if (written === undefined) return undefined;
  const { path, code } = written;
  if (code !== undefined) throw writingFailed(path, written);
  const bytes = await readFile(path);
  await rm(path, { force: true });
  return linesIn(bytes);
}

/** The beginning of an error's text, unless it holds a secret. */
function safeErrorText(guard: Guard, text: string): string {
  try {
    return clipped(guard('its text', stripVTControlCharacters(text)), 2000);
  } catch (error) {
    return (error as Error).message;
  }
}

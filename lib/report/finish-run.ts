import type { Lines } from '../engine/lines.ts';
import { commandless } from '../target/commandless.ts';
import { exitCodeOf } from '../verdict/verdict.ts';
import { evidenceOf } from './evidence.ts';
import type { Guard } from './guard.ts';
import type { Outcome } from './model.ts';
import type { Report } from '../schemas/report.ts';
import { screenOf } from './screen.ts';
import { tellGithub } from './tell-github.ts';
import { writeProfileOf } from './write-profile.ts';
import { NotMade, writeReports } from './write.ts';

/** What is there when the suites are through. */
export interface Finished {
  readonly report: Report;
  readonly outcome: Outcome;
  /** The lines of the evidence that the suites have written; undefined: none. */
  readonly seen: Lines | undefined;
  readonly guard: Guard;
  readonly stream: NodeJS.WriteStream;
}

/** Makes of it what its reader wants. @returns the exit code */
export type Finish = (finished: Finished) => Promise<number>;

/** Writes the reports of a run and shows it. @throws {NotMade} when some could not be made, after all else is done */
export const finishRun: Finish = async (finished) => {
  const { report, outcome, seen } = finished;
  return publish(report, seen === undefined ? undefined : evidenceOf(seen, report, outcome), finished);
};

/**
 * Writes reports and shows them.
 * @param evidence the lines of `evidence.ndjson`; undefined: there is none
 * @returns the exit code
 * @throws {NotMade} when some could not be made, after all else is done
 */
export async function publish(
  report: Report,
  evidence: Lines | undefined,
  { outcome, guard, stream }: Finished,
): Promise<number> {
  const { out, reports, writeProfile, detail } = outcome.settings;
  const problems = await writeReports(report, evidence, out, guard, reports).then(() => '', unmade);
  const profile = writeProfile === undefined ? undefined : await writeProfileOf(report, writeProfile, guard);
  stream.write(await tellGithub(report, out, guard, process.env).catch(() => ''));
  stream.write(guard('the screen', commandless(screenOf(report, { out, stream, detail, profile }))));
  if (problems !== '') throw new NotMade(problems);
  return exitCodeOf(report);
}

function unmade(error: unknown): string {
  if (error instanceof NotMade) return error.message;
  throw error;
}

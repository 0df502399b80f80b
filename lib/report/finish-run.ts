import { exitCodeOf } from '../verdict/verdict.ts';
import { evidenceOf } from './evidence.ts';
import type { Guard } from './guard.ts';
import type { Outcome, Report } from './model.ts';
import { screenOf } from './screen.ts';
import { writeProfileOf } from './write-profile.ts';
import { writeReports } from './write.ts';

/** What is there when the suites are through. */
export interface Finished {
  readonly report: Report;
  readonly outcome: Outcome;
  /** The lines of the evidence that the suites have written; undefined: none. */
  readonly seen: string | undefined;
  readonly guard: Guard;
  readonly stream: NodeJS.WriteStream;
}

/** Makes of it what its reader wants. @returns the exit code */
export type Finish = (finished: Finished) => Promise<number>;

/** Writes the reports of a run and shows it. */
export const finishRun: Finish = async ({ report, outcome, seen, guard, stream }) => {
  const { out, writeProfile } = outcome.settings;
  const evidence = seen === undefined ? undefined : evidenceOf(seen, report, outcome);
  await writeReports(report, evidence, out, guard);
  const profile = writeProfile === undefined ? undefined : await writeProfileOf(report, writeProfile, guard);
  stream.write(guard('the screen', screenOf(report, out, stream, profile)));
  return exitCodeOf(report.verdict, outcome.settings.own?.counts ? outcome.own : []);
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Lines } from '../engine/evidence/lines.ts';
import type { Catalogue } from '../engine/requirement.ts';
import type { AnswerLine, EndLine, RunLine } from '../schemas/evidence.ts';
import type { Report } from '../schemas/report.ts';
import { EVIDENCE } from '../settings/files.ts';
import { recordedRoute, secretsOf } from '../settings/route.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { withoutCiCommands } from '../target/output/printable.ts';
import { exitCodeOf, exitCodes } from '../verdict/verdict.ts';
import { reportToGithub } from './formats/github.ts';
import { guardAgainst } from './guard.ts';
import type { Guard } from './guard.ts';
import { makeReport } from './model.ts';
import type { RunOutcome } from './model.ts';
import { writeProfile, writeWaivers } from './profile.ts';
import { screenOf } from './screen.ts';
import { RenderingFailed, writeReports, removeReports } from './write.ts';

/** The results of a run that has ended. */
export interface Finished {
  readonly report: Report;
  readonly outcome: RunOutcome;
  /** Lines of evidence that the suites have written; undefined if there are none. */
  readonly lines: Lines | undefined;
  readonly guard: Guard;
  readonly stream: NodeJS.WriteStream;
}

/** Handles the results of a run: writes, prints or compares them. @returns the exit code */
export type Finish = (finished: Finished) => Promise<number>;

/** Writes and prints the reports of a run. @throws {RenderingFailed} after everything else, if some could not be rendered */
export const writeAndPrintRun: Finish = async (finished) => {
  const { report, outcome, lines } = finished;
  return writeAndPrint(finished, lines && evidenceLinesOf(lines, report, outcome));
};

/**
 * Writes and prints reports.
 * @param evidence the lines of `evidence.ndjson`; undefined if there is none
 * @returns the exit code
 * @throws {RenderingFailed} after everything else, if some could not be rendered
 */
export async function writeAndPrint(
  { report: made, outcome, guard, stream }: Omit<Finished, 'lines'>,
  evidence: Lines | undefined,
): Promise<number> {
  const { out, detail } = outcome.settings;
  const files = await writeFiles(made, evidence, outcome.settings, guard).catch((error: unknown) => {
    // No file may have a verdict where the exit code says that there is none; a failure stays one.
    if (exitCodeOf(made) === exitCodes.conforms) removeReports(out, EVIDENCE);
    throw error;
  });
  const { report, problems, written } = files;
  const page = join(out, 'index.html');
  stream.write(await reportToGithub(report, out, guard, process.env).catch(() => ''));
  stream.write(
    guard(
      'the screen',
      withoutCiCommands(
        screenOf(report, { out, page: existsSync(page) ? page : undefined, stream, detail, written }),
      ),
    ),
  );
  if (problems !== '') throw new RenderingFailed(problems);
  return exitCodeOf(report);
}

interface WrittenFiles {
  /** As it was written: without a verdict if some of the files could not be rendered. */
  readonly report: Report;
  /** Why they could not; empty: all were. */
  readonly problems: string;
  /** Paths of the files beside the reports that were asked for. */
  readonly written: readonly string[];
}

/** @throws {WritingFailed} */
async function writeFiles(
  made: Report,
  evidence: Lines | undefined,
  { out, reports, profile, writeProfile: newProfile, writeWaivers: waived }: TargetSettings,
  guard: Guard,
): Promise<WrittenFiles> {
  const write = (report: Report): Promise<string> =>
    writeReports(report, evidence, out, guard, reports).then(
      () => '',
      (error: unknown) => {
        if (error instanceof RenderingFailed) return error.message;
        throw error;
      },
    );
  const problems = await write(made);
  const report = problems === '' ? made : withDefect(made, problems);
  if (report !== made) await write(report);
  const written = [
    ...(newProfile === undefined ? [] : [await writeProfile(report, newProfile, guard)]),
    ...(waived === undefined ? [] : [await writeWaivers(report, profile, waived, guard)]),
  ];
  return { report, problems, written };
}

/** A report without a verdict, because of an error of the suite. */
const withDefect = (report: Report, defect: string): Report => ({
  ...report,
  verdict: 'inconclusive',
  run: { ...report.run, defects: [...(report.run.defects ?? []), defect] },
});

/** The lines of `evidence.ndjson`: the settings, what the suites have written, the answers, the end. */
function evidenceLinesOf(
  lines: Lines,
  { suite, target, run, questions }: Report,
  { settings, only, stopCause, ended }: RunOutcome,
): Lines {
  const { tokenScopes, tokenExpiresIn, profile, baseline, shard, cases, savedCases, route } = settings;
  const first: RunLine = {
    type: 'run',
    schemaVersion: 1,
    suite,
    baseUrl: target.baseUrl,
    startedAt: run.startedAt,
    clockStartedAt: new Date(ended!.traffic.openedAt).toISOString(),
    seed: run.seed,
    ...(shard && { shard }),
    cases,
    ...(only !== undefined && { only }),
    strict: run.strict,
    tokenScopes,
    tokenExpiresIn,
    route: recordedRoute(route),
    ...(profile && { profile }),
    ...(baseline && { baseline }),
    ...(savedCases.length > 0 && { replayed: savedCases.length }),
  };
  const answers = questions.map(({ id, answer, reason, unanswerable, cases, exchanges }): AnswerLine => ({
    type: 'answer',
    answer: { id, answer, reason, unanswerable, cases, exchanges: exchanges.map(({ number }) => number) },
  }));
  const last: EndLine = {
    type: 'end',
    durationMs: run.durationMs,
    requests: run.requests,
    ...(stopCause && { stopCause }),
  };
  return {
    *[Symbol.iterator]() {
      yield JSON.stringify(first);
      yield* lines;
      for (const line of [...answers, last]) yield JSON.stringify(line);
    },
  };
}

/**
 * Writes the reports of a run that has not ended, which stay if it never does: if it is killed, for example. Leaves
 * none if they can't be written, because the end of the run reports why.
 */
export async function writeUnfinished(
  { settings, startedAt, only }: Pick<RunOutcome, 'settings' | 'startedAt' | 'only'>,
  catalogue: Catalogue,
): Promise<void> {
  const { out, reports, profile } = settings;
  const report = makeReport(
    {
      // Waivers and baselines are about results.
      settings: { ...settings, profile: profile && { ...profile, waivers: [] }, baseline: undefined },
      startedAt,
      durationMs: 0,
      isUnfinished: true,
      absent: 'the run has not ended',
      only,
    },
    catalogue,
  );
  try {
    const guard = guardAgainst(secretsOf(settings).map(({ text }) => text));
    await writeReports(report, undefined, out, guard, reports);
  } catch {
    removeReports(out);
  }
}

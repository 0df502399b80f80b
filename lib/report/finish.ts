import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { linesIn } from '../engine/evidence/lines.ts';
import type { Lines, Written } from '../engine/evidence/lines.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { AnswerLine, EndLine, RunLine } from '../schemas/evidence.ts';
import type { Report } from '../schemas/report.ts';
import { EVIDENCE } from '../settings/files.ts';
import { recordedRoute, secretsOf } from '../settings/route.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import { withoutCiCommands, clipped, oneLine, printable } from '../target/output/printable.ts';
import { exitCodeOf, exitCodes } from '../verdict/verdict.ts';
import { reportToGithub } from './formats/github.ts';
import { guardAgainst, redactLateTokens } from './guard.ts';
import type { Guard } from './guard.ts';
import { makeReport } from './model.ts';
import type { RunOutcome } from './model.ts';
import { writeProfile, writeWaivers } from './profile.ts';
import { screenOf } from './screen.ts';
import { writeReports } from './write.ts';
import { OtherRun, WritingFailed, rejectOtherRun, removeReports, writingFailed } from './folder.ts';

/**
 * Makes the reports and the screen from what the suites have found. Never throws.
 * @param secrets those that the suites have reported, such as issued tokens
 * @returns the exit code
 */
export async function makeReportAndFinish(
  found: RunOutcome,
  secrets: Iterable<string>,
  catalogue: Catalogue,
  finish: Finish,
  stream: NodeJS.WriteStream,
): Promise<number> {
  const { settings, startedAt, ended } = found;
  const given = secretsOf(settings).map(({ text }) => text);
  const guard = guardAgainst([...given, ...secrets]);
  const defects = (found.defects ?? []).map((text) => safeErrorText(guard, text));
  let code: number = exitCodes.defect;
  try {
    const outcome: RunOutcome = {
      ...found,
      // Recorded evidence is judged with the waivers and the baseline that were in force on the day of its run.
      startedAt: settings.recording?.startedAt ?? startedAt,
      defects,
    };
    // The given secrets were known from the start: if the report has one, the guard must find it.
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

/** Writes and prints the reports of a run. @throws after everything else, if some could not be rendered */
export const writeAndPrintRun: Finish = async (finished) => {
  const { report, outcome, lines } = finished;
  return writeAndPrint(finished, lines && evidenceLinesOf(lines, report, outcome));
};

/**
 * Writes and prints reports.
 * @param evidence the lines of `evidence.ndjson`; undefined if there is none
 * @returns the exit code
 * @throws after everything else, if some could not be rendered
 */
export async function writeAndPrint(
  { report: made, outcome, guard, stream }: Omit<Finished, 'lines'>,
  evidence: Lines | undefined,
): Promise<number> {
  const { out, verbosity } = outcome.settings;
  const files = await writeFiles(made, evidence, outcome.settings, guard).catch((error: unknown) => {
    // No file may have a verdict where the exit code says that there is none; a failure stays one.
    if (exitCodeOf(made) === exitCodes.conforms && !(error instanceof OtherRun)) removeReports(out, EVIDENCE);
    throw error;
  });
  const { report, problems, written } = files;
  const page = join(out, 'index.html');
  stream.write(await reportToGithub(report, out, guard, process.env).catch(() => ''));
  stream.write(
    guard(
      'the screen',
      withoutCiCommands(
        screenOf(report, { out, page: existsSync(page) ? page : undefined, stream, verbosity, written }),
      ),
    ),
  );
  if (problems.length > 0) throw new Error(problems.join('; '));
  return exitCodeOf(report);
}

interface WrittenFiles {
  /** The report as it was written: without a verdict if some of the files could not be rendered. */
  readonly report: Report;
  /** Why some files could not be rendered. */
  readonly problems: readonly string[];
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
  rejectOtherRun(made, out);
  const problems = await writeReports(made, evidence, out, guard, reports);
  const report = problems.length === 0 ? made : withDefects(made, problems);
  if (report !== made) await writeReports(report, evidence, out, guard, reports);
  const written = [
    ...(newProfile === undefined ? [] : [await writeProfile(report, newProfile, guard)]),
    ...(waived === undefined ? [] : [await writeWaivers(report, profile, waived, guard)]),
  ];
  return { report, problems, written };
}

/** A report without a verdict, because of errors of the suite. */
const withDefects = (report: Report, defects: readonly string[]): Report => ({
  ...report,
  verdict: 'inconclusive',
  run: { ...report.run, defects: [...(report.run.defects ?? []), ...defects] },
});

/** The lines of `evidence.ndjson`: the settings, what the suites have written, the answers, the end. */
function evidenceLinesOf(
  lines: Lines,
  { suite, target, run, questions }: Report,
  { settings, only, stopCause, ended }: RunOutcome,
): Lines {
  const { tokenScopes, tokenExpiresIn, emailDomain, profile, baseline, shard, cases, savedCases, route } =
    settings;
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
    ...(emailDomain !== undefined && { emailDomain }),
    route: recordedRoute(route),
    ...(profile && { profile }),
    ...(baseline && { baseline }),
    ...(savedCases.length > 0 && { replayed: savedCases.length }),
  };
  const answers = questions.map(({ id, answer, reason, unanswerable, cases, exchanges }): AnswerLine => ({
    type: 'answer',
    answer: { id, answer, reason, unanswerable, cases, exchanges: exchanges.map(({ number }) => number) },
  }));
  const last: Omit<EndLine, 'lines'> = {
    type: 'end',
    durationMs: run.durationMs,
    requests: run.requests,
    cases: ended!.cases,
    ...(stopCause && { stopCause }),
  };
  return {
    *[Symbol.iterator]() {
      yield JSON.stringify(first);
      let count = 1 + answers.length;
      for (const line of lines) {
        count++;
        yield line;
      }
      for (const line of [...answers, { ...last, lines: count }]) yield JSON.stringify(line);
    },
  };
}

/**
 * Writes the reports of a run that has not ended, which remain if it is killed. Leaves none if they can't be written,
 * because the end of the run reports why.
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
      only,
    },
    catalogue,
  );
  const guard = guardAgainst(secretsOf(settings).map(({ text }) => text));
  const problems = await writeReports(report, undefined, out, guard, reports).catch((error: unknown) => [
    error,
  ]);
  if (problems.length > 0) removeReports(out);
}

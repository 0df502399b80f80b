import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EVIDENCE, REPORT, isFolder, PART, partOf } from '../settings/files.ts';
import { member, parseJson } from '../schemas/json.ts';
import type { Report } from '../schemas/report.ts';
import { UsageError } from '../settings/usage-error.ts';
import { oneLine } from '../target/output/printable.ts';
import { formats } from './formats/formats.ts';

/** Checks, before anything is sent, that reports can be written. @throws {UsageError} */
export function prepareFolder(out: string): void {
  try {
    makeFolder(out);
    accessSync(out, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `CTS_OUT (--out): reports can't be written to this folder (${whyUnwritable(error, out)}); name another`,
    );
  }
}

/** Why a folder, or a parent of it, can't be made, or nothing can be written there. */
function whyUnwritable(error: unknown, folder: string): string {
  const { code = 'unknown', path = folder } = error as NodeJS.ErrnoException;
  return code === 'EEXIST' ? `${oneLine(path)} is not a folder` : code;
}

/** Makes a folder and its parents. Node's `recursive` never returns where none can be made, as in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may just have made it.
    if (!isFolder(path)) throw error;
  }
}

/** Checks that the file of a flag can be written, without replacing one. @throws {UsageError} */
export function prepareNewFile(path: string, flag: string): void {
  if (path.trim() === '') throw new UsageError(`${flag} is empty: name a new file`);
  if (isFolder(path)) throw new UsageError(`${flag}: ${oneLine(path)} is a folder; name a new file`);
  if (existsSync(path)) {
    throw new UsageError(`${flag}: the file exists; name another, so that no reviewed profile is lost`);
  }
  try {
    makeFolder(dirname(path));
    // Permissions do not show whether root can write to a file system.
    writeFileSync(path, '', { flag: 'wx' });
    rmSync(path);
  } catch (error) {
    throw new UsageError(
      `${flag}: it can't be written there (${whyUnwritable(error, dirname(path))}); name another`,
    );
  }
}

/** A file could not be written, because of the machine. The message says what to do. */
export class WritingFailed extends Error {
  override readonly name = 'WritingFailed';
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room',
  EDQUOT: 'the disk quota is used up; make room',
  EFBIG: 'it exceeds a limit on the size of files; raise the limit',
  EROFS: 'the file system is read-only; name another folder with --out',
};

/** Another run has begun to write its reports into the same folder. */
export class OtherRun extends WritingFailed {}

/** @param error of the file system */
export const writingFailed = (path: string, error: unknown): WritingFailed => {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const remedy = remedies[code] ?? 'check its folder, or name another with --out';
  return new WritingFailed(`${path} could not be written (${code}): ${remedy}, and run again`);
};

/** The name of a case file: the id of its requirement, perhaps of an older version of the suite. */
const CASE = /^[a-z]+(?:\.[\w-]+)+\.json$/;

/** The evidence of several runs, while it is judged. */
export const MERGED = 'merged.ndjson';

/** Whether a name is that of a report which a run that was killed has not written completely. */
const isPart = (name: string): boolean =>
  PART.test(name) &&
  !isRunning(Number(PART.exec(name)![1])) &&
  [EVIDENCE, REPORT, MERGED, ...formats.map((format) => format.name)].includes(name.replace(PART, ''));

/** Whether another process has this id. */
function isRunning(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The names of the files of a run in a folder, apart from its evidence and `conformance.json`. */
function otherReportsIn(out: string): string[] {
  const names = isFolder(out) ? readdirSync(out) : [];
  const cases = isFolder(join(out, 'cases')) ? readdirSync(join(out, 'cases')) : [];
  return [
    ...names.filter((name) => formats.some((format) => format.name === name)),
    ...cases.filter((name) => CASE.test(name)).map((name) => join('cases', name)),
  ];
}

/** Removes the reports of a run, and no other file. @param kept the name of one to keep @throws {WritingFailed} */
export function removeReports(out: string, kept?: typeof EVIDENCE): void {
  const all = isFolder(out) ? readdirSync(out, { withFileTypes: true }) : [];
  const partial = all.filter((one) => one.isFile() && isPart(one.name)).map(({ name }) => name);
  // The report goes last: it shows that the other files are reports.
  const names = [...(kept === EVIDENCE ? [] : [EVIDENCE]), ...partial, ...otherReportsIn(out), REPORT];
  for (const path of names.map((name) => join(out, name))) {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw writingFailed(path, error);
    }
  }
}

/**
 * Removes the reports of earlier runs, as a run that is killed would leave them as its own.
 * @throws {UsageError} before anything is removed, if a folder holds files of these names that are not reports
 */
export function removeEarlierReports(...folders: readonly string[]): void {
  for (const out of folders) {
    const report = join(out, REPORT);
    const [other] = [...otherReportsIn(out), ...(existsSync(report) ? [REPORT] : [])];
    if (other !== undefined && !isReport(report))
      throw new UsageError(
        `CTS_OUT (--out): ${join(out, other)} would be replaced, and no run has written it${other === REPORT ? '' : `: there is no ${REPORT} of a run beside it`}. Name another folder, or remove the file`,
      );
  }
  for (const out of folders) changing(out, () => removeReports(out));
}

/** Changes a file of the output folder, before anything is sent. @throws {UsageError} if that fails */
export function changing(path: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    const { message } = error instanceof WritingFailed ? error : writingFailed(path, error);
    throw new UsageError(`CTS_OUT (--out): ${message}`);
  }
}

/** Whether a file begins as `conformance.json` does. */
const isReport = (path: string): boolean =>
  existsSync(path) && /^\{\s*"schemaVersion": \d+,\s*"suite": \{/.test(readFileSync(path, 'utf8'));

/**
 * A run leaves an unfinished report when it begins; one of another run was written by a run that began later.
 * @throws {OtherRun}
 */
export function rejectOtherRun({ run }: Report, out: string): void {
  const path = join(out, REPORT);
  const other = isReport(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  const startedAt = member(member(other, 'run'), 'startedAt');
  if (typeof startedAt === 'string' && startedAt !== run.startedAt)
    throw new OtherRun(
      `another run, which began at ${oneLine(startedAt)}, writes its reports into ${out}: give each run a folder of its own (--out), and run again`,
    );
}

/** Writes a file completely or not at all: under another name first, then renamed. @throws {WritingFailed} */
export async function writeWhole(path: string, text: string | AsyncIterable<string>): Promise<void> {
  const temporary = partOf(path);
  try {
    makeFolder(dirname(path));
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw (error as NodeJS.ErrnoException).code === undefined ? error : writingFailed(path, error);
  }
}

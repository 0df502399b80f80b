import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDrift } from '../engine/failure-text.ts';
import { NotWritten, notWritten } from './not-written.ts';
import { UsageError } from '../settings/settings.ts';
import type { ExtraReport } from '../settings/settings.ts';
import { extraFormats, formats, formatsWith } from './formats/formats.ts';
import type { Material } from './formats/formats.ts';
import type { Lines } from '../engine/lines.ts';
import { AT_ONCE } from '../engine/write-lines.ts';
import { WouldTell } from './guard.ts';
import type { Guard } from './guard.ts';
import type { Report } from '../schemas/report.ts';

/** Makes sure that reports can be written before anything is sent. @throws {UsageError} */
export function prepareFolder(out: string): void {
  try {
    makeFolder(out);
    accessSync(out, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `CTS_OUT (--out): reports can't be written to this folder (${(error as NodeJS.ErrnoException).code}); name another`,
    );
  }
}

/** Makes a folder, and those above it. Node's own `recursive` never ends where none can be made, as in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run, beside this one, may just have made it.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Makes sure that a profile can be written, and that none is written over. @throws {UsageError} */
export function prepareNewFile(path: string): void {
  if (path.trim() === '') throw new UsageError('--write-profile is empty: name a file that there is not yet');
  if (existsSync(path)) {
    throw new UsageError('--write-profile: the file exists; name another, so that nothing reviewed is lost');
  }
  try {
    makeFolder(dirname(path));
    // Whoever may write everywhere still can't in some places: it is tried.
    writeFileSync(path, '', { flag: 'wx' });
    rmSync(path);
  } catch (error) {
    throw new UsageError(
      `--write-profile: it can't be written there (${(error as NodeJS.ErrnoException).code}); name another`,
    );
  }
}

/** Some reports could not be made: the suite's own fault. */
export class NotMade extends Error {
  override readonly name = 'NotMade';
}

/**
 * Writes the reports. Each file is written whole or not at all: beside its place first, then moved. What an
 * earlier run has left is cleared away, so that no file is of another run than those beside it.
 * @param evidence the lines of `evidence.ndjson`; undefined: there is none
 * @throws {NotMade} when a file can't be made, or would hold a secret; the others are written all the same
 */
export async function writeReports(
  report: Report,
  evidence: Lines | undefined,
  out: string,
  guard: Guard,
  extra: readonly ExtraReport[] = [],
): Promise<void> {
  await mkdir(out, { recursive: true });
  const former = [
    'evidence.ndjson',
    'conformance.json',
    ...[...formats, ...Object.values(extraFormats)].map(({ name }) => name),
    ...report.requirements.map(({ id }) => `cases/${id}.json`),
  ];
  for (const name of former) if (existsSync(join(out, name))) await remove(join(out, name));
  const files: File[] = [
    ...(evidence === undefined ? [] : [['evidence.ndjson', () => inPieces(evidence)] as const]),
    ['conformance.json', () => [json(report)]],
  ];
  for (const { id, verdict, statement, counterexample } of report.requirements) {
    if (counterexample && !isDrift(counterexample))
      files.push([
        `cases/${id}.json`,
        () => [json({ schemaVersion: 1, requirement: id, verdict, statement, counterexample })],
      ]);
  }
  await writeAll([...files, ...derived({ report, evidence, out }, extra)], out, guard);
}

/** The pieces of a text; never one text, whose items would be its characters. */
type Pieces = object & Iterable<string>;

/** A file, and how the pieces of its text are made. */
type File = readonly [name: string, render: () => Pieces | Promise<Pieces>];

/** The files that can be made again from `conformance.json` and `evidence.ndjson`. */
export const derived = (material: Material, extra: readonly ExtraReport[]): File[] =>
  formatsWith(extra).map(({ name, load }): File => [
    name,
    async () => {
      const rendered = (await load())(material);
      return [typeof rendered === 'string' ? rendered : json(rendered)];
    },
  ]);

/** @throws {NotMade} when a file can't be made, or would hold a secret; the others are written all the same */
export async function writeAll(files: readonly File[], out: string, guard: Guard): Promise<void> {
  const problems: string[] = [];
  for (const [name, render] of files) {
    try {
      await writeWhole(
        join(out, name),
        guarded(await render(), (piece) => guard(name, piece)),
      );
    } catch (error) {
      if (error instanceof NotWritten) throw error;
      problems.push(problemWith(name, error));
    }
  }
  if (problems.length > 0) throw new NotMade(problems.join('; '));
}

function* guarded(pieces: Pieces, guard: (piece: string) => string): Generator<string> {
  for (const piece of pieces) yield guard(piece);
}

/** Lines of JSON in which nothing is unseen, many together. */
function* inPieces(lines: Lines): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += `${unmasked(line)}\n`;
    if (piece.length < AT_ONCE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const problemWith = (name: string, error: unknown): string =>
  error instanceof WouldTell ? error.message : `${name} could not be made: ${(error as Error).message}`;

/** A value as JSON that is safe to print: what a terminal obeys or an eye misses stands in escapes. */
export const json = (value: unknown): string => `${unmasked(JSON.stringify(value, null, 2))}\n`;

/** JSON in which nothing is unseen. */
const unmasked = (text: string): string => text.replace(UNSEEN, escaped);

const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at))).join('');

const hexOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Writes a file whole or not at all: beside its place first, then moved. @throws {NotWritten} */
export async function writeWhole(path: string, text: string | Pieces): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw (error as NodeJS.ErrnoException).code === undefined ? error : notWritten(path, error);
  }
}

const remove = (path: string): Promise<void> =>
  rm(path, { force: true }).catch((error: unknown) => {
    throw notWritten(path, error);
  });

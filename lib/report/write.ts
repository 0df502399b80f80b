import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDrift } from '../requirements/failure-text.ts';
import { junitXml } from './junit.ts';
import { notWritten } from './not-written.ts';
import { UsageError } from '../settings/settings.ts';
import type { Guard } from './guard.ts';
import type { Report } from './model.ts';

/** Makes sure that reports can be written before anything is sent. @throws {UsageError} */
export function prepareFolder(out: string): void {
  try {
    mkdirSync(out, { recursive: true });
    accessSync(out, constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `CTS_OUT (--out): reports can't be written to this folder (${(error as NodeJS.ErrnoException).code}); name another`,
    );
  }
}

/** Makes sure that a profile can be written, and that none is written over. @throws {UsageError} */
export function prepareNewFile(path: string): void {
  if (path.trim() === '') throw new UsageError('--write-profile is empty: name a file that there is not yet');
  if (existsSync(path)) {
    throw new UsageError('--write-profile: the file exists; name another, so that nothing reviewed is lost');
  }
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `--write-profile: its folder can't be written to (${(error as NodeJS.ErrnoException).code}); name another`,
    );
  }
}

/**
 * Writes the reports. Each file is written whole or not at all: beside its place first, then moved.
 * Cases of an earlier run are cleared away.
 * @returns the paths written
 * @throws {NotWritten} when one can't be written; those before it stay
 * @throws {Error} when one would hold a secret, or can't be rendered; those before it stay
 */
export async function writeReports(report: Report, out: string, guard: Guard): Promise<string[]> {
  for (const { id } of report.requirements) await remove(join(out, 'cases', `${id}.json`));
  const files: [name: string, render: () => string][] = [
    ['conformance.json', () => json(report)],
    ['junit.xml', () => junitXml(report, out)],
  ];
  for (const { id, verdict, statement, counterexample } of report.requirements) {
    if (counterexample && !isDrift(counterexample))
      files.push([`cases/${id}.json`, () => json({ requirement: id, verdict, statement, counterexample })]);
  }
  for (const [name, render] of files) await writeWhole(join(out, name), guard(name, render()));
  return files.map(([name]) => join(out, name));
}

/** A value as JSON that is safe to print: what a terminal obeys or an eye misses stands in escapes. */
export const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(UNSEEN, escaped)}\n`;

const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => hexOf(character.charCodeAt(at))).join('');

const hexOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** Writes a file whole or not at all: beside its place first, then moved. @throws {NotWritten} */
export async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw notWritten(path, error);
  }
}

const remove = (path: string): Promise<void> =>
  rm(path, { force: true }).catch((error: unknown) => {
    throw notWritten(path, error);
  });

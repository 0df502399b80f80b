import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EvidenceLine } from '../experiment/evidence.ts';
import { isDrift } from '../requirements/failure-text.ts';
import { junitXml } from './junit.ts';
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
 * @param evidence the text of `evidence.ndjson`; undefined: there is none
 * @throws {Error} when a file would hold a secret; those before it stay
 */
export async function writeReports(
  report: Report,
  evidence: string | undefined,
  out: string,
  guard: Guard,
): Promise<void> {
  await mkdir(out, { recursive: true });
  const former = [
    'evidence.ndjson',
    'index.html',
    ...report.requirements.map(({ id }) => `cases/${id}.json`),
  ];
  for (const name of former) await rm(join(out, name), { force: true });
  const files: [name: string, text: string][] = [
    ...(evidence === undefined ? [] : [['evidence.ndjson', evidence] as [string, string]]),
    ['conformance.json', json(report)],
    ['junit.xml', junitXml(report, out)],
  ];
  for (const { id, verdict, statement, counterexample } of report.requirements) {
    if (counterexample && !isDrift(counterexample))
      files.push([`cases/${id}.json`, json({ requirement: id, verdict, statement, counterexample })]);
  }
  for (const [name, text] of files) await writeWhole(join(out, name), guard(name, text));
  const { picturedIn } = await import('./page/pictured.ts');
  await writePage(report, evidence === undefined ? [] : picturedIn(evidence), out, guard);
}

/** Writes the report for people; last, and its code is loaded only now, so that nothing else waits for it. */
export async function writePage(
  report: Report,
  evidence: readonly EvidenceLine[],
  out: string,
  guard: Guard,
): Promise<void> {
  const { reportPage } = await import('./page/page.ts');
  await writeWhole(join(out, 'index.html'), guard('index.html', reportPage(report, evidence, out)));
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Writes a file whole or not at all: beside its place first, then moved. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.part`;
  try {
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

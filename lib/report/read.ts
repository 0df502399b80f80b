import { report as reportSchema } from '../schemas/report.ts';
import type { Report } from '../schemas/report.ts';
import { REPORT, readJson, reportIn, isFolder } from '../settings/files.ts';
import { UsageError, prefixUsageErrors } from '../settings/usage-error.ts';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { matrixOf } from './matrix.ts';
import type { Matrix } from './matrix.ts';

/**
 * Reads `conformance.json`. Any text in it may be hostile.
 * @param named the file, or a folder that contains it
 * @throws {UsageError} which names the file and says what is wrong with it
 */
export function readReport(named: string): Report {
  const path = reportIn(named);
  const expected = 'the conformance.json of a run, or a folder that contains it';
  const read = prefixUsageErrors(path, () => readJson(path, reportSchema, { expected }));
  const repeated = [read.requirements, read.questions].find(
    (all) => new Set<string>(all.map(({ id }: { readonly id: string }) => id)).size < all.length,
  );
  // One of the two would be hidden.
  if (repeated) throw new UsageError(`${path}: not a report of this suite: expected each id once`);
  return read;
}

/** The folder of a report. @param named the report, or its folder */
export const folderOf = (named: string): string => (isFolder(named) ? named : dirname(named));

/** The path of the page of a report; undefined: there is none. @param from the folder that the path is relative to */
export function pageOf(named: string, from: string): string | undefined {
  const page = join(folderOf(named), 'index.html');
  // The page beside a copied report, such as a baseline, is that of another report.
  const isReportOrFolder = isFolder(named) || basename(named) === REPORT;
  return isReportOrFolder && existsSync(page) ? relative(from, page) : undefined;
}

/**
 * Reads reports.
 * @param folder from which the matrix leads to the page of each
 * @throws {UsageError}
 */
export function readMatrix(files: readonly string[], folder = '.'): Matrix {
  return matrixOf(
    files.map(readReport),
    files.map((file) => pageOf(file, folder)),
  );
}

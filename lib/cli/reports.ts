import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { matrixOf } from '../report/matrix.ts';
import type { Matrix } from '../report/matrix.ts';
import { readReport } from '../report/read.ts';
import { isFolder } from '../settings/files.ts';

/** The folder of a report. @param named the report, or its folder */
export const folderOf = (named: string): string => (isFolder(named) ? named : dirname(named));

/** The path of the page of a report; undefined: there is none. @param from the folder that it starts from */
export function pageOf(named: string, from: string): string | undefined {
  const page = join(folderOf(named), 'index.html');
  return existsSync(page) ? relative(from, page) : undefined;
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

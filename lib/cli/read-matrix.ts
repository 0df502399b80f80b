import { matrixOf } from '../report/matrix.ts';
import type { Matrix } from '../report/matrix.ts';
import { readReport } from '../report/read.ts';
import { pageOf } from './output.ts';

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

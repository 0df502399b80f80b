import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { report as reportSchema } from '../schemas/report.ts';
import type { Report } from '../schemas/report.ts';
import { UsageError } from '../settings/usage-error.ts';

const FILE = 'conformance.json';

/** Bytes; a report in which every requirement fails has far less than one megabyte. */
const MOST = 64 * 1024 * 1024;

/**
 * Reads `conformance.json`. Any text in it may be hostile.
 * @param named the file, or a folder that contains it
 * @throws {UsageError} which names the file and says what is wrong with it
 */
export function readReport(named: string): Report {
  let path = named;
  let text: string;
  try {
    if (statSync(named).isDirectory()) path = join(named, FILE);
    const { size } = statSync(path);
    if (size > MOST) throw new UsageError(`${path}: the file is too long to be a report (${size} bytes)`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${path}: can't be read (${code}); expected a ${FILE}, or a folder that contains one`,
    );
  }
  let result: z.ZodSafeParseResult<Report>;
  try {
    result = reportSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    const problem =
      error instanceof RangeError
        ? 'nested too deep to be a report'
        : 'not JSON; expected the report of a run';
    throw new UsageError(`${path}: ${problem}`);
  }
  if (result.success) {
    const repeated = [result.data.requirements, result.data.questions].find(
      (all) => new Set<string>(all.map(({ id }: { readonly id: string }) => id)).size < all.length,
    );
    // One of the two would be hidden.
    if (repeated) throw new UsageError(`${path}: not a report of this suite: expected each id once`);
    return result.data;
  }
  const { path: place, message } = result.error.issues[0]!;
  throw new UsageError(
    place[0] === 'schemaVersion'
      ? `${path}: not a report of schema version 1, which this suite reads`
      : `${path}: not a report of this suite: /${place.map(String).join('/')}: ${message}`,
  );
}

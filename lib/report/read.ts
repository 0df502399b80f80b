import { report as reportSchema } from '../schemas/report.ts';
import type { Report } from '../schemas/report.ts';
import { readJson, reportIn } from '../settings/files.ts';
import { UsageError, about } from '../settings/usage-error.ts';

/**
 * Reads `conformance.json`. Any text in it may be hostile.
 * @param named the file, or a folder that contains it
 * @throws {UsageError} which names the file and says what is wrong with it
 */
export function readReport(named: string): Report {
  const path = reportIn(named);
  const expected = 'the conformance.json of a run, or a folder that contains it';
  const read = about(path, () => readJson(path, reportSchema, { expected }));
  const repeated = [read.requirements, read.questions].find(
    (all) => new Set<string>(all.map(({ id }: { readonly id: string }) => id)).size < all.length,
  );
  // One of the two would be hidden.
  if (repeated) throw new UsageError(`${path}: not a report of this suite: expected each id once`);
  return read;
}

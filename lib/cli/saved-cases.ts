import { join } from 'node:path';
import { z } from 'zod';
import { replayableCase } from '../schemas/case.ts';
import { namesIn, readJson } from '../settings/files.ts';
import type { SavedCase } from '../settings/run-settings.ts';
import { similarTo } from '../settings/similar.ts';
import { UsageError, prefixUsageErrors } from '../settings/usage-error.ts';
import { requirementIds } from './from-suites.ts';

const savedCase = replayableCase.extend({
  requirement: z.enum(requirementIds, {
    error: ({ input }) =>
      typeof input === 'string'
        ? `unknown requirement; similar ids: ${similarTo(input, requirementIds)}`
        : 'expected the id of a requirement: a run writes a case for each failure, in the folder cases of its reports',
  }),
});

/** Reads a counterexample that a run has written. @throws {UsageError} that names the file */
export function readCase(path: string): SavedCase {
  const expected = 'a case that a run has written, cases/ID.json';
  const { requirement, counterexample } = prefixUsageErrors(path, () =>
    readJson(path, savedCase, { expected }),
  );
  const { scenarios, category, input, reproduced, alone, exchanges = [] } = counterexample;
  const url = exchanges.at(-1)?.request.url;
  const inputs = scenarios.length > 1 && Array.isArray(input) ? (input as unknown[]) : [input];
  return {
    file: path,
    requirement,
    scenarios,
    category,
    inputs,
    reproduced,
    ...(url !== undefined && { url }),
    ...(alone && { alone }),
  };
}

/**
 * Reads every case in a folder, in the order of their names. Ignores files that are not JSON.
 * @throws {UsageError} that names the file, or the folder if it has no cases
 */
export function readCases(folder: string): SavedCase[] {
  const files = prefixUsageErrors(`--cases-from: ${folder}`, () => namesIn(folder)).filter((name) =>
    name.endsWith('.json'),
  );
  if (files.length === 0)
    throw new UsageError(
      `--cases-from: ${folder}: the folder has no cases; a run that fails writes cases/ID.json`,
    );
  return files.map((name) => readCase(join(folder, name)));
}

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { requirementIds } from './catalogue.ts';
import { replayableCase } from '../schemas/case.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { ReplayedCase } from '../settings/run-settings.ts';
import { similarTo } from './ids.ts';

const caseFile = replayableCase.extend({ requirement: z.enum(requirementIds) });

/** Reads a counterexample that a run has written. @throws {UsageError} that names the file */
export function readCase(path: string): ReplayedCase {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${path}: the file can't be read (${(error as NodeJS.ErrnoException).code}); a run that fails writes its cases`,
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`${path}: the file is not JSON`);
  }
  const result = caseFile.safeParse(json);
  if (!result.success) throw new UsageError(`${path}: ${problemOf(json, result.error)}`);
  const { requirement, counterexample } = result.data;
  const { scenarios, category, input, reproduced } = counterexample;
  const inputs = scenarios.length > 1 && Array.isArray(input) ? (input as unknown[]) : [input];
  return { file: path, requirement, scenarios, category, inputs, reproduced };
}

/**
 * Reads every case in a folder, in the order of their names. Ignores files that are not JSON.
 * @throws {UsageError} that names the file, or the folder if it has no cases
 */
export function readCases(folder: string): ReplayedCase[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new UsageError(
      `--cases-from: ${folder}: the folder can't be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const files = names.filter((name) => name.endsWith('.json')).toSorted();
  if (files.length === 0)
    throw new UsageError(
      `--cases-from: ${folder}: the folder has no cases; a run that fails writes cases/ID.json`,
    );
  return files.map((name) => readCase(join(folder, name)));
}

/** Why a file is not a case. */
function problemOf(json: unknown, { issues }: z.ZodError): string {
  const [place] = issues[0]!.path;
  const value = (json as Readonly<Record<string, unknown>> | null)?.[String(place)];
  if (place === 'schemaVersion') return 'the schema version is not 1';
  if (place === 'requirement' && typeof value === 'string')
    return `unknown requirement; similar ids: ${similarTo(value, requirementIds).join(', ')}`;
  return 'not a case that cts-conformance has written';
}

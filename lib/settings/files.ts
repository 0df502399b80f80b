import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { baselineSchema } from '../schemas/baseline.ts';
import type { Baseline } from '../schemas/baseline.ts';
import { profileSchema } from '../schemas/profile.ts';
import type { Profile } from '../schemas/profile.ts';
import { placeInTargets, targetsSchema } from '../schemas/targets.ts';
import type { NamedTarget } from '../schemas/targets.ts';
import { containsKey } from './api-key.ts';
import { UsageError, unreadable } from './usage-error.ts';
import { pointerTo } from '../schemas/json.ts';

/** Reads a profile. @throws {UsageError} */
export const readProfile = (path: string): Profile =>
  readJson(path, profileSchema, {
    expected: 'a profile, which begins with { "answers": …',
    ifKey: 'remove it, as a profile is meant to be committed',
  });

/**
 * Reads the failures of an earlier run.
 * @param path of its `conformance.json`, or the folder that holds it
 * @throws {UsageError}
 */
export const readBaseline = (path: string): Baseline =>
  readJson(reportIn(path), baselineSchema, { expected: 'the conformance.json of an earlier run' });

/** Reads a list of targets. @throws {UsageError} */
export const readTargets = (path: string): readonly NamedTarget[] =>
  readJson(path, targetsSchema, {
    expected: 'a list of targets',
    placeIn: placeInTargets,
    ifKey: 'set the key in the environment or in .env, and name its variable in apiKeyVariable',
  });

/** The file with the result of a run, in the folder of its reports. */
export const REPORT = 'conformance.json';
/** The file with its exchanges and observations. */
export const EVIDENCE = 'evidence.ndjson';

/** The name of a file while it is written: what a run that was killed may leave. */
export const partOf = (name: string): string => `${name}.${process.pid}.part`;
/** The end of such a name, with the id of the process that writes it. */
export const PART = /\.(\d+)\.part$/;

/** The path of the report in a folder; any other path is returned unchanged. */
export const reportIn = (path: string): string => (isFolder(path) ? join(path, REPORT) : path);

/** The names in a folder, in order. @throws {UsageError} */
export function namesIn(folder: string, { recursive = false } = {}): string[] {
  try {
    return readdirSync(folder, { recursive }).map(String).toSorted();
  } catch (error) {
    throw new UsageError(unreadable(error, 'folder'));
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

interface Reading {
  /** What the file should be, for messages. */
  readonly expected: string;
  /** What to do about a key in the file; absent: a run wrote the file, with any text of the target in it. */
  readonly ifKey?: string;
  /** Names a place in the file, for messages; absent: by its JSON pointer. */
  readonly placeIn?: (place: readonly PropertyKey[], file: unknown) => string;
}

/** Bytes; a report in which every requirement fails has far less than one megabyte. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a JSON file. Any text in it may be hostile.
 * @throws {UsageError} in words that show nothing of a secret
 */
export function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  { expected, ifKey, placeIn = pointerTo }: Reading,
): T {
  const rejectKey = (text: string): void => {
    if (ifKey !== undefined && containsKey(text)) throw new UsageError(`the file holds a key; ${ifKey}`);
  };
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new UsageError(`the file is too long (${size} bytes); expected ${expected}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${unreadable(error)}; expected ${expected}`);
  }
  rejectKey(text);
  let hasPrototype = false;
  let value: unknown;
  let result: z.ZodSafeParseResult<T>;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''), (name, member: unknown) => {
      hasPrototype ||= name === '__proto__';
      return member;
    });
    // zod drops it, and the answer around it would then mean something else.
    if (ifKey !== undefined && hasPrototype)
      throw new UsageError('the file has a member __proto__; remove it');
    // Escapes may have hidden a key from the first test.
    rejectKey(JSON.stringify(value));
    result = schema.safeParse(value);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const what = error instanceof RangeError ? 'nested too deeply' : `not JSON${positionIn(error as Error)}`;
    throw new UsageError(`the file is ${what}; expected ${expected}`);
  }
  if (result.success) return result.data;
  const { issues } = result.error;
  // A member that is misspelt is missing, too.
  const { path: place, message } = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  throw new UsageError(place.length === 0 ? message : `${placeIn(place, value)}: ${message}`);
}

/** Where JSON.parse failed, if its message says so; the rest of that may quote a secret. */
function positionIn({ message }: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  return line === undefined ? '' : ` (line ${line}, column ${column})`;
}

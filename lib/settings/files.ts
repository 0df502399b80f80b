import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { baselineSchema } from '../schemas/baseline.ts';
import type { Baseline } from '../schemas/baseline.ts';
import { profileSchema } from '../schemas/profile.ts';
import type { Profile } from '../schemas/profile.ts';
import { targetsSchema } from '../schemas/targets.ts';
import type { NamedTarget } from '../schemas/targets.ts';

/** Why a file is rejected, in words that show nothing of a secret. */
interface Problem {
  readonly problem: string;
}

const KEY = /sk_(?:test|live)_[\w-]{6,}/;

/** Reads a profile. */
export const readProfile = (path: string): Profile | Problem =>
  readJson(path, profileSchema, {
    hasKey: 'the file holds a key; remove it, as a profile is meant to be committed',
    notJson: 'the file is not JSON; a profile begins with { "answers": …',
  });

/** Reads the failures of an earlier run. @param path of its `conformance.json`, or the folder that holds it */
export const readBaseline = (path: string): Baseline | Problem =>
  readJson(isFolder(path) ? join(path, 'conformance.json') : path, baselineSchema, {
    notJson: 'the file is not JSON; expected the conformance.json of an earlier run',
  });

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Reads a list of targets. */
export const readTargets = (path: string): readonly NamedTarget[] | Problem =>
  readJson(path, targetsSchema, {
    hasKey:
      'the file holds a key; set the key in the environment or in .env, and name its variable in apiKeyVariable',
    notJson: 'the file is not JSON',
  });

function readJson<T>(
  path: string,
  schema: z.ZodType<T>,
  // Invalid keys may stand in a report, of which only ids are used.
  { hasKey, notJson }: { readonly hasKey?: string; readonly notJson: string },
): T | Problem {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problem: `the file can't be read (${(error as NodeJS.ErrnoException).code})` };
  }
  if (hasKey !== undefined && KEY.test(text)) return { problem: hasKey };
  let result: z.ZodSafeParseResult<T>;
  try {
    let hasPrototype = false;
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''), (name, member: unknown) => {
      hasPrototype ||= name === '__proto__';
      return member;
    });
    // zod drops it, and the answer around it would then mean something else.
    if (hasPrototype) return { problem: 'the file has a member __proto__; remove it' };
    // Escapes may have hidden a key from the first test.
    if (hasKey !== undefined && KEY.test(JSON.stringify(value))) return { problem: hasKey };
    result = schema.safeParse(value);
  } catch (error) {
    return { problem: error instanceof RangeError ? 'the file is nested too deeply' : notJson };
  }
  if (result.success) return result.data;
  const { path: place, message } = result.error.issues[0]!;
  return { problem: place.length === 0 ? message : `/${place.join('/')}: ${message}` };
}

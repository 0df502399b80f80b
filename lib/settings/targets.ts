import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { looksLikeKey } from './readers.ts';
import { UsageError } from './settings.ts';

/** One of several targets that are checked side by side. */
export interface NamedTarget {
  /** Names its folder of reports, and its column in the matrix. */
  readonly name: string;
  readonly baseUrl: string;
  /** The environment variable that holds its key: a secret is in no file. */
  readonly apiKeyVariable: string;
  /** Path of its profile. */
  readonly profile?: string;
}

const NO_KEY =
  'holds a key; put the key into the environment or .env, and name its variable in apiKeyVariable';

const MEMBERS = 'expected name, baseUrl, apiKeyVariable and, where there is one, profile';
const VARIABLE = 'expected the name of an environment variable, never a key';
const NAME = 'expected letters, digits, dots and dashes';

const target = z.strictObject(
  {
    name: z.string({ error: NAME }).regex(/^[\w][\w.-]{0,60}$/, { error: NAME }),
    baseUrl: z.string({ error: 'expected an absolute http or https URL' }),
    apiKeyVariable: z.string({ error: VARIABLE }).regex(/^[A-Za-z_]\w{0,100}$/, { error: VARIABLE }),
    profile: z.string({ error: 'expected the path of a profile' }).exactOptional(),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? `it has other members; ${MEMBERS}` : MEMBERS) },
);

const targets = z
  .array(target)
  .min(1)
  .max(100)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
    error: 'expected a name of its own for each target',
  });

const EXAMPLE = '[{"name": "acme", "baseUrl": "https://…", "apiKeyVariable": "ACME_KEY"}]';

/** Reads a list of targets. @throws {UsageError} that names what is wrong; shows no value */
export function readTargets(path: string): readonly NamedTarget[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--targets: the file ${code ? `cannot be read (${code})` : 'is not JSON'}`);
  }
  if (looksLikeKey.test(JSON.stringify(json))) throw new UsageError(`--targets: the file ${NO_KEY}`);
  if (!Array.isArray(json) || json.length === 0)
    throw new UsageError(`--targets: expected a list with at least one target, such as ${EXAMPLE}`);
  const result = targets.safeParse(json);
  if (result.success) return result.data;
  const { path: place, message } = result.error.issues[0]!;
  const [at, member] = place;
  const which =
    at === undefined ? '' : `target ${Number(at) + 1}${member === undefined ? '' : `, ${String(member)}`}: `;
  throw new UsageError(`--targets: ${which}${message}`);
}

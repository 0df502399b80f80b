import { z } from 'zod';
import { isObject, member, membersError, pointerTo } from './json.ts';

const EXPECTED_NAME = 'expected letters, digits, dots and dashes';
const VARIABLE = 'expected the name of an environment variable, never a key';
const HEADERS = 'expected a list of headers, such as ["X-Access-Token: $ACME_GATEWAY_TOKEN"]';

const targetSchema = z.strictObject(
  {
    name: z
      .string({ error: EXPECTED_NAME })
      .regex(/^[\w][\w.-]{0,60}$/, { error: EXPECTED_NAME })
      .refine((name) => name !== 'matrix.html', {
        error: 'matrix.html is the name of a report; choose another',
      })
      .describe('names its folder of reports, and its column in the matrix'),
    baseUrl: z.string({ error: 'expected an absolute http or https URL' }).describe('with or without a path'),
    apiKeyVariable: z
      .string({ error: VARIABLE })
      .regex(/^[A-Za-z_]\w{0,100}$/, { error: VARIABLE })
      .describe('the environment variable with its key: no file contains a secret'),
    profile: z
      .string({ error: 'expected the path of a profile' })
      .exactOptional()
      .describe('path of its profile'),
    headers: z
      .array(z.string({ error: HEADERS }), { error: HEADERS })
      .exactOptional()
      .describe('headers that only its gateway demands, such as X-Access-Token: $ACME_GATEWAY_TOKEN'),
    baseline: z
      .string({ error: 'expected the path of an earlier report' })
      .exactOptional()
      .describe('path of an earlier report, whose failures are known'),
    baselineUntil: z
      .string({ error: 'expected a date, YYYY-MM-DD' })
      .exactOptional()
      .describe('last day of the baseline, YYYY-MM-DD'),
  },
  {
    error: membersError(
      'name, baseUrl, apiKeyVariable and, optionally, profile, headers, baseline and baselineUntil',
    ),
  },
);

/**
 * Where a value stands in a list of targets: below the name of its target, if that is known, otherwise a JSON pointer.
 * @param place in the list
 */
export function placeInTargets(place: readonly PropertyKey[], file: unknown): string {
  const [at, ...rest] = place;
  const all = isWithSchema(file) ? file.targets : file;
  const name = targetSchema.shape.name.safeParse(Array.isArray(all) ? member(all[Number(at)], 'name') : '');
  return name.success ? [name.data, ...rest].join(': ') : pointerTo(place);
}

/** One of several targets that are checked side by side. */
export type NamedTarget = Readonly<z.infer<typeof targetSchema>>;

const LIST =
  'expected a list of at least one target, such as [{"name": "acme", "baseUrl": "https://…", "apiKeyVariable": "ACME_KEY"}]';

const list = z
  .array(targetSchema, { error: LIST })
  .min(1, { error: LIST })
  .max(100, { error: 'expected at most 100 targets' });

/** The format for editors: the list, or an object with the list that names this schema. */
export const targetsFormat = z.union([
  list,
  z.strictObject({ $schema: z.string().optional(), targets: list }),
]);

/** The file format of a list of targets (`--targets`). */
export const targetsSchema = z.preprocess(
  (value) => (isWithSchema(value) ? value.targets : value),
  list.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'expected a different name for each target',
  }),
);

const isWithSchema = (value: unknown): value is { readonly targets: unknown } =>
  isObject(value) &&
  'targets' in value &&
  Object.keys(value).every((name) => name === '$schema' || name === 'targets');

import { z } from 'zod';

const NAME = 'expected letters, digits, dots and dashes';
const VARIABLE = 'expected the name of an environment variable, never a key';
const MEMBERS = 'expected name, baseUrl, apiKeyVariable and, optionally, profile and headers';
const HEADERS = 'expected a list of headers, such as ["X-Access-Token: $ACME_GATEWAY_TOKEN"]';

const targetSchema = z.strictObject(
  {
    /** Names its folder of reports, and its column in the matrix. */
    name: z.string({ error: NAME }).regex(/^[\w][\w.-]{0,60}$/, { error: NAME }),
    baseUrl: z.string({ error: 'expected an absolute http or https URL' }),
    /** The environment variable with its key: no file contains a secret. */
    apiKeyVariable: z.string({ error: VARIABLE }).regex(/^[A-Za-z_]\w{0,100}$/, { error: VARIABLE }),
    /** Path of its profile. */
    profile: z.string({ error: 'expected the path of a profile' }).exactOptional(),
    /** Headers that only its gateway demands, such as `X-Access-Token: $ACME_GATEWAY_TOKEN`. */
    headers: z.array(z.string({ error: HEADERS }), { error: HEADERS }).exactOptional(),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? `unknown member; ${MEMBERS}` : MEMBERS) },
);

/** One of several targets that are checked side by side. */
export type NamedTarget = Readonly<z.infer<typeof targetSchema>>;

const LIST =
  'expected a list of at least one target, such as [{"name": "acme", "baseUrl": "https://…", "apiKeyVariable": "ACME_KEY"}]';

/** The file format of a list of targets (`--targets`). */
export const targetsSchema = z
  .array(targetSchema, { error: LIST })
  .min(1, { error: LIST })
  .max(100, { error: 'expected at most 100 targets' })
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
    error: 'expected a different name for each target',
  });

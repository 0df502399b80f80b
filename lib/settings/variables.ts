import { z } from 'zod';
import { depths } from './depth.ts';
import type { Depth } from './depth.ts';
import { readProfile } from './profile.ts';
import type { Profile } from './profile.ts';
import { extraReports } from './settings.ts';
import type { ExtraReport, Settings, Shard } from './settings.ts';

/** One setting: where it may be given, what it means, and the schema that reads its text. */
export interface Variable<T> {
  readonly env: string;
  /** Long flag without its dashes; undefined for a secret, which is never an argument. */
  readonly flag: string | undefined;
  readonly placeholder: string;
  readonly help: string;
  /** Shown in the help. */
  readonly standard: string;
  readonly schema: z.ZodType<T, string>;
}

const looksLikeKey = /sk_(?:test|live)_/;

const baseUrl = z
  .string()
  .refine((text) => !looksLikeKey.test(text), {
    error: 'holds a key; give the key as TARGET_API_KEY and the URL without it',
    abort: true,
  })
  .refine((text) => URL.canParse(text) && /^https?:\/\//i.test(text), {
    error: 'expected an absolute http or https URL, such as https://staging.example.com/api',
    abort: true,
  })
  .transform((text) => new URL(text))
  .refine((url) => url.username === '' && url.password === '', {
    error: 'expected a URL without user name and password; the key goes into TARGET_API_KEY',
  })
  .refine((url) => url.search === '' && url.hash === '', {
    error: 'expected a URL without query and fragment; the paths of the interface are appended to it',
  })
  .transform((url) => `${url.origin}${url.pathname.replace(/\/+$/, '')}`);

const apiKey = z.string().regex(/^[\x21-\x7e]+$/, {
  error:
    'expected printable ASCII without spaces, as it goes into an Authorization header; Bearer is no part of it',
});

const scopes = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((scope) => scope !== ''))
  .refine((list) => list.length > 0, {
    error: 'expected scopes separated by commas, such as customers:read,customers:write',
  });

const number = (kind: 'whole' | 'decimal', min: number, max: number): z.ZodType<number, string> => {
  const error = `expected a ${kind} number from ${min} to ${max}`;
  return z
    .string()
    .regex(kind === 'whole' ? /^-?\d+$/ : /^\d+(?:\.\d+)?$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
};

const isExtraReport = (name: string): boolean => (extraReports as readonly string[]).includes(name);

const flag = z
  .enum(['1', 'true', 'yes', '0', 'false', 'no'], { error: 'expected true or false' })
  .transform((text) => ['1', 'true', 'yes'].includes(text));

const reports = z
  .string()
  .transform((list) => [...new Set(list.split(/[\s,]+/).filter((name) => name !== ''))])
  .refine((list): list is ExtraReport[] => list.length > 0 && list.every(isExtraReport), {
    error: `expected ${extraReports.join(' or ')}, or several separated by commas`,
  });

const text = z.string();

const shard = z
  .string()
  .regex(/^[1-9]\d{0,3}\/[1-9]\d{0,3}$/, { error: 'expected K/N, such as 3/20' })
  .transform((value): Shard => {
    const [index, count] = value.split('/').map(Number);
    return { index: index!, count: count! };
  })
  .refine(({ index, count }) => index <= count, { error: 'expected K/N with K from 1 to N, such as 3/20' });

const profile = text.transform((path, context): Profile => {
  const read = readProfile(path);
  if (!('problem' in read)) return read;
  context.addIssue(read.problem);
  return z.NEVER;
});

/** Settings that have a variable. */
export type SettingName = Exclude<
  keyof Settings,
  'only' | 'replay' | 'corpus' | 'evidence' | 'detail' | 'writeProfile' | 'own'
>;

/**
 * Every setting that has a variable, in the order of the help. The prefix is `TARGET_` for what the
 * target is and `CTS_` for how the suite runs: Vitest overwrites `BASE_URL` in its workers.
 */
export const variables: { readonly [K in SettingName]: Variable<NonNullable<Settings[K]>> } = {
  baseUrl: {
    env: 'TARGET_BASE_URL',
    flag: 'base-url',
    placeholder: 'URL',
    help: 'where the service is, with or without a path',
    standard: 'the embedded reference service',
    schema: baseUrl,
  },
  apiKey: {
    env: 'TARGET_API_KEY',
    flag: undefined,
    placeholder: 'KEY',
    help: 'its static key; a secret, so never a flag',
    standard: 'none',
    schema: apiKey,
  },
  profile: {
    env: 'TARGET_PROFILE',
    flag: 'profile',
    placeholder: 'FILE',
    help: 'what the operator of the target has answered; another answer fails',
    standard: 'none',
    schema: profile,
  },
  tokenScopes: {
    env: 'TARGET_TOKEN_SCOPES',
    flag: 'token-scopes',
    placeholder: 'LIST',
    help: 'scopes of a plain token request, separated by commas',
    standard: 'customers:read',
    schema: scopes,
  },
  tokenExpiresIn: {
    env: 'TARGET_TOKEN_EXPIRES_IN',
    flag: 'token-expires-in',
    placeholder: 'N',
    help: 'expires_in of a plain token request',
    standard: '3600',
    schema: number('whole', 1, Number.MAX_SAFE_INTEGER),
  },
  depth: {
    env: 'CTS_PROFILE_RUN',
    flag: 'profile-run',
    placeholder: 'DEPTH',
    help: `how deep it goes: ${Object.entries(depths)
      .map(([depth, cases]) => `${depth} (${cases} cases)`)
      .join(', ')}`,
    standard: 'default',
    schema: z.enum(Object.keys(depths) as Depth[], {
      error: `expected ${Object.keys(depths).join(', ')}`,
    }),
  },
  cases: {
    env: 'CTS_CASES',
    flag: 'cases',
    placeholder: 'N',
    help: 'cases of the widest experiment; the others are sized beside it',
    standard: 'as --profile-run says',
    schema: number('whole', 1, 1_000_000),
  },
  shard: {
    env: 'CTS_SHARD',
    flag: 'shard',
    placeholder: 'K/N',
    help: 'the K-th of N runs that share the cases of one; cts merge makes one report of them',
    standard: 'all cases',
    schema: shard,
  },
  seed: {
    env: 'CTS_SEED',
    flag: 'seed',
    placeholder: 'N',
    help: 'seed of every generated input',
    standard: 'a new one for each run, printed',
    schema: number('whole', -(2 ** 31), 2 ** 31 - 1),
  },
  concurrency: {
    env: 'CTS_CONCURRENCY',
    flag: 'concurrency',
    placeholder: 'N',
    help: 'requests in flight at most',
    standard: '16',
    schema: number('whole', 1, 256),
  },
  rate: {
    env: 'CTS_RATE',
    flag: 'rate',
    placeholder: 'N',
    help: 'requests a second at most; 0: as fast as the target bears',
    standard: '0',
    schema: number('decimal', 0, 100_000),
  },
  maxRequests: {
    env: 'CTS_MAX_REQUESTS',
    flag: 'max-requests',
    placeholder: 'N',
    help: 'requests of the whole run at most, retries included',
    standard: '1000, more where there are more than 200 cases',
    schema: number('whole', 1, 10_000_000),
  },
  timeBudget: {
    env: 'CTS_TIME_BUDGET',
    flag: 'time-budget',
    placeholder: 'S',
    help: 'seconds for the whole run',
    standard: '80, more where there are more than 800 cases',
    schema: number('decimal', 1, 86_400),
  },
  timeout: {
    env: 'CTS_TIMEOUT',
    flag: 'timeout',
    placeholder: 'S',
    help: 'seconds for one response',
    standard: '10',
    schema: number('decimal', 0.1, 600),
  },
  out: {
    env: 'CTS_OUT',
    flag: 'out',
    placeholder: 'DIR',
    help: 'folder for the reports',
    standard: 'reports',
    schema: text,
  },
  reports: {
    env: 'CTS_REPORT',
    flag: 'report',
    placeholder: 'LIST',
    help: 'reports beside those of every run, separated by commas: har, ctrf',
    standard: 'none',
    schema: reports,
  },
  strict: {
    env: 'CTS_STRICT',
    flag: 'strict',
    placeholder: '',
    help: 'an advisory finding fails the run too',
    standard: 'false',
    schema: flag,
  },
  allowLiveKey: {
    env: 'CTS_ALLOW_LIVE_KEY',
    flag: 'allow-live-key',
    placeholder: '',
    help: 'accept a key that does not start with sk_test_',
    standard: 'false',
    schema: flag,
  },
};

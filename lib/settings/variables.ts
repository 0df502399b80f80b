import { depths } from './depth.ts';
import type { Depth } from './depth.ts';
import { Misfit, anyText, apiKey, baseUrl, flag, number, oneOf, words } from './readers.ts';
import type { Reader } from './readers.ts';
import { extraReports } from './settings.ts';
import type { ExtraReport, Settings, Shard } from './settings.ts';

/** One setting: where it may be given, what it means, and what reads its text. */
export interface Variable<T> {
  readonly env: string;
  /** Long flag without its dashes; undefined for a secret, which is never an argument. */
  readonly flag: string | undefined;
  readonly placeholder: string;
  readonly help: string;
  /** Shown in the help. */
  readonly standard: string;
  readonly read: Reader<T>;
}

const isExtraReport = (name: string): name is ExtraReport =>
  (extraReports as readonly string[]).includes(name);

const shard: Reader<Shard> = (text) => {
  const [, index, count] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number);
  if (index === undefined || count === undefined)
    throw new Misfit('expected K/N, such as 3/20, N below 10000');
  if (index > count) throw new Misfit('expected K/N with K from 1 to N, such as 3/20');
  return { index, count };
};

/** Settings that have a variable. */
export type SettingName = Exclude<
  keyof Settings,
  'only' | 'replay' | 'corpus' | 'evidence' | 'detail' | 'writeProfile' | 'own'
>;

/** What a setting is given as: a profile as the path of its file. */
type Given<K extends SettingName> = K extends 'profile' ? string : NonNullable<Settings[K]>;

/**
 * Every setting that has a variable, in the order of the help. The prefix is `TARGET_` for what the
 * target is and `CTS_` for how the suite runs: Vitest overwrites `BASE_URL` in its workers.
 */
export const variables: { readonly [K in SettingName]: Variable<Given<K>> } = {
  baseUrl: {
    env: 'TARGET_BASE_URL',
    flag: 'base-url',
    placeholder: 'URL',
    help: 'where the service is, with or without a path',
    standard: 'the embedded reference service',
    read: baseUrl,
  },
  apiKey: {
    env: 'TARGET_API_KEY',
    flag: undefined,
    placeholder: 'KEY',
    help: 'its static key; a secret, so never a flag',
    standard: 'none',
    read: apiKey,
  },
  profile: {
    env: 'TARGET_PROFILE',
    flag: 'profile',
    placeholder: 'FILE',
    help: 'what the operator of the target has answered; another answer fails',
    standard: 'none',
    read: anyText,
  },
  tokenScopes: {
    env: 'TARGET_TOKEN_SCOPES',
    flag: 'token-scopes',
    placeholder: 'LIST',
    help: 'scopes of a plain token request, separated by commas',
    standard: 'customers:read',
    read: words('expected scopes separated by commas, such as customers:read,customers:write'),
  },
  tokenExpiresIn: {
    env: 'TARGET_TOKEN_EXPIRES_IN',
    flag: 'token-expires-in',
    placeholder: 'N',
    help: 'expires_in of a plain token request',
    standard: '3600',
    read: number('whole', 1, Number.MAX_SAFE_INTEGER),
  },
  depth: {
    env: 'CTS_PROFILE_RUN',
    flag: 'profile-run',
    placeholder: 'DEPTH',
    help: `how deep it goes: ${Object.entries(depths)
      .map(([depth, cases]) => `${depth} (${cases} cases)`)
      .join(', ')}`,
    standard: 'default',
    read: oneOf(Object.keys(depths) as Depth[]),
  },
  cases: {
    env: 'CTS_CASES',
    flag: 'cases',
    placeholder: 'N',
    help: 'cases of the widest experiment; the others are sized beside it',
    standard: 'as --profile-run says',
    read: number('whole', 1, 1_000_000),
  },
  shard: {
    env: 'CTS_SHARD',
    flag: 'shard',
    placeholder: 'K/N',
    help: 'the K-th of N runs that share the cases of one; cts merge makes one report of them',
    standard: 'all cases',
    read: shard,
  },
  seed: {
    env: 'CTS_SEED',
    flag: 'seed',
    placeholder: 'N',
    help: 'seed of every generated input',
    standard: 'a new one for each run, printed',
    read: number('whole', -(2 ** 31), 2 ** 31 - 1),
  },
  concurrency: {
    env: 'CTS_CONCURRENCY',
    flag: 'concurrency',
    placeholder: 'N',
    help: 'requests in flight at most',
    standard: '16',
    read: number('whole', 1, 256),
  },
  rate: {
    env: 'CTS_RATE',
    flag: 'rate',
    placeholder: 'N',
    help: 'requests a second at most; 0: as fast as the target bears',
    standard: '0',
    read: number('decimal', 0, 100_000),
  },
  maxRequests: {
    env: 'CTS_MAX_REQUESTS',
    flag: 'max-requests',
    placeholder: 'N',
    help: 'requests of the whole run at most, retries included',
    standard: '1000, more where there are more than 200 cases',
    read: number('whole', 1, 10_000_000),
  },
  timeBudget: {
    env: 'CTS_TIME_BUDGET',
    flag: 'time-budget',
    placeholder: 'S',
    help: 'seconds for the whole run',
    standard: '80, more where there are more than 800 cases',
    read: number('decimal', 1, 86_400),
  },
  timeout: {
    env: 'CTS_TIMEOUT',
    flag: 'timeout',
    placeholder: 'S',
    help: 'seconds for one response',
    standard: '10',
    read: number('decimal', 0.1, 600),
  },
  out: {
    env: 'CTS_OUT',
    flag: 'out',
    placeholder: 'DIR',
    help: 'folder for the reports',
    standard: 'reports',
    read: anyText,
  },
  reports: {
    env: 'CTS_REPORT',
    flag: 'report',
    placeholder: 'LIST',
    help: 'reports beside those of every run, separated by commas: har, ctrf',
    standard: 'none',
    read: words(`expected ${extraReports.join(' or ')}, or several separated by commas`, isExtraReport),
  },
  strict: {
    env: 'CTS_STRICT',
    flag: 'strict',
    placeholder: '',
    help: 'an advisory finding fails the run too',
    standard: 'false',
    read: flag,
  },
  allowLiveKey: {
    env: 'CTS_ALLOW_LIVE_KEY',
    flag: 'allow-live-key',
    placeholder: '',
    help: 'accept a key that does not start with sk_test_',
    standard: 'false',
    read: flag,
  },
};

import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Baseline } from '../schemas/baseline.ts';
import { MIN_CASES, depths } from './depths.ts';
import type { Depth } from './depths.ts';
import { headers } from './headers.ts';
import { connectTo, unixSocket } from './other-host.ts';
import {
  apiKey,
  baseline,
  baseUrl,
  domain,
  isNotFilledIn,
  number,
  profile,
  reports,
  scopes,
  shard,
  yesOrNo,
} from './values.ts';
import { authorities, clientCertificate, clientProblem, privateKey, serverName } from './tls.ts';

/** How users give a setting, and what the help says about it. */
interface SettingMeta {
  /** Environment variable; `.env` may set it too. Undefined: only the flag gives the setting. */
  readonly variable?: string;
  /** Long flag, without dashes. Undefined for a secret, which is never an argument. */
  readonly flag?: string;
  /** Whether the flag may be given several times. Its values are the lines of the setting. */
  readonly isList?: true;
  /** Stands for the value in the help. Undefined for a switch, whose help is that of `--no-…` if it is on by default. */
  readonly placeholder?: string;
  readonly help: string;
  /** The default in words, where the schema holds none. */
  readonly default?: string;
  /** A value for `.env.example`, where the default is none. */
  readonly example?: string;
}

const meta = z.registry<SettingMeta>();

/**
 * Every setting that users give, from text, in the order of the help. The prefix of a variable is `TARGET_` for what
 * describes the target, and `CTS_` for how the suite runs; Vitest overwrites `BASE_URL` in its workers.
 */
const fields = {
  // Without a closing slash.
  baseUrl: baseUrl.optional().register(meta, {
    variable: 'TARGET_BASE_URL',
    flag: 'base-url',
    placeholder: 'URL',
    help: 'URL of the service, with or without a path',
    default: 'the embedded reference service',
    example: 'https://staging.example.com',
  }),
  // The static key (interface, section 5.2).
  apiKey: apiKey.optional().register(meta, {
    variable: 'TARGET_API_KEY',
    placeholder: 'KEY',
    help: 'static key of the service, for test mode; a secret, so no flag sets it',
    default: 'none',
    example: "'sk_test_...'",
  }),
  name: z.string().max(100, { error: 'expected at most 100 characters' }).optional().register(meta, {
    variable: 'TARGET_NAME',
    flag: 'name',
    placeholder: 'NAME',
    help: 'name of the target in reports',
    default: 'that of its profile',
    example: 'staging',
  }),
  profile: profile.optional().register(meta, {
    variable: 'TARGET_PROFILE',
    flag: 'profile',
    placeholder: 'FILE',
    help: 'profile of the target, with its answers to the open questions; a different answer fails',
    default: 'none',
    example: 'staging.json',
  }),
  headers: headers.prefault('').register(meta, {
    variable: 'TARGET_HEADERS',
    flag: 'header',
    isList: true,
    placeholder: 'HEADER',
    help: "header that a gateway demands of every request, such as 'X-Env: staging'; a secret comes from a variable: 'X-Access-Token: $GATEWAY_TOKEN'; several: repeat the flag, or one a line in the variable",
    default: 'none',
    example: "'X-Env: staging'",
  }),
  ca: authorities.optional().register(meta, {
    variable: 'TARGET_CA',
    flag: 'ca',
    placeholder: 'FILE',
    help: 'certificates of the authorities to trust, in PEM, in place of the built-in ones',
    default: 'the built-in ones',
    example: 'ca.pem',
  }),
  clientCert: clientCertificate.optional().register(meta, {
    variable: 'TARGET_CLIENT_CERT',
    flag: 'client-cert',
    placeholder: 'FILE',
    help: 'client certificate, in PEM, or with its key in PKCS#12',
    default: 'none',
    example: 'client.pem',
  }),
  clientKey: privateKey.optional().register(meta, {
    variable: 'TARGET_CLIENT_KEY',
    flag: 'client-key',
    placeholder: 'FILE',
    help: 'private key of the client certificate, in PEM',
    default: 'in the file of the certificate',
    example: 'client-key.pem',
  }),
  clientKeyPassphrase: z.string().optional().register(meta, {
    variable: 'TARGET_CLIENT_KEY_PASSPHRASE',
    placeholder: 'TEXT',
    help: 'passphrase of that key, or of the PKCS#12 file; a secret, so no flag sets it',
    default: 'none',
    example: "'...'",
  }),
  serverName: serverName.optional().register(meta, {
    variable: 'TARGET_SERVER_NAME',
    flag: 'server-name',
    placeholder: 'HOST',
    help: 'name to expect in the certificate of the target (SNI)',
    default: 'the host in the URL',
    example: 'staging.example.com',
  }),
  connectTo: connectTo.optional().register(meta, {
    variable: 'TARGET_CONNECT_TO',
    flag: 'connect-to',
    placeholder: 'HOST:PORT',
    help: 'connect to this host in place of the one in the URL, which requests and TLS still name',
    default: 'the host in the URL',
    example: '127.0.0.1:8443',
  }),
  unixSocket: unixSocket.optional().register(meta, {
    variable: 'TARGET_UNIX_SOCKET',
    flag: 'unix-socket',
    placeholder: 'PATH',
    help: 'connect to this Unix socket in place of the host in the URL',
    default: 'none',
    example: '/run/service.sock',
  }),
  http: z.enum(['1.1', '2'], { error: 'expected 1.1 or 2' }).prefault('1.1').register(meta, {
    variable: 'TARGET_HTTP',
    flag: 'http',
    placeholder: 'VERSION',
    help: 'version of HTTP to speak, 1.1 or 2: by ALPN over TLS, otherwise as prior knowledge',
  }),
  useProxy: yesOrNo().prefault('true').register(meta, {
    flag: 'proxy',
    help: 'connect without the proxy that https_proxy, HTTPS_PROXY, http_proxy, all_proxy or ALL_PROXY names; no_proxy and NO_PROXY list hosts',
    default: 'as curl reads these variables',
  }),
  tokenScopes: scopes.prefault('customers:read').register(meta, {
    variable: 'TARGET_TOKEN_SCOPES',
    flag: 'token-scopes',
    placeholder: 'LIST',
    help: 'scopes of a plain token request, separated by commas',
  }),
  // Its unit is up to the target.
  tokenExpiresIn: number('whole', 1, Number.MAX_SAFE_INTEGER).prefault('3600').register(meta, {
    variable: 'TARGET_TOKEN_EXPIRES_IN',
    flag: 'token-expires-in',
    placeholder: 'N',
    help: 'value of expires_in in a plain token request',
  }),
  emailDomain: domain.optional().register(meta, {
    variable: 'CTS_EMAIL_DOMAIN',
    flag: 'email-domain',
    placeholder: 'DOMAIN',
    help: 'domain of yours in place of example.com, if the service rejects reserved domains, or to try the rules of mail providers (dots, tags, case); it may receive mail',
    default: 'none; all addresses are under reserved names',
    example: 'mail.example.com',
  }),
  depth: z
    .enum(Object.keys(depths) as Depth[], { error: 'expected quick, default or deep' })
    .prefault('default')
    .register(meta, {
      variable: 'CTS_DEPTH',
      flag: 'depth',
      placeholder: 'DEPTH',
      help: `depth of the run: ${Object.entries(depths)
        .map(([depth, cases]) => `${depth} (${cases} cases)`)
        .join(', ')}`,
    }),
  cases: number('whole', MIN_CASES, 1_000_000)
    .optional()
    .register(meta, {
      variable: 'CTS_CASES',
      flag: 'cases',
      placeholder: 'N',
      help: 'cases of the widest scenario; the others are sized in proportion',
      default: 'set by --depth',
      example: String(depths.default),
    }),
  shard: shard.optional().register(meta, {
    variable: 'CTS_SHARD',
    flag: 'shard',
    placeholder: 'K/N',
    help: 'run the K-th of N shares of the cases; auto: as the CI system numbers its parallel jobs, auto/N where it sets no count; cts-conformance merge combines the reports',
    default: 'all cases',
    example: '1/4',
  }),
  // A 32-bit integer.
  seed: number('whole', -(2 ** 31), 2 ** 31 - 1)
    .optional()
    .register(meta, {
      variable: 'CTS_SEED',
      flag: 'seed',
      placeholder: 'N',
      help: 'seed of all generated inputs',
      default: 'random, and printed; with --shard auto, the same for all jobs of a pipeline',
      example: '42',
    }),
  concurrency: number('whole', 1, 256).prefault('16').register(meta, {
    variable: 'CTS_CONCURRENCY',
    flag: 'concurrency',
    placeholder: 'N',
    help: 'maximum number of requests in flight',
  }),
  rate: number('decimal', 0, 100_000).prefault('0').register(meta, {
    variable: 'CTS_RATE',
    flag: 'rate',
    placeholder: 'N',
    help: 'maximum requests per second; 0: no limit',
  }),
  maxRequests: number('whole', 1, 10_000_000).optional().register(meta, {
    variable: 'CTS_MAX_REQUESTS',
    flag: 'max-requests',
    placeholder: 'N',
    help: 'maximum requests of the whole run, retries and shrinking included',
    default: '1000, more with more than 200 cases',
    example: '1000',
  }),
  timeBudget: number('decimal', 1, 86_400).optional().register(meta, {
    variable: 'CTS_TIME_BUDGET',
    flag: 'time-budget',
    placeholder: 'S',
    help: 'seconds for the whole run',
    default: '80, more with more than 800 cases',
    example: '80',
  }),
  timeout: number('decimal', 0.1, 600).prefault('10').register(meta, {
    variable: 'CTS_TIMEOUT',
    flag: 'timeout',
    placeholder: 'S',
    help: 'seconds for one response',
  }),
  wait: number('decimal', 0, 3600).prefault('0').register(meta, {
    variable: 'CTS_WAIT',
    flag: 'wait',
    placeholder: 'S',
    help: 'seconds to wait until the target answers at all, before anything else, by GET requests without the key',
  }),
  out: z.string().prefault('reports').register(meta, {
    variable: 'CTS_OUT',
    flag: 'out',
    placeholder: 'DIR',
    help: 'folder for the reports',
  }),
  reports: reports.default([]).register(meta, {
    variable: 'CTS_REPORT',
    flag: 'report',
    placeholder: 'LIST',
    help: 'additional reports, separated by commas: har, ctrf',
    default: 'none',
    example: 'har,ctrf',
  }),
  strict: yesOrNo().prefault('false').register(meta, {
    variable: 'CTS_STRICT',
    flag: 'strict',
    help: 'fail on warnings too: recommended requirements that fail',
  }),
  baseline: baseline.optional().register(meta, {
    variable: 'CTS_BASELINE',
    flag: 'baseline',
    placeholder: 'FILE',
    help: 'report of an earlier run (conformance.json, or its folder): what fails there is known, and does not fail the run',
    default: 'none',
    example: 'baseline.json',
  }),
  baselineUntil: z.iso.date({ error: 'expected a date, YYYY-MM-DD' }).optional().register(meta, {
    variable: 'CTS_BASELINE_UNTIL',
    flag: 'baseline-until',
    placeholder: 'DATE',
    help: 'last day (UTC) of the baseline; afterwards, its failures fail the run',
    default: 'no end',
    example: '2027-03-31',
  }),
  allowLiveKey: yesOrNo().prefault('false').register(meta, {
    variable: 'CTS_ALLOW_LIVE_KEY',
    flag: 'allow-live-key',
    help: 'accept a key that does not start with sk_test_',
  }),
  only: z.string().optional().register(meta, {
    flag: 'only',
    placeholder: 'IDS',
    help: 'only these requirements and questions: ids separated by commas, * matches any text; can fail, but never conforms',
    default: 'all',
  }),
  writeProfile: z.string().optional().register(meta, {
    flag: 'write-profile',
    placeholder: 'FILE',
    help: 'ask every open question, with about 150 more requests, and write the answers into a new file for review',
    default: 'none',
  }),
  writeWaivers: z.string().optional().register(meta, {
    flag: 'write-waivers',
    placeholder: 'FILE',
    help: 'write the profile with a waiver for each failure into a new file, to fill in owners and reasons',
    default: 'none',
  }),
};

export type SettingName = keyof typeof fields;

/** Settings of the way to the target, which mean nothing without one. */
export const ofRoute = [
  'headers',
  'ca',
  'clientCert',
  'clientKey',
  'clientKeyPassphrase',
  'serverName',
  'connectTo',
  'unixSocket',
] as const satisfies readonly SettingName[];

export type RouteSetting = (typeof ofRoute)[number] | 'http' | 'useProxy';

/** The settings that every command needs that sends requests to a target. */
export const ofTarget = [
  'baseUrl',
  'apiKey',
  ...ofRoute,
  'http',
  'useProxy',
  'wait',
  'allowLiveKey',
] as const satisfies readonly SettingName[];

/** The names of all settings, in the order of the help. */
export const settingNames = Object.keys(fields) as SettingName[];

/** What the schema of one setting says for users. */
interface SettingDescription extends SettingMeta {
  readonly default: string;
}

/** Describes a setting, with its default as text. */
export function describeSetting(name: SettingName): SettingDescription {
  const about = meta.get(fields[name])!;
  const standard = fields[name].parse(undefined) as string | number | boolean | readonly string[];
  return { ...about, default: about.default ?? String(standard) };
}

/** The schema of one setting, from text. */
export const settingSchema = (name: SettingName): z.ZodType => fields[name];

/** All settings, from text: each alone, then those that depend on each other, then the defaults that follow from others. */
export const settingsSchema = z
  .object(fields)
  .superRefine((given, context) => {
    const addIssue = (message: string): void => context.addIssue(message);
    const { baseUrl, apiKey, allowLiveKey, shard, seed, baseline, baselineUntil } = given;
    if (given.writeProfile !== undefined && given.writeWaivers !== undefined)
      addIssue(
        '--write-waivers: --write-profile would write another profile; write that first, then run with it and --write-waivers',
      );
    if (baselineUntil !== undefined && baseline === undefined)
      addIssue(
        'CTS_BASELINE_UNTIL (--baseline-until): it has no effect without a baseline; add --baseline FILE',
      );
    if (shard !== undefined && seed === undefined)
      addIssue(
        'CTS_SEED (--seed) is missing: runs that share cases (--shard) must generate the same inputs, so give all of them the same seed',
      );
    if (shard !== undefined && baseUrl === undefined)
      addIssue(
        'TARGET_BASE_URL is missing: runs that share cases (--shard) need one common target; without it each would start a reference service',
      );
    if (baseUrl !== undefined && apiKey === undefined)
      addIssue('TARGET_API_KEY is missing: set the key of the target in the environment or in .env');
    if (baseUrl === undefined && apiKey !== undefined)
      addIssue(
        'TARGET_BASE_URL is missing: set the URL of the service that the key belongs to; unset both to check the embedded reference service',
      );
    const named = ofRoute.find((name) =>
      name === 'headers' ? given.headers.length > 0 : given[name] !== undefined,
    );
    if (baseUrl === undefined && named !== undefined)
      addIssue(
        `TARGET_BASE_URL is missing: set the URL of the service that ${meta.get(fields[named])!.variable} is for`,
      );
    if (baseUrl === undefined && given.name !== undefined)
      addIssue(
        'TARGET_BASE_URL is missing: set the URL of the service that TARGET_NAME (--name) is the name of',
      );
    if (given.connectTo && given.unixSocket)
      addIssue('TARGET_CONNECT_TO and TARGET_UNIX_SOCKET exclude each other; leave one out');
    const problem = clientProblem(given);
    if (problem !== undefined) addIssue(problem);
    if (apiKey !== undefined && isNotFilledIn(apiKey))
      addIssue(
        'TARGET_API_KEY is in quotes, or the name of a variable or a placeholder: give the key itself; Docker, for example, keeps the quotes of an --env-file',
      );
    else if (apiKey !== undefined && !apiKey.startsWith('sk_test_') && !allowLiveKey)
      addIssue(
        'TARGET_API_KEY does not start with sk_test_: the suite creates customers, so use a test-mode key, or add --allow-live-key to use this one',
      );
  })
  .transform((given) => {
    const cases = given.cases ?? depths[given.depth];
    return {
      ...given,
      baseline: withEnd(given.baseline, given.baselineUntil),
      cases,
      seed: given.seed ?? randomInt(2 ** 31),
      maxRequests: given.maxRequests ?? Math.max(1000, 600 + 2 * cases),
      timeBudget: given.timeBudget ?? Math.max(80, Math.ceil(cases / 10)),
    };
  });

const withEnd = (known: Baseline | undefined, until: string | undefined): Baseline | undefined =>
  known && until !== undefined ? { ...known, until } : known;

/** One of several runs that share the cases of one: the index counts from 1. */
export type Shard = Readonly<z.output<typeof shard>>;

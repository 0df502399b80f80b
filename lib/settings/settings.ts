import { z } from 'zod';
import { httpVersion } from '../schemas/exchange.ts';
import { MIN_CASES, depths } from './depths.ts';
import type { Depth } from './depths.ts';
import { headers } from './headers.ts';
import { connectTo, unixSocket } from './route.ts';
import { baseline, baseUrl, domain, number, profile, reports, scopes, shard, yesOrNo } from './values.ts';
import { apiKey } from './api-key.ts';
import { authorities, clientCertificate, privateKey, serverName } from './tls.ts';

/** How users give a setting, and what the help says about it. */
interface SettingMeta {
  /** Environment variable; `.env` may set it too. Undefined: only the flag gives the setting. */
  readonly variable?: string;
  /** Whether no flag gives the setting, as a secret is never an argument. */
  readonly isSecret?: true;
  /** Long flag, without dashes, where it is not the name of the setting in kebab case. */
  readonly flag?: string;
  /** Whether the flag may be given several times. Its values are the lines of the setting. */
  readonly isList?: true;
  /** Stands for the value in the help. Absent: it is a switch, whose help is that of `--no-…` if it is on by default. */
  readonly placeholder?: string;
  readonly help: string;
  /** The default in words, where the schema holds none. */
  readonly default?: string;
  /** A value for `.env.example`, where the default is none. */
  readonly example?: string;
}

const meta = z.registry<SettingMeta>();

// Every setting that users give, from text, in the order of the help. The prefix of a variable is `TARGET_` for what
// describes the target, and `CTS_` for how the suite runs; Vitest overwrites `BASE_URL` in its workers.

const ofService = {
  // Parsed to a URL without a closing slash.
  baseUrl: baseUrl.optional().register(meta, {
    variable: 'TARGET_BASE_URL',
    placeholder: 'URL',
    help: 'URL of the service, with or without a path',
    default: 'the embedded reference service',
    example: 'https://staging.example.com',
  }),
  // The static key (interface, section 5.2).
  apiKey: apiKey.optional().register(meta, {
    variable: 'TARGET_API_KEY',
    isSecret: true,
    placeholder: 'KEY',
    help: 'static key of the service, for test mode; a secret, so no flag sets it',
    example: "'sk_test_...'",
  }),
  name: z.string().max(100, { error: 'expected at most 100 characters' }).optional().register(meta, {
    variable: 'TARGET_NAME',
    placeholder: 'NAME',
    help: 'name of the target in reports',
    default: 'that of its profile',
    example: 'staging',
  }),
  profile: profile.optional().register(meta, {
    variable: 'TARGET_PROFILE',
    placeholder: 'FILE',
    help: 'profile of the target, with its answers to the open questions; a different answer fails',
    example: 'staging.json',
  }),
};

/** The route to the target, which means nothing without one. */
const ofRoute = {
  headers: headers.prefault('').register(meta, {
    variable: 'TARGET_HEADERS',
    flag: 'header',
    isList: true,
    placeholder: 'HEADER',
    help: "header to add to every request, such as 'X-Env: staging'; name a variable for a secret: 'X-Access-Token: $GATEWAY_TOKEN'; for several, repeat the flag, or write one a line in the variable",
    example: "'X-Env: staging'",
  }),
  ca: authorities.optional().register(meta, {
    variable: 'TARGET_CA',
    placeholder: 'FILE',
    help: 'certificates of the authorities to trust, in PEM, in place of the built-in ones',
    default: 'the built-in ones',
    example: 'ca.pem',
  }),
  clientCert: clientCertificate.optional().register(meta, {
    variable: 'TARGET_CLIENT_CERT',
    placeholder: 'FILE',
    help: 'client certificate, in PEM, or with its key in PKCS#12',
    example: 'client.pem',
  }),
  clientKey: privateKey.optional().register(meta, {
    variable: 'TARGET_CLIENT_KEY',
    placeholder: 'FILE',
    help: 'private key of the client certificate, in PEM',
    default: 'in the file of the certificate',
    example: 'client-key.pem',
  }),
  clientKeyPassphrase: z.string().optional().register(meta, {
    variable: 'TARGET_CLIENT_KEY_PASSPHRASE',
    isSecret: true,
    placeholder: 'TEXT',
    help: 'passphrase of that key, or of the PKCS#12 file; a secret, so no flag sets it',
    example: "'...'",
  }),
  serverName: serverName.optional().register(meta, {
    variable: 'TARGET_SERVER_NAME',
    placeholder: 'HOST',
    help: 'name to expect in the certificate of the target (SNI)',
    default: 'the host in the URL',
    example: 'staging.example.com',
  }),
  connectTo: connectTo.optional().register(meta, {
    variable: 'TARGET_CONNECT_TO',
    placeholder: 'HOST:PORT',
    help: 'connect to this host in place of the one in the URL, which requests and TLS still name',
    default: 'the host in the URL',
    example: '127.0.0.1:8443',
  }),
  unixSocket: unixSocket.optional().register(meta, {
    variable: 'TARGET_UNIX_SOCKET',
    placeholder: 'PATH',
    help: 'connect to this Unix socket in place of the host in the URL',
    example: '/run/service.sock',
  }),
};

const ofRun = {
  http: z.enum(httpVersion.options, { error: 'expected 1.1 or 2' }).prefault('1.1').register(meta, {
    variable: 'TARGET_HTTP',
    placeholder: 'VERSION',
    help: 'version of HTTP to speak, 1.1 or 2: by ALPN over TLS, otherwise by prior knowledge',
  }),
  useProxy: yesOrNo().prefault('true').register(meta, {
    flag: 'proxy',
    help: 'connect without the proxy that https_proxy, HTTPS_PROXY, http_proxy, all_proxy or ALL_PROXY names; no_proxy and NO_PROXY list hosts to connect to directly',
    default: 'as curl reads these variables',
  }),
  tokenScopes: scopes.prefault('customers:read').register(meta, {
    variable: 'TARGET_TOKEN_SCOPES',
    placeholder: 'LIST',
    help: 'scopes of a plain token request, separated by commas',
  }),
  // Its unit is up to the target.
  tokenExpiresIn: number('whole', 1, Number.MAX_SAFE_INTEGER).prefault('3600').register(meta, {
    variable: 'TARGET_TOKEN_EXPIRES_IN',
    placeholder: 'N',
    help: 'value of expires_in in a plain token request',
  }),
  emailDomain: domain.optional().register(meta, {
    variable: 'CTS_EMAIL_DOMAIN',
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
      placeholder: 'DEPTH',
      help: `depth of the run: ${Object.entries(depths)
        .map(([depth, cases]) => `${depth} (${cases} cases)`)
        .join(', ')}`,
    }),
  cases: number('whole', MIN_CASES, 1_000_000)
    .optional()
    .register(meta, {
      variable: 'CTS_CASES',
      placeholder: 'N',
      help: 'cases of the widest scenario; the others are sized in proportion',
      default: 'set by --depth',
      example: String(depths.default),
    }),
  shard: shard.optional().register(meta, {
    variable: 'CTS_SHARD',
    placeholder: 'K/N',
    help: `run share K of N of the cases beyond the first ${depths.default}, which every shard sends; auto takes K and N from the CI system, auto/N takes K alone; cts-conformance merge combines the reports`,
    default: 'all cases',
    example: '1/4',
  }),
  // A 32-bit integer.
  seed: number('whole', -(2 ** 31), 2 ** 31 - 1)
    .optional()
    .register(meta, {
      variable: 'CTS_SEED',
      placeholder: 'N',
      help: 'seed of all generated inputs',
      default: 'random, and printed; with --shard auto, the same for all jobs of a pipeline',
      example: '42',
    }),
  concurrency: number('whole', 1, 256).prefault('16').register(meta, {
    variable: 'CTS_CONCURRENCY',
    placeholder: 'N',
    help: 'maximum number of requests in flight',
  }),
  rate: number('decimal', 0, 100_000).prefault('0').register(meta, {
    variable: 'CTS_RATE',
    placeholder: 'N',
    help: 'maximum requests per second; 0: no limit',
  }),
  maxRequests: number('whole', 1, 10_000_000).optional().register(meta, {
    variable: 'CTS_MAX_REQUESTS',
    placeholder: 'N',
    help: 'maximum requests of the whole run, retries and shrinking included',
    default: '1000, more with more than 200 cases',
    example: '1000',
  }),
  timeBudget: number('decimal', 1, 86_400).optional().register(meta, {
    variable: 'CTS_TIME_BUDGET',
    placeholder: 'S',
    help: 'seconds for the whole run',
    default: '80, more with more than 800 cases',
    example: '80',
  }),
  timeout: number('decimal', 0.1, 600).prefault('10').register(meta, {
    variable: 'CTS_TIMEOUT',
    placeholder: 'S',
    help: 'seconds for one response',
  }),
  wait: number('decimal', 0, 3600).prefault('0').register(meta, {
    variable: 'CTS_WAIT',
    placeholder: 'S',
    help: 'seconds to wait until the target answers at all, before anything else, by GET requests without the key',
  }),
  out: z.string().prefault('reports').register(meta, {
    variable: 'CTS_OUT',
    placeholder: 'DIR',
    help: 'folder for the reports',
  }),
  reports: reports.default([]).register(meta, {
    flag: 'report',
    variable: 'CTS_REPORT',
    placeholder: 'LIST',
    help: 'additional reports, separated by commas: har, ctrf',
    example: 'har,ctrf',
  }),
  strict: yesOrNo().prefault('false').register(meta, {
    variable: 'CTS_STRICT',
    help: 'fail on warnings too: recommended requirements that fail',
  }),
  baseline: baseline.optional().register(meta, {
    variable: 'CTS_BASELINE',
    placeholder: 'FILE',
    help: 'report of an earlier run (conformance.json, or its folder): what fails there is known, and does not fail the run',
    example: 'baseline.json',
  }),
  baselineUntil: z.iso.date({ error: 'expected a date, YYYY-MM-DD' }).optional().register(meta, {
    variable: 'CTS_BASELINE_UNTIL',
    placeholder: 'DATE',
    help: 'last day (UTC) of the baseline; afterwards, its failures fail the run',
    default: 'no end date',
    example: '2027-03-31',
  }),
  allowLiveKey: yesOrNo().prefault('false').register(meta, {
    variable: 'CTS_ALLOW_LIVE_KEY',
    help: 'accept a key that does not start with sk_test_',
  }),
  only: z.string().optional().register(meta, {
    placeholder: 'IDS',
    help: 'only these requirements and questions: ids separated by commas, * matches any text; such a run can fail, but never conforms',
    default: 'all',
  }),
  writeProfile: z.string().optional().register(meta, {
    placeholder: 'FILE',
    help: 'ask every open question, with about 150 more requests, and write the answers into a new file for review',
  }),
  writeWaivers: z.string().optional().register(meta, {
    placeholder: 'FILE',
    help: 'write the profile with a waiver for each failure into a new file, to fill in owners and reasons',
  }),
};

const fields = { ...ofService, ...ofRoute, ...ofRun };

export type SettingName = keyof typeof fields;

/** The names of all settings, in the order of the help. */
export const settingNames = Object.keys(fields) as SettingName[];

export const routeSettings = Object.keys(ofRoute) as (keyof typeof ofRoute)[];

/** The settings that every command needs that sends requests to a target. */
export const ofTarget: readonly SettingName[] = [
  'baseUrl',
  'apiKey',
  ...routeSettings,
  'http',
  'useProxy',
  'wait',
  'allowLiveKey',
  'tokenScopes',
  'tokenExpiresIn',
  'emailDomain',
  'concurrency',
  'rate',
  'maxRequests',
  'timeBudget',
  'timeout',
];

/** The description of one setting for users. */
interface SettingDescription extends SettingMeta {
  readonly default: string;
  /** The default of a switch, which takes no value. */
  readonly switch?: 'on' | 'off';
}

/** Describes a setting, with its flag, and with its default as text. */
export function describeSetting(name: SettingName): SettingDescription {
  const about = meta.get(fields[name])!;
  const inKebabCase = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const flag = about.flag ?? (about.isSecret ? undefined : inKebabCase);
  const standard = fields[name].parse(undefined) as string | number | boolean | readonly string[] | undefined;
  return {
    ...about,
    ...(flag !== undefined && { flag }),
    ...(about.placeholder === undefined && { switch: standard ? 'on' : 'off' }),
    default: about.default ?? (String(standard ?? '') || 'none'),
  };
}

/** The descriptions of all settings, in the order of the help. */
export const describedSettings = settingNames.map(describeSetting);

/** All settings, each checked alone. */
export const settingsSchema = z.object({ ...ofService, route: z.object(ofRoute), ...ofRun });
export type GivenSettings = z.output<typeof settingsSchema>;

/** One of several runs that share the cases of one: the index counts from 1. */
export type Shard = Readonly<z.output<typeof shard>>;

export const variableNames = describedSettings.flatMap(({ variable }) => variable ?? []);

import { randomInt } from 'node:crypto';
import { KEY_PREFIX } from '../schemas/interface.ts';
import type { Counterexample } from '../schemas/case.ts';
import { depths } from './depths.ts';
import type { Route } from './route.ts';
import { describeSetting, routeSettings } from './settings.ts';
import type { GivenSettings } from './settings.ts';
import { checkClient } from './tls.ts';
import { UsageError } from './usage-error.ts';
import { notFilledIn } from './api-key.ts';

/**
 * All settings of a run, checked: those that users give, and what the command adds. Frozen, plain data that can be
 * cloned into Vitest's worker.
 */
export type Settings = Readonly<Omit<ReturnType<typeof withDerivedDefaults>, 'route' | 'http' | 'useProxy'>> &
  AddedByCommand & { readonly route: Route };

/** Checks settings that depend on each other. @throws {UsageError} */
export function checkCombination({ route, ...given }: GivenSettings): void {
  const { baseUrl, apiKey, allowLiveKey, shard, seed, baseline, baselineUntil } = given;
  if (given.writeProfile !== undefined && given.writeWaivers !== undefined)
    throw new UsageError(
      '--write-waivers: --write-profile would write another profile; write that first, then run with it and --write-waivers',
    );
  if (baselineUntil !== undefined && baseline === undefined)
    throw new UsageError(
      'CTS_BASELINE_UNTIL (--baseline-until): it has no effect without a baseline; add --baseline FILE',
    );
  if (shard !== undefined && seed === undefined)
    throw new UsageError(
      'CTS_SEED (--seed) is missing: runs that share cases (--shard) must generate the same inputs, so give all of them the same seed',
    );
  if (shard !== undefined && baseUrl === undefined)
    throw new UsageError(
      'TARGET_BASE_URL is missing: runs that share cases (--shard) need one common target; without it each would start a reference service',
    );
  if (baseUrl !== undefined && apiKey === undefined)
    throw new UsageError(
      'TARGET_API_KEY is missing: set the key of the target in the environment or in .env',
    );
  if (baseUrl === undefined && apiKey !== undefined)
    throw new UsageError(
      'TARGET_BASE_URL is missing: set the URL of the service that the key belongs to; unset both to check the embedded reference service',
    );
  const ofRoute = routeSettings.find((name) =>
    name === 'headers' ? route.headers.length > 0 : route[name] !== undefined,
  );
  const named = ofRoute ?? (given.http === '2' ? 'http' : undefined);
  if (baseUrl === undefined && named !== undefined)
    throw new UsageError(
      `TARGET_BASE_URL is missing: set the URL of the service that ${describeSetting(named).variable} is for`,
    );
  if (baseUrl === undefined && given.name !== undefined)
    throw new UsageError(
      'TARGET_BASE_URL is missing: set the URL of the service that TARGET_NAME (--name) is the name of',
    );
  if (route.connectTo && route.unixSocket)
    throw new UsageError('TARGET_CONNECT_TO and TARGET_UNIX_SOCKET exclude each other; leave one out');
  checkClient(route);
  const problem = apiKey === undefined ? undefined : notFilledIn(apiKey);
  if (problem !== undefined) throw new UsageError(`TARGET_API_KEY ${problem}`);
  if (apiKey !== undefined && !apiKey.startsWith(KEY_PREFIX) && !allowLiveKey)
    throw new UsageError(
      apiKey.includes(KEY_PREFIX)
        ? 'TARGET_API_KEY has other text before sk_test_: give the key alone, or add --allow-live-key if that belongs to it'
        : 'TARGET_API_KEY does not start with sk_test_: the suite creates customers, so use a test-mode key, or add --allow-live-key to use this one',
    );
}

/** Settings with the defaults that follow from others. */
export function withDerivedDefaults({ baseline, baselineUntil: until, ...given }: GivenSettings) {
  const cases = given.cases ?? depths[given.depth];
  return {
    ...given,
    baseline: baseline && until !== undefined ? { ...baseline, until } : baseline,
    cases,
    seed: given.seed ?? randomInt(2 ** 31),
    maxRequests: given.maxRequests ?? Math.max(1000, 600 + 2 * cases),
    timeBudget: given.timeBudget ?? Math.max(80, Math.ceil(cases / 10)),
  };
}

/** What a command adds to the settings that users give. */
interface AddedByCommand {
  /**
   * How much the screen shows. `verdict`: only what Vitest does not show; `quiet`: only problems; `normal`: also a line for
   * each section; `verbose`: every requirement, warnings in full, every answer and latencies.
   */
  readonly verbosity: 'verdict' | 'quiet' | 'normal' | 'verbose';
  /** The operator's suites, run after those of the interface; undefined: none. */
  readonly customSuites: CustomSuites | undefined;
  /** Counterexamples of earlier runs, which are sent before a requirement is explored. */
  readonly savedCases: readonly SavedCase[];
  /** A counterexample to send again instead of exploring; undefined: none. */
  readonly replay: SavedCase | undefined;
  /** Recorded evidence to judge instead of sending anything, and when its run began; undefined: none. */
  readonly recording: { readonly path: string; readonly startedAt: Date } | undefined;
}

/** Whether a run explores the target and replaces the reports: it neither replays a case nor re-evaluates evidence. */
export const isExploring = ({ replay, recording }: Pick<AddedByCommand, 'replay' | 'recording'>): boolean =>
  replay === undefined && recording === undefined;

/** Whether a run also asks the questions that need requests of their own: only if a profile is read or written. */
export const asksAll = ({ profile, writeProfile }: Pick<Settings, 'profile' | 'writeProfile'>): boolean =>
  profile !== undefined || writeProfile !== undefined;

/** Suites of an operator, for endpoints beyond the interface. */
export interface CustomSuites {
  readonly folder: string;
  /** Files below it. */
  readonly files: readonly string[];
  /** Whether their findings count for the exit code; they never count for the interface's verdict. */
  readonly counts: boolean;
}

/** What is needed of a counterexample to send it again. */
export interface SavedCase extends Pick<Counterexample, 'scenarios' | 'category' | 'reproduced' | 'alone'> {
  /** The file that it was read from. */
  readonly file: string;
  readonly requirement: string;
  /** Its input; two for a comparison. */
  readonly inputs: readonly unknown[];
  /** The URL of its last request, when it was found. */
  readonly url?: string;
}

/** Settings of a run whose target is known: given by the user, or the embedded service, started. */
export type TargetSettings = Settings & {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly embedded: boolean;
};

import { readSettings } from '../settings/sources.ts';
import { UsageError, settingSchema } from '../settings/settings.ts';

/** Where a target is, and how much it may be asked. */
export interface TargetOptions {
  /** Where the service is, with or without a path. */
  readonly baseUrl: string;
  /** Its static key. A secret: it stands in no exchange that is handed out. */
  readonly apiKey: string;
  /** Requests in flight at most; default: 16. */
  readonly concurrency?: number;
  /** Requests a second at most; default: 0, as fast as the target bears. */
  readonly rate?: number;
  /** Requests at most, retries included; default: 1000. */
  readonly maxRequests?: number;
  /** Seconds from the first request, after which nothing is sent; default: 80. */
  readonly timeBudget?: number;
  /** Seconds for one response; default: 10. */
  readonly timeout?: number;
  /** Whether a key may be used that does not start with `sk_test_`; default: false. */
  readonly allowLiveKey?: boolean;
}

/** The options of a target, checked, with the defaults of a run where they say nothing. Frozen. */
export type TargetDefinition = Readonly<Required<TargetOptions>>;

const names = [
  'baseUrl',
  'apiKey',
  'concurrency',
  'rate',
  'maxRequests',
  'timeBudget',
  'timeout',
  'allowLiveKey',
] as const satisfies readonly (keyof TargetOptions)[];

/** Checks options as the settings of a run are checked. @throws {UsageError} names the option, never shows its value */
export function definitionOf(options: TargetOptions): TargetDefinition {
  if (typeof options !== 'object' || options === null)
    throw new UsageError('expected the options of a target, an object with baseUrl and apiKey');
  const unknown = Object.keys(options).find((name) => !names.includes(name as never));
  if (unknown !== undefined)
    throw new UsageError(`there is no such option of a target; known are ${names.join(', ')}`);
  const standard = readSettings({});
  const definition = Object.fromEntries(
    names.map((name) => {
      const value = options[name] ?? standard[name];
      if (value === undefined) throw new UsageError(`${name} is missing`);
      const result = settingSchema(name).safeParse(String(value));
      if (!result.success) throw new UsageError(`${name}: ${result.error.issues[0]!.message}`);
      return [name, result.data];
    }),
  ) as TargetDefinition;
  if (!definition.apiKey.startsWith('sk_test_') && !definition.allowLiveKey)
    throw new UsageError(
      'apiKey does not start with sk_test_: customers are created, so give a test-mode key, or allowLiveKey if you mean it',
    );
  // Not among what is printed: it is a secret.
  return Object.freeze(
    Object.defineProperty({ ...definition }, 'apiKey', { enumerable: false, value: definition.apiKey }),
  );
}

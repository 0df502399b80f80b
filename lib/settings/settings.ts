import type { Depth } from './depth.ts';
import type { Profile } from './profile.ts';

/** Reports that are written where they are asked for. */
export const extraReports = ['har', 'ctrf'] as const;
export type ExtraReport = (typeof extraReports)[number];

/**
 * What a run is told, after flags, environment and `.env` are merged and checked. Frozen, plain
 * data: it crosses into Vitest's worker as it is.
 */
export interface Settings {
  /** Origin and path of the target, without a closing slash; undefined: the embedded reference service. */
  readonly baseUrl: string | undefined;
  /** The static key (interface, section 5.2). Present exactly when `baseUrl` is. */
  readonly apiKey: string | undefined;
  /** What the operator of the target has answered; undefined: nothing. */
  readonly profile: Profile | undefined;
  /** Where a profile of what was seen is written; undefined: nowhere. */
  readonly writeProfile: string | undefined;
  /** Scopes that a plain token request asks for. */
  readonly tokenScopes: readonly string[];
  /** Lifetime that a plain token request asks for; its unit is the target's. */
  readonly tokenExpiresIn: number;
  /** How deep the run goes, where `cases` is not given. */
  readonly depth: Depth;
  /** Cases of the widest experiment; the others are sized beside it. */
  readonly cases: number;
  /** Seed of every generated input, a 32-bit integer. */
  readonly seed: number;
  /** Requests in flight at most. */
  readonly concurrency: number;
  /** Requests a second at most; 0: no limit. */
  readonly rate: number;
  /** Requests of the whole run at most, retries and shrinking included. */
  readonly maxRequests: number;
  /** Seconds for the whole run. */
  readonly timeBudget: number;
  /** Seconds for one response. */
  readonly timeout: number;
  /** Folder for the reports. */
  readonly out: string;
  /** Reports that are written beside those of every run. */
  readonly reports: readonly ExtraReport[];
  /** Whether an advisory finding fails the run. */
  readonly strict: boolean;
  /** Which part of the cases this run has, of how many; undefined: all. */
  readonly shard: Shard | undefined;
  /** Ids of the requirements to run, `*` standing for any text; undefined: all. */
  readonly only: string | undefined;
  /** A counterexample to send again instead of exploring. */
  readonly replay: ReplayedCase | undefined;
  /** The evidence of another run, which is judged again instead of sending anything; undefined: none. */
  readonly evidence: string | undefined;
  /** Counterexamples of former runs, which are sent again before a requirement is explored. */
  readonly corpus: readonly ReplayedCase[];
  /** How much the screen shows. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  /** Suites of the operator's own, run beside those of the interface; undefined: none. */
  readonly own: OwnSuites | undefined;
  /** Whether a key that is not a test-mode key may be used. */
  readonly allowLiveKey: boolean;
}

/** One of several runs that share the cases of one. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Suites of a vendor's own, for endpoints beyond the interface. */
export interface OwnSuites {
  readonly folder: string;
  /** Files below it. */
  readonly files: readonly string[];
  /** Whether what they find counts for the exit code; never for the interface's verdict. */
  readonly counts: boolean;
}

/** A counterexample, as far as it is needed to send it again. */
export interface ReplayedCase {
  /** The file that it is from. */
  readonly file: string;
  readonly requirement: string;
  /** The experiments that its inputs belong to, one or, for a comparison, two. */
  readonly experiments: readonly string[];
  readonly category: string;
  readonly inputs: readonly unknown[];
  /** How often it broke when it was found, such as `3/3`. */
  readonly reproduced: string;
}

/** Settings of a run whose target is known: given by the user, or the embedded service, started. */
export type TargetSettings = Settings & {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly embedded: boolean;
};

/** Wrong usage or settings: nothing was sent (exit code 2). The message names the setting and the way out. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

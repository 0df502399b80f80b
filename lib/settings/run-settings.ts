import type { z } from 'zod';
import type { Route } from './route.ts';
import type { RouteSetting, settingsSchema } from './settings.ts';

/**
 * All settings of a run, checked: those that users give, and what the command adds. Frozen, plain data that can be
 * cloned into Vitest's worker.
 */
export type Settings = Readonly<Omit<z.output<typeof settingsSchema>, RouteSetting>> &
  AddedByCommand & { readonly route: Route };

/** What a command adds to the settings that users give. */
interface AddedByCommand {
  /** How much the screen shows. */
  readonly detail: 'verdict' | 'quiet' | 'normal' | 'verbose';
  /** The operator's suites, run after those of the interface; undefined: none. */
  readonly customSuites: CustomSuites | undefined;
  /** Counterexamples of earlier runs, which are sent before a requirement is explored. */
  readonly corpus: readonly ReplayedCase[];
  /** A counterexample to send again instead of exploring; undefined: none. */
  readonly replay: ReplayedCase | undefined;
  /** Path of recorded evidence to judge instead of sending anything; undefined: none. */
  readonly evidence: string | undefined;
  /** When the run of that evidence began. */
  readonly recordedAt?: Date;
}

/** Whether a run explores the target and replaces the reports: it neither replays a case nor re-evaluates evidence. */
export const isRecording = ({ replay, evidence }: Pick<AddedByCommand, 'replay' | 'evidence'>): boolean =>
  replay === undefined && evidence === undefined;

/** Whether a run asks the questions that need requests of their own, too: only if a profile is read or written. */
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
export interface ReplayedCase {
  /** The file that it was read from. */
  readonly file: string;
  readonly requirement: string;
  /** The scenarios that its inputs belong to: one, or two for a comparison. */
  readonly scenarios: readonly string[];
  readonly category: string;
  readonly inputs: readonly unknown[];
  /** How often it failed when it was found, such as `3/3`. */
  readonly reproduced: string;
}

/** Settings of a run whose target is known: given by the user, or the embedded service, started. */
export type TargetSettings = Settings & {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly embedded: boolean;
};

import type { Settings, TargetSettings } from '../settings/settings.ts';
import type { RecordedExchange } from '../target/record.ts';
import type { Traffic } from '../target/sending.ts';
import type { Written } from './write-lines.ts';
import type { RequirementId } from './catalogue.ts';
import type { Violation } from './violation.ts';
import type { Answer } from './question.ts';

/** `waived`: a failure that the operator of the target answers for. */
export type FindingVerdict = 'pass' | 'fail' | 'warn' | 'untested' | 'inconclusive' | 'waived';

export type { Violation } from './violation.ts';

/** The smallest input found that breaks a requirement, with its evidence. Redacted. */
export interface Counterexample extends Violation {
  /** The experiment that the input belongs to; one for each of two. */
  readonly experiments: readonly string[];
  readonly category: string;
  /** As small as it was made; a list of two for a comparison. */
  readonly input: unknown;
  /** As it was found. */
  readonly foundWith: unknown;
  readonly seed: number;
  /** Place in the experiment, then fast-check's path of the shrinking. */
  readonly path: string;
  readonly shrinks: number;
  /** How often it broke again when it was sent again, such as `3/3`. */
  readonly reproduced: string;
  /** The file that it was recorded in before; absent where this run has found it. */
  readonly from?: string;
  readonly exchanges: readonly RecordedExchange[];
  readonly curl: string;
}

/** What one requirement came to. Plain JSON: it travels as the meta of a Vitest task. */
export interface Finding {
  readonly id: RequirementId;
  readonly verdict: FindingVerdict;
  /** Why there is no verdict, or what a reader should know about it. */
  readonly reason?: string;
  /** Whether it may go untested: it would take a profile, or a lifetime, that there is not. */
  readonly optional?: boolean;
  /** Exchanges that were judged. */
  readonly cases: number;
  /** How many of the judged exchanges were accepted. */
  readonly accepted: number;
  /** How many broke the requirement. */
  readonly broken: number;
  /** Responses that the run had seen when one that breaks it was among them; only where one was. */
  readonly foundAfter?: number;
  /** Most requests that were in flight together among the judged. */
  readonly inFlight: number;
  readonly counterexample?: Counterexample;
}

/** What a requirement of a vendor's own suite came to. Never part of the interface's verdict. */
export interface OwnFinding extends Omit<Finding, 'id'> {
  readonly id: string;
  /** The file that it stands in. */
  readonly source: string;
  readonly statement: string;
}

/** What a run has left at its target. */
export interface Created {
  /** What every address of the run carries. */
  readonly tag: string;
  /** Ids, as far as the responses told them; redacted. */
  readonly customers: readonly string[];
}

/** What the suites leave with Vitest for the reporter. */
declare module 'vitest' {
  interface TaskMeta {
    finding?: Finding;
    answer?: Answer;
    own?: OwnFinding;
    traffic?: Traffic;
    created?: Created;
    /** Where the lines of the evidence are that the suites have written. */
    evidence?: Written;
    /** How many secrets the suites have told the reporter of. */
    secrets?: number;
  }
  interface ProvidedContext {
    /** What the command line has settled; absent under plain `vitest run`. */
    settings?: Settings;
    /** The settings with a target, for the suites and the reporter. */
    target: TargetSettings;
  }
}

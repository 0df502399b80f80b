import type fc from 'fast-check';
import type { NoReply, Stopped } from '../target/exchange.ts';
import type { Case, Observation } from './observation.ts';
import type { Run } from './run.ts';
import type { Shard } from '../settings/settings.ts';

/** An input that is still to be generated, and the category that it stands for. */
export interface CaseSource<I> {
  readonly category: string;
  readonly arbitrary: fc.Arbitrary<I>;
}

/**
 * A text of lower-case letters and digits that no other request of the run carries. It is made anew for each try, as
 * one whose connection broke may have been carried out.
 */
export type Nonce = (tries: number) => string;

/** The observations of a scenario that this one uses; empty where there are none. */
export type Found = <I, O extends Observation<I>>(scenario: Scenario<I, O>) => readonly O[];

/** The cases of a scenario: one list, or several of which each follows what came of the one before. */
export type Cases<I, O> = readonly CaseSource<I>[] | Generator<readonly CaseSource<I>[], void, readonly O[]>;

/**
 * What is sent for one purpose, as data: which cases, and how one of them is sent. A scenario is sent once a run,
 * however many requirements judge it.
 */
// Scenarios of different inputs stand in one list; their inputs meet only their own functions.
// oxlint-disable-next-line typescript/no-explicit-any
export interface Scenario<I = any, O extends Observation<I> = any> {
  readonly name: string;
  /** Scenarios whose observations it needs; `found` knows these and no others. */
  readonly uses?: readonly Scenario[];
  /** Whether the shards of a run share its cases; otherwise each shard sends all of them. */
  readonly isShared?: boolean;
  /** Shrinks any input of this scenario. */
  readonly shrinking: fc.Arbitrary<I>;
  /** @throws {Inconclusive} where the target rejected what it builds on */
  readonly cases: (run: Run, found: Found) => Cases<I, O>;
  /** Makes the function that sends one case; made once a run, so that it may keep what it has to remember. */
  readonly send: (run: Run, found: Found) => (testCase: Case<I>, nonce: Nonce) => Promise<O>;
  /** Sends several at the same instant; without it they are sent as the limiter allows. */
  readonly sendTogether?: (
    run: Run,
  ) => (
    cases: readonly { readonly testCase: Case<I>; readonly nonce: Nonce }[],
  ) => Promise<readonly (O | NoReply | Stopped)[]>;
}

/** Defines a scenario; nothing is sent before a run explores it. */
export const scenario = <I, O extends Observation<I> = Observation<I>>(
  definition: Scenario<I, O>,
): Scenario<I, O> => definition;

/** Scenarios that are sent beside each other, and what they wait for. */
export interface Phase {
  readonly name: string;
  readonly sends: readonly Scenario[];
  /** Names of the phases that must be over before; those that are not part of the run are not waited for. */
  readonly after: readonly string[];
  /** Further phases to wait for in a run that can afford few requests: what the interface states comes first. */
  readonly afterIfScarce?: readonly string[];
  /** Whether its requests take two of three turns, as others build on what comes of them. */
  readonly hasPriority?: boolean;
}

export const phase = (
  name: string,
  { after = [], ...rest }: Omit<Phase, 'name' | 'after'> & Partial<Pick<Phase, 'after'>>,
): Phase => ({ name, after, ...rest });

/** The id that every address of a run carries; the same for the same seed, and another one for each shard. */
export const runIdOfSeed = (seed: number, shard?: Shard): string =>
  runIdOf(hash(`run${seed}${shard ? ` ${shard.index}/${shard.count}` : ''}`));

/** An id of six characters that starts with a letter, so that no address looks like a number. */
export const runIdOf = (number: number): string =>
  `q${(number >>> 0).toString(36).padStart(7, '0').slice(-5)}`;

/** FNV-1a, 32 bits: spreads places over the seeds. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}

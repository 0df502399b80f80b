import type fc from 'fast-check';
import type { Exchange, NoReply, Stopped } from '../target/exchange.ts';
import type { Case, Observation } from './observation.ts';
import type { Run } from './run.ts';
import type { Shard } from '../settings/settings.ts';

/** An arbitrary for one case, and the category of its inputs. */
export interface CaseSource<I> {
  readonly category: string;
  readonly arbitrary: fc.Arbitrary<I>;
}

/**
 * Lower-case letters and digits that no other request of the run contains. Each retry has its own, as the target may
 * have carried out a request whose connection broke.
 */
export type Nonce = (tries: number) => string;

/** The observations of a scenario that this one uses. */
export type Found = <I, O extends Observation<I>>(scenario: Scenario<I, O>) => readonly O[];

/** The cases of a scenario: one list, or several, each of which depends on the observations of the one before. */
type CaseLists<I, O> = readonly CaseSource<I>[] | Generator<readonly CaseSource<I>[], void, readonly O[]>;

/**
 * Requests with one purpose: which cases there are, and how each is sent. A scenario is sent once a run, however many
 * requirements judge it.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- lists hold scenarios with different inputs
export interface Scenario<I = any, O extends Observation<I> = any> {
  readonly name: string;
  /** Scenarios whose observations it needs; `found` has these and no others. */
  readonly uses?: readonly Scenario[];
  /** Whether the shards of a run share its cases; otherwise each shard sends all of them. */
  readonly isShared?: boolean;
  /** Shrinks any input of this scenario. */
  readonly shrinking: fc.Arbitrary<I>;
  /** @throws {Inconclusive} if the target rejected the control */
  readonly cases: (run: Run, found: Found) => CaseLists<I, O>;
  /** Makes the function that sends a case, once a run, so that the function may have state. */
  readonly send: (run: Run, found: Found) => (testCase: Case<I>, nonce: Nonce) => Promise<O>;
  /** Sends the request of a case with the right credential; resolves to undefined if it is rejected. */
  readonly sendControl?: (
    run: Run,
    found: Found,
  ) => (testCase: Case<I>, nonce: Nonce) => Promise<Exchange | undefined>;
  /** Sends all cases of a list at the same instant; default: as the limiter allows. */
  readonly sendTogether?: (
    run: Run,
  ) => (
    cases: readonly { readonly testCase: Case<I>; readonly nonce: Nonce }[],
  ) => Promise<readonly (O | NoReply | Stopped)[]>;
}

/** Defines a scenario, which a run explores. */
export const scenario = <I, O extends Observation<I> = Observation<I>>(
  definition: Scenario<I, O>,
): Scenario<I, O> => definition;

/** Scenarios that are sent concurrently, and the phases that they wait for. */
export interface Phase {
  readonly name: string;
  readonly sends: readonly Scenario[];
  /** Names of the phases that must be over before it begins, if they are part of the run. */
  readonly after: readonly string[];
  /** Whether its requests get two of three turns, with those of other such phases, as later phases need its observations. */
  readonly hasPriority?: boolean;
}

export const phase = (
  name: string,
  { after = [], ...rest }: Omit<Phase, 'name' | 'after'> & Partial<Pick<Phase, 'after'>>,
): Phase => ({ name, after, ...rest });

/**
 * Names of all phases that must be over before a phase, directly or not.
 * @param own undefined for a scenario of no phase, which comes last
 */
export function phasesBefore(plan: readonly Phase[], own: Phase | undefined): ReadonlySet<string> {
  const names = new Set(own?.after ?? plan.map(({ name }) => name));
  for (const name of names)
    for (const other of plan.find((phase) => phase.name === name)?.after ?? []) names.add(other);
  return names;
}

/** Some scenarios and all that they use. */
export function withUsed(scenarios: readonly Scenario[]): ReadonlySet<Scenario> {
  const all = new Set(scenarios);
  for (const { uses = [] } of all) for (const used of uses) all.add(used);
  return all;
}

/** The id that every address of a run contains; the same for the same seed and shard. */
export const runIdOfSeed = (seed: number, shard?: Shard): string =>
  runIdOf(hash(`run${seed}${shard ? ` ${shard.index}/${shard.count}` : ''}`));

/** An id of six characters that starts with a letter, so that no address looks like a number. */
export const runIdOf = (number: number): string =>
  `q${(number >>> 0).toString(36).padStart(7, '0').slice(-5)}`;

/** FNV-1a, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const unit of text) value = Math.imul(value ^ unit.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}

import fc from 'fast-check';
import type { TargetSettings } from '../settings/run-settings.ts';
import type { Credential } from '../target/credential.ts';
import type { Exchange, NoReply, Stopped } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';
import type { Nonce } from './nonces.ts';
import type { Case, Exploration, Observation, SendInvalid } from './observation.ts';
import type { Recorded } from './evidence/recorded.ts';

/** What a run sends with, and what it remembers of all that was sent. */
export interface RunBase {
  readonly settings: TargetSettings;
  readonly target: Target;
  /** The right credential. */
  readonly credential: Credential;
  /** Lower-case letters and digits that every address of this run contains. */
  readonly runId: () => string;
  /** Lower-case letters and digits that no other request of the run contains. */
  readonly unique: () => string;
  /** Generates one value, always the same for the same seed and label. */
  readonly generate: <T>(arbitrary: fc.Arbitrary<T>, label: string) => T;
  /** The first exchanges of the run, including those without an observation. */
  readonly exchanges: readonly Exchange[];
  /** Ids of the created customers, for cleaning up. */
  readonly created: readonly string[];
  /** Shows the user a remark during the run. */
  readonly remark: (text: string) => void;
}

/** Whether a request was sent with the right key. */
export const hasRightKey = (
  { credential }: Pick<RunBase, 'credential'>,
  { request }: Pick<Exchange, 'request'>,
): boolean => request.credential?.value === credential.value;

/** Detects that a limit of the target is reached: limits are not shown (interface, section 8), so none breaks a requirement. */
export interface LimitWatch {
  /**
   * Notes an observation; if it shows a limit, stops sending what is limited, and returns why. `again`: send the request
   * again, as the operation was unavailable or the client locked out for a short time.
   */
  readonly checkForLimit: (observation: Observation) => Promise<Stopped | 'again' | undefined>;
  /** Whether a limit or a lockout explains the rejection of a request with the right key, even one before it was known. */
  readonly isDueToLimit: (observation: Observation) => boolean;
  /** Whether a response with any credential is that of a known lockout, and says nothing about the credential. */
  readonly isLockout: (exchange: Exchange) => boolean;
  /**
   * Whether a request with any credential, which an operation answered as if it was not there, or as in a lockout that is
   * being investigated, is worth repeating: the operation is there again, perhaps after some seconds, as during a
   * deployment.
   */
  readonly waitUntilServedAgain: (exchange: Exchange) => Promise<boolean>;
}

/** One run against one target. */
export interface Run extends RunBase, LimitWatch {
  /** The recorded observations that this run judges without sending anything; undefined: it sends. */
  readonly recorded: Recorded | undefined;
  /** Cases of the widest scenario: as many as the settings say, or as the limits allow. Known when the run is ready. */
  readonly cases: number;
  /**
   * Resolves when the target has answered and accepts the key.
   * @throws {Inconclusive} otherwise
   */
  readonly ready: () => Promise<void>;
  /** Gives the run another id, for a target that remembers addresses with this one. */
  readonly renewRunId: () => void;
  /** From now on generates other inputs, for a target that remembers the names of a run with the same seed. */
  readonly renewInputs: () => void;
  /** Shuffles items by the seed, differently in each round. */
  readonly shuffle: <T>(items: readonly T[], round?: number) => readonly T[];
  /** Starts the needed scenarios of the plan, and those that they use. */
  readonly start: (needed: readonly Scenario[]) => void;
  /** The observations of a scenario, which is sent once. */
  readonly explore: <I, O extends Observation<I>>(scenario: Scenario<I, O>) => Promise<Exploration<O>>;
  /** The observations of several scenarios. */
  readonly observed: (uses: readonly Scenario[]) => Promise<Observed>;
  /** Waits for all scenarios that were started. @returns them in order, with an error in place of what could not be run */
  readonly explored: () => Promise<
    readonly (readonly [scenario: Scenario, exploration: Exploration<Observation> | Error])[]
  >;
  /** Sends one input once more, to reproduce, shrink or replay it. @param name the same for identical requests */
  readonly repeat: <I, O extends Observation<I>>(
    scenario: Scenario<I, O>,
    input: I,
    category: string,
    name?: string,
  ) => Promise<O>;
  /** Sends a request with an invalid credential to a target that may limit how many a client sends. */
  readonly sendInvalid: SendInvalid;
  /** Whether the rejection of an invalid credential is about the client, as others like it are. */
  readonly isClientRejection: (observation: Observation) => boolean;
}

/** A case before it is generated: its arbitrary, and the category of its inputs. */
export interface CaseSource<I> {
  readonly category: string;
  readonly arbitrary: fc.Arbitrary<I>;
}

/** A case with one input, which is not generated. */
export const fixedCase = <I>(category: string, input: I): CaseSource<I> => ({
  category,
  arbitrary: fc.constant(input),
});

export interface SentCase<I = unknown> {
  readonly testCase: Case<I>;
  readonly nonce: Nonce;
}

/** The observations of a scenario that this one uses. */
export type Observed = <I, O extends Observation<I>>(scenario: Scenario<I, O>) => readonly O[];

/** The cases of a scenario: one list, or several, each of which depends on the observations of the one before. */
type CaseLists<I, O> = readonly CaseSource<I>[] | Generator<readonly CaseSource<I>[], void, readonly O[]>;

/**
 * Requests with one purpose: which cases there are, and how each is sent. A scenario is sent once a run, however many
 * requirements judge it.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- lists hold scenarios with different inputs
export interface Scenario<I = any, O extends Observation<I> = Observation<I>> {
  readonly name: string;
  /** The kind of its requests: a requirement about these is judged by all scenarios of the kind. */
  readonly kind?: 'customers' | 'tokens' | 'customer credentials' | 'token credentials';
  /** Scenarios whose observations it needs; `observed` has these and no others. */
  readonly uses?: readonly Scenario[];
  /** The part of `uses` that sending a single case needs, as in a replay; default: all. */
  readonly sendUses?: readonly Scenario[];
  /** Whether the shards of a run share its cases; otherwise each shard sends all of them. */
  readonly isShared?: boolean;
  /** Shrinks any input of this scenario. */
  readonly shrinking: fc.Arbitrary<I>;
  /** @throws {Inconclusive} if the target rejected the control */
  readonly cases: (run: Run, observed: Observed) => CaseLists<I, O>;
  /** Makes the function that sends a case, once a run, so that the function may have state. */
  readonly send: (run: Run, observed: Observed) => (testCase: Case<I>, nonce: Nonce) => Promise<O>;
  /** The input of the same request with the right credential, which is its control; undefined: it has none of its own. */
  readonly controlOf?: (testCase: Case<I>) => I | undefined;
  /** Sends all cases of a list at the same instant; default: as the limiter allows. */
  readonly sendTogether?: (
    run: Run,
  ) => (cases: readonly SentCase<I>[]) => Promise<readonly (O | NoReply | Stopped)[]>;
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
}

export const phase = (
  name: string,
  { sends, after = [] }: Pick<Phase, 'sends'> & Partial<Pick<Phase, 'after'>>,
): Phase => ({ name, sends, after });

/** Names of all phases that must be over before a phase, directly or not. */
export function phasesBefore(plan: readonly Phase[], { after }: Phase): ReadonlySet<string> {
  const names = new Set(after);
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

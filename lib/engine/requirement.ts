import type fc from 'fast-check';
import type { Cause } from '../causes/cause.ts';
import type { Profile } from '../schemas/profile.ts';
import type { Level } from '../schemas/report.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import type { JudgedBy, Observation, SummarisedId } from './observation.ts';
import type { Run, Scenario } from './scenario.ts';
import type { Violation } from './judging/finding.ts';

/**
 * A requirement: its text, the scenarios that it judges, and its assertion. The text is whole sentences, no two of which
 * are the same, that begin with a capital letter or code.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- lists hold requirements over different inputs
export interface Requirement<I = any, O extends Observation<I> = any> {
  /** Stable and dotted: profiles, waivers and reports refer to it. */
  readonly id: string;
  readonly level: Level;
  /** Section of the interface document that states it. */
  readonly section: string;
  /** The RFC that recommends it; only where the level is `should`. */
  readonly source?: string;
  /** Open questions that a profile must answer; only where the level is `declared`. */
  readonly needs?: readonly string[];
  readonly statement: string;
  /** What is wrong if it fails, as a sentence. Custom suites may omit it and the members below. */
  readonly problem?: string;
  /** The sentence of the interface or the RFC that states it, quoted. */
  readonly sentence?: string;
  readonly why?: string;
  /** Which requests are judged, and how. */
  readonly tested?: string;
  /** What a service does that breaks it, as an example. */
  readonly failure?: string;
  /** Why it can't be tested with these settings; undefined: it can. */
  readonly untestable?: (settings: TargetSettings) => string | undefined;
  /** The scenarios whose exchanges it judges. */
  readonly over: readonly Scenario<I, O>[];
  /** Which of these exchanges it judges; default: all. */
  readonly only?: (observation: O) => boolean;
  /** Whether it judges an exchange whose response is too long, of which only the beginning was read; default: never. */
  readonly judgesPart?: (observation: O) => boolean;
  /** What `only` selects, such as `405`, for the message that no such response was received. */
  readonly subject?: string;
  /** Requirements that this one presupposes: it does not judge an exchange that breaks one of them. */
  readonly restsOn?: readonly Requirement[];
  /** The assertion on a single exchange; undefined: it holds. */
  readonly check?: (observation: O, settings: TargetSettings) => Violation | undefined;
  /** The assertion on all exchanges together. */
  readonly compare?: Compare<O>;
  /** Whether `compare` gets the ids of the exchanges of a long run that were not kept. */
  readonly comparesIds?: boolean;
  /** The likely cause of all its broken cases, from all observations of its scenarios; undefined: none is known. */
  readonly likelyCause?: (observations: readonly O[], settings: TargetSettings) => Cause | undefined;
  /** A remark on a pass. */
  readonly note?: (observations: readonly O[], settings: TargetSettings) => string | undefined;
  /** Which cases without a complete response break it, if others have one; default: none. */
  readonly unanswered?: Unanswered;
  /** Rejections that it demands, but does not judge as responses; default: none. */
  readonly rejections?: Rejections;
  /** How a broken case is shrunk; null: not at all; default: as its scenario does. */
  readonly shrinking?: fc.Arbitrary<I> | null;
  /** Attempts to reproduce a failed case; default: 3. */
  readonly repeats?: number;
}

/**
 * Cases without a complete response that break a requirement. A `must` is only broken if the target closed the connection
 * each time, and answered another case later: a response may be late for other reasons.
 */
interface Unanswered {
  /** The scenarios that they belong to. */
  readonly in: readonly Scenario[];
  /** The category of the cases; default: any. */
  readonly category?: string;
}

/** Rejections other than by a response that is judged: by closing the connection, or of the client. A pass counts these. */
interface Rejections {
  /** The category of the cases that the target must reject; closing the connection without a response rejects one. */
  readonly category: string;
  /** The scenario all of whose cases must be judged for a pass. */
  readonly required: Scenario;
  /** Valid requests at the end of the run: a response that they get, too, says nothing about a credential. */
  readonly valid: Scenario;
}

/**
 * Finds two exchanges that must differ and don't; undefined: there are none.
 * @param summarised ids of exchanges that were not kept
 */
type Compare<O> = (observations: readonly O[], summarised?: readonly SummarisedId[]) => Clash<O> | undefined;

/** Two exchanges that must differ and don't; an exchange that was not kept is given by its number, the second only if both are. */
export interface Clash<O> {
  readonly first: O | number;
  readonly second: O | number;
  readonly violation: Violation;
  /** How many exchanges clash with an earlier one; default: 1. */
  readonly broken?: number;
}

export const requirement = <I, O extends Observation<I> = Observation<I>>(
  definition: Requirement<I, O>,
): Requirement<I, O> => definition;

/** Why a requirement can't be tested with some settings; undefined: it can. */
export function whyUntestable(
  { needs = [], untestable }: Pick<Requirement, 'needs' | 'untestable'>,
  settings: TargetSettings,
): string | undefined {
  const answers: Profile['answers'] = settings.profile?.answers ?? {};
  const lacking = needs.filter((question) => answers[question] === undefined);
  if (lacking.length === 0) return untestable?.(settings);
  const lines = lacking.map((question) => `"${question}": ${JSON.stringify(EXAMPLES[question])}`);
  return `not declared; a profile tests it with "answers": { ${lines.join(', ')} }`;
}

const EXAMPLES: Profile['answers'] = {
  'token.presentation': 'bearer',
  'token.scopes.allow': { 'customers:write': ['POST /v1/customers'], 'customers:read': [] },
  'token.expires_in.unit': 'seconds',
};

/** Whether a requirement judges an observation. */
export const appliesTo = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean =>
  observation.judgedBefore
    ? observation.judgedBefore.judged.includes(requirement.id)
    : (observation.exchange.reply.part === undefined || requirement.judgesPart?.(observation) === true) &&
      (requirement.only?.(observation) ?? true) &&
      (requirement.restsOn ?? []).every((other) => !isBrokenBy(other, observation, settings));

export const failsCheck = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean =>
  observation.judgedBefore
    ? observation.judgedBefore.breaks.includes(requirement.id)
    : requirement.check?.(observation, settings) !== undefined;

/** Whether a requirement judges an observation, which breaks it. */
export const isBrokenBy = (
  requirement: Requirement,
  observation: Observation,
  settings: TargetSettings,
): boolean => appliesTo(requirement, observation, settings) && failsCheck(requirement, observation, settings);

/** What a run knows that its requirements judge by. */
type Judging = Pick<Run, 'settings' | 'isClientRejection'>;

/**
 * An observation as a requirement judges it: marked if it is about the client, which may have become known afterwards.
 * Where rejections are required, what was known at its time counts.
 */
export const judgedAs = (run: Judging, { rejections }: Requirement, observation: Observation): Observation =>
  rejections === undefined && run.isClientRejection(observation)
    ? { ...observation, rejectsClient: true }
    : observation;

/** The requirements that judge an observation, and those that it breaks. */
export function judgedBy(
  run: Judging,
  requirements: readonly Requirement[],
  observation: Observation,
): JudgedBy {
  const judged = requirements
    .filter(({ over }) => over.some(({ name }) => name === observation.case.scenario))
    .map((requirement) => [requirement, judgedAs(run, requirement, observation)] as const)
    .filter(([requirement, one]) => appliesTo(requirement, one, run.settings));
  return {
    judged: judged.map(([{ id }]) => id),
    breaks: judged.flatMap(([requirement, one]) =>
      failsCheck(requirement, one, run.settings) ? requirement.id : [],
    ),
  };
}

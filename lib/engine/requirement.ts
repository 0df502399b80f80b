import type fc from 'fast-check';
import type { Cause } from '../causes/cause.ts';
import type { Json } from '../schemas/json.ts';
import type { Profile } from '../schemas/profile.ts';
import type { Level, ReportedSentence } from '../schemas/report.ts';
import type { TargetSettings } from '../settings/run-settings.ts';
import type { Exchange } from '../target/exchange.ts';
import type { JudgedBy, Observation, SummarisedId } from './observation.ts';
import type { Observed, Run, Scenario } from './scenario.ts';
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

/** Defines a requirement. */
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

/** The requirements that judge an observation, and those that it breaks. */
export function judgedBy(
  requirements: readonly Requirement[],
  observation: Observation,
  settings: TargetSettings,
): JudgedBy {
  const judged = requirements.filter(
    (requirement) =>
      requirement.over.some(({ name }) => name === observation.case.scenario) &&
      appliesTo(requirement, observation, settings),
  );
  return {
    judged: judged.map(({ id }) => id),
    breaks: judged.filter((one) => failsCheck(one, observation, settings)).map(({ id }) => id),
  };
}

/** A point that the interface leaves open, as a question to the target. It is never failed. */
export interface Question {
  /** Stable and dotted: profiles refer to it. */
  readonly id: string;
  /** Section of the interface document that leaves the point open. */
  readonly section: string;
  readonly question: string;
  /** The form of an answer. */
  readonly answer: string;
  /** Which answers a profile may declare; default: any. */
  readonly declarable?: Declarable;
  /** How it is answered: from exchanges of every run, by its own requests, or by the operator alone. */
  readonly asked: 'observed' | 'probed' | 'operator';
  /** Scenarios whose observations answer it. */
  readonly over?: readonly Scenario[];
  /** Absent if only the operator can answer. @throws {Inconclusive} if no observation shows it */
  readonly ask?: (run: Run, observed: Observed) => Answered | Promise<Answered>;
}

/** The answers to a question that mean something in a profile. */
export interface Declarable {
  /** In words. */
  readonly expected: string;
  readonly allows: (declared: Json) => boolean;
}

/** An answer, with the exchanges that show it. */
export interface Answered {
  /** Undefined: the exchanges of this target can't show it. */
  readonly answer: Json | undefined;
  readonly exchanges: readonly Exchange[];
}

/** The name of the test that asks all questions. */
export const OPEN_QUESTIONS = 'open questions';

/** A test file of the suites, and the requirements that it tests. */
export interface Chapter {
  /** The name of its file, without `.test.ts`. */
  readonly name: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** All requirements and questions, and the sentences of the interface that they belong to. */
export interface Catalogue {
  readonly chapters: readonly Chapter[];
  readonly requirements: readonly Requirement[];
  readonly questions: readonly Question[];
  readonly sentences: readonly ReportedSentence[];
}

/** The items of a list of ids, such as `customer.*, http.date`. */
export const globsIn = (list: string): string[] => list.split(',').map((glob) => glob.trim());

/** The name of the test of a requirement, or of a question. */
export const testNameOf = (id: string, text: string): string => `${id}: ${text}`;

/** Whether such a list selects an id; `*` matches any part of it. */
export function matcherOf(list: string): (id: string) => boolean {
  const patterns = globsIn(list).map((glob) =>
    glob.replace(/[^\w*]/g, String.raw`\$&`).replaceAll('*', String.raw`[\w.-]*`),
  );
  const pattern = new RegExp(`^(?:${patterns.join('|')})$`);
  return (id) => pattern.test(id);
}

/** What `--only` selects of some requirements or questions. */
export const selectedOf = <T extends { readonly id: string }>(
  { only = '*' }: Pick<TargetSettings, 'only'>,
  all: readonly T[],
): T[] => {
  const isSelected = matcherOf(only);
  return all.filter(({ id }) => isSelected(id));
};

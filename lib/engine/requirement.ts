import type fc from 'fast-check';
import type { Json } from '../schemas/json.ts';
import type { Level } from '../schemas/report.ts';
import type { TargetSettings } from '../settings/settings.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Observation } from './observation.ts';
import type { Run } from './run.ts';
import type { Found, Scenario } from './scenario.ts';
import type { Violation } from './finding.ts';

/** A requirement in words. */
export interface Statement {
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
  /** The sentence that it is read from, quoted from the interface or the RFC. A custom suite may leave it out, as all that follows. */
  readonly sentence?: string;
  readonly why?: string;
  /** Which requests are judged, and by what. */
  readonly tested?: string;
  /** An example of a service that breaks it. */
  readonly failure?: string;
}

/** One requirement, whole: its words, the scenarios that it judges, and its one assertion. */
// oxlint-disable-next-line typescript/no-explicit-any
export interface Requirement<I = any, O extends Observation<I> = any> extends Statement {
  /** The scenarios whose exchanges it judges. */
  readonly over: readonly Scenario<I, O>[];
  /** Which of their exchanges; all by default. */
  readonly only?: (observation: O) => boolean;
  /** What `only` selects, for a run that has none of it; such as `405`. */
  readonly subject?: string;
  /** Requirements without which this one means nothing: what breaks one of them is not judged here. */
  readonly restsOn?: readonly Requirement[];
  /** The assertion, on each exchange: undefined where the requirement holds. */
  readonly check?: (observation: O, settings: TargetSettings) => Violation | undefined;
  /** The assertion, on exchanges beside each other. */
  readonly compare?: Compare<O>;
  /** Whether `compare` needs nothing but ids: then every exchange of a long run is compared. */
  readonly needsOnlyIds?: boolean;
  /** What a reader should know beside the verdict. */
  readonly note?: (observations: readonly O[], settings: TargetSettings) => string | undefined;
  /** Whether an input that no reply comes to breaks it, as others were answered. */
  readonly silenceBreaks?: boolean;
  /** Scenarios of which no case may stay without a reply, or there is no verdict. */
  readonly mustBeAnswered?: readonly Scenario<I, O>[];
  /** How a broken case is shrunk; null: not at all; default: as its scenario does. */
  readonly shrinking?: fc.Arbitrary<I> | null;
  /** How often a broken case is sent again; default: 3. */
  readonly repeats?: number;
}

/** Finds two exchanges that must differ and don't; undefined where all is well. */
export type Compare<O> = (observations: Iterable<O>) => Clash<O> | undefined;

/** Two exchanges that must differ and don't. */
export interface Clash<O> {
  readonly first: O;
  readonly second: O;
  readonly violation: Violation;
  /** How many exchanges clash with an earlier one, where that was counted. */
  readonly broken?: number;
}

/** Defines a requirement. Its suite's tests judge it, and every report, list and proof reads it. */
export const requirement = <I, O extends Observation<I> = Observation<I>>(
  definition: Requirement<I, O>,
): Requirement<I, O> => definition;

/** A point that the interface leaves open, as a question to the target. It is never failed. */
export interface Question {
  /** Stable and dotted: profiles refer to it. */
  readonly id: string;
  /** Section of the interface document that leaves the point open. */
  readonly section: string;
  readonly question: string;
  /** What an answer looks like. */
  readonly answer: string;
  /** How it is answered: from exchanges that every run has, with requests of its own, or by the operator alone. */
  readonly asked: 'observed' | 'probed' | 'operator';
  /** Scenarios that it is answered from. */
  readonly over?: readonly Scenario[];
  /** Absent where only the operator can answer. @throws {Inconclusive} where nothing was observed that tells */
  readonly ask?: (run: Run, found: Found) => Answered | Promise<Answered>;
}

/** An answer, with the exchanges that it was read from. */
export interface Answered {
  /** Undefined: the exchanges do not tell, and can't be made to. */
  readonly answer: Json | undefined;
  readonly exchanges: readonly Exchange[];
}

export const question = (definition: Question): Question => definition;

/** A test file of the suites, and the requirements that it tests. */
export interface Chapter {
  /** The name of its file, without `.test.ts`. */
  readonly name: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

/** Everything that is checked and asked. */
export interface Catalogue {
  readonly chapters: readonly Chapter[];
  readonly requirements: readonly Requirement[];
  readonly questions: readonly Question[];
}

import type { Json } from '../schemas/json.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Observed, Run, Scenario } from './scenario.ts';

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

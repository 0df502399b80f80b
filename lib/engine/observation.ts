import type { Exchange, NoReply } from '../target/exchange.ts';
import type { Summary } from './sampling.ts';

/** One generated input of a scenario. */
export interface Case<I> {
  readonly scenario: string;
  /** Place within the scenario; -1 for a case that is sent again. */
  readonly index: number;
  /** Category of inputs that it stands for. */
  readonly category: string;
  readonly input: I;
}

/** What the target answered to one case. */
export interface Observation<I = unknown> {
  readonly case: Case<I>;
  /** The exchange to be judged. */
  readonly exchange: Exchange;
  /** The request that it differs from in exactly one thing, where there is one. */
  readonly control?: Exchange;
  /** Whether `control` was accepted, where that is not certain. */
  readonly controlAccepted?: boolean;
  readonly accepted: boolean;
  /** Present where recorded evidence holds too little of the exchange to judge it again. */
  readonly recorded?: JudgedBy;
}

/** Which requirements judged an observation, and which of them it broke, by id. */
export interface JudgedBy {
  readonly judged: readonly string[];
  readonly breaks: readonly string[];
}

/** All that a scenario found out. */
export interface Exploration<O> {
  readonly observations: readonly O[];
  /** Further observations of a long run, of which only a summary is kept. */
  readonly summaries: readonly Summary[];
  /** Cases without a complete response, or whose control was rejected. */
  readonly lost: readonly (NoReply | Inconclusive)[];
  /** Why it ended early; undefined when it did not. */
  readonly stopped: string | undefined;
}

/** A requirement can't be judged, because what it builds on was rejected or never came. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /** Whether it may go without a verdict: judging it takes more than this run has. */
  readonly isOptional: boolean;

  constructor(message: string, isOptional = false) {
    super(message);
    this.isOptional = isOptional;
  }
}

import type { Exchange, NoReply } from '../target/exchange.ts';
import type { Counted } from './counted.ts';

/** One generated input of an experiment. */
export interface Case<I> {
  readonly experiment: string;
  readonly index: number;
  /** Class of inputs that it stands for. */
  readonly category: string;
  readonly input: I;
}

/** What the target answered to one case. */
export interface Observation<I = unknown> {
  readonly case: Case<I>;
  /** The exchange to be judged. */
  readonly exchange: Exchange;
  /** The accepted exchange that it differs from in one thing, where there is one. */
  readonly control?: Exchange;
  readonly accepted: boolean;
  /** Present where not all of its exchange is kept: the requirements that it breaks. */
  readonly thin?: { readonly breaks: readonly string[] };
}

/** All that an experiment found out. */
export interface Exploration<O> {
  readonly observations: readonly O[];
  /** More of a long run, of which no more is kept than what it takes to count them. */
  readonly counted: readonly Counted[];
  /** Cases that no complete response came to, or whose control was not accepted. */
  readonly lost: readonly (NoReply | Inconclusive)[];
  /** Why it ended early; undefined when it did not. */
  readonly stopped: string | undefined;
}

/** A requirement can't be judged, because what it builds on was refused or never came. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /** Whether that is no fault of the target or of its profile: judging it takes more than this run has. */
  readonly isOptional: boolean;

  constructor(message: string, isOptional = false) {
    super(message);
    this.isOptional = isOptional;
  }
}

import type fc from 'fast-check';
import type { Reply } from '../target/reply.ts';
import type { Violation } from './violation.ts';

/** A request to an endpoint of the vendor's. */
export interface OwnRequest {
  readonly method: string;
  /** Path and query below the base URL, sent as it stands. */
  readonly path: string;
  /** The body; absent: there is none. */
  readonly json?: unknown;
  /** Fields beside Content-Type, Accept and User-Agent. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** Value of the `Authorization` field in place of the key's; null: no such field. */
  readonly authorization?: string | null;
}

/** One request and what came of it. */
export interface OwnObservation<I> {
  readonly input: I;
  readonly request: OwnRequest;
  readonly reply: Reply;
  readonly accepted: boolean;
}

/** What is sent, how often, and what tells that it was accepted. */
export interface OwnDesign<I> {
  /** Draws the inputs; one that fails is made smaller by it. */
  readonly inputs: fc.Arbitrary<I>;
  /** How many are drawn; default: 20. */
  readonly cases?: number;
  /** @param mark is unlike that of every other request, for what must not come twice */
  readonly request: (input: I, mark: string) => OwnRequest;
  /** Default: a status from 200 to 299. */
  readonly accepted?: (reply: Reply) => boolean;
}

/** Requests that are sent once, however many requirements judge them. */
export interface OwnExperiment<I> {
  readonly name: string;
  readonly design: OwnDesign<I>;
}

/** How the exchanges of an experiment are judged. */
export interface OwnJudgement<I> {
  readonly over: OwnExperiment<I>;
  /** Which of its exchanges; default: those that were accepted. */
  readonly only?: (observation: OwnObservation<I>) => boolean;
  /** The one assertion: undefined where the requirement holds. */
  readonly check: (observation: OwnObservation<I>) => Violation | undefined;
}

/** What `cts-conformance run --suite` makes of a requirement. */
export type Define = <I>(id: string, statement: string, judgement: OwnJudgement<I>) => void;

let define: Define | undefined;

/** Makes the run known to the suites that are loaded next. */
export function provideOwn(current: Define): void {
  define = current;
}

/** Requests to an endpoint beyond the interface. Nothing is sent before a requirement judges them. */
export const experiment = <I>(name: string, design: OwnDesign<I>): OwnExperiment<I> => ({ name, design });

/**
 * A requirement of a vendor's own, beside those of the interface: it is tested by `cts-conformance run --suite`, and
 * stands in the report as the vendor's.
 * @param id dotted, unlike those of the interface, such as `acme.order.item`
 * @throws {Error} outside `cts-conformance run --suite`
 */
export function requirement<I>(id: string, statement: string, judgement: OwnJudgement<I>): void {
  if (define === undefined) throw new Error('a suite of your own is run by: cts-conformance run --suite DIR');
  define(id, statement, judgement);
}

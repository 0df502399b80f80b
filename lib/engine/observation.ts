import type { IfThrottled } from '../target/retries/retry-policy.ts';
import type { SummaryLine } from '../schemas/evidence.ts';
import { NoReply, Stopped } from '../target/exchange.ts';
import type { Exchange } from '../target/exchange.ts';
import { isSuccess, reportsError } from '../target/reply.ts';
import { isGatewayFailure, isRateLimited } from '../target/retries/throttling.ts';

/** In place of the position of a case that is sent once more. */
export const REPEATED = -1;

/** A generated input of a scenario. */
export interface Case<I> {
  readonly scenario: string;
  /** Position in the scenario, or `REPEATED`. */
  readonly index: number;
  /** Category of the input. */
  readonly category: string;
  readonly input: I;
}

/** The response of the target to one case. */
export interface Observation<I = unknown> {
  readonly case: Case<I>;
  readonly exchange: Exchange;
  /** An accepted exchange that it varies; of a counterexample, one whose request differs in exactly one thing. */
  readonly control?: Exchange;
  /** Whether `control` was accepted; absent: it was, or the case would not have been sent. */
  readonly controlAccepted?: boolean;
  /** Whether it was sent directly after its control on the same connection; absent: on any. */
  readonly sameConnection?: boolean;
  readonly accepted: boolean;
  /** Which of the two the service failed on, although it accepts the same request when it is repeated. */
  readonly intermittent?: 'exchange' | 'control';
  /** Present if the target rejected the client, which sent too many invalid credentials, and not this request. */
  readonly rejectsClient?: true;
  /** Present if the exchange is truncated in recorded evidence and cannot be judged again. */
  readonly judgedBefore?: JudgedBy;
}

/** A target may reject any input, as constraints are not shown: many requirements judge accepted requests only. */
export const isAccepted = ({ accepted }: { readonly accepted: boolean }): boolean => accepted;

export const acceptedInputs = <I>(observations: readonly Observation<I>[]): I[] =>
  observations.filter(isAccepted).map((observation) => observation.case.input);

// Categories that decide how a case is sent or judged. All others are labels for people.

/** Plain input: what no sensible service rejects. */
export const PLAIN = 'plain';
/** The same request as another case, to the byte, at the same instant. */
export const IDENTICAL = 'identical';

export const hasPlainInput = ({ case: { category } }: Observation): boolean => category === PLAIN;

/** Whether a response is a server error, and not the result. */
export const isServerError = ({ accepted, exchange: { reply } }: Observation): boolean =>
  !accepted && reply.status >= 500;

/** Whether a response is a success that carries neither the result nor an error. */
export const lacksResult = ({ accepted, exchange: { reply } }: Observation): boolean =>
  !accepted && isSuccess(reply) && !reportsError(reply.json);

/**
 * Whether a response shows that the service failed on a request with the right credential, perhaps only this time, rather
 * than that it rejected the input: a server error, a 401, or a 2xx without the result. What a gateway answers in place of
 * the service is final only after retries.
 */
export const hasServiceFailed = (observation: Observation): boolean =>
  (isServerError(observation) && !isGatewayFailure(observation.exchange.reply)) ||
  lacksResult(observation) ||
  (!observation.accepted && observation.exchange.reply.status === 401);

/**
 * Whether an outcome can be compared with that of the same JSON object in another encoding: a failure that does not
 * recur says nothing about the request, nor does a rate limit, or a rejection of the client, and a 413 only that the encoding
 * makes it long (RFC 9110, section 15.5.14).
 */
export const isComparable = ({ intermittent, rejectsClient, exchange: { reply } }: Observation): boolean =>
  intermittent === undefined && !rejectsClient && reply.status !== 413 && !isRateLimited(reply);

/** The requirements that judged an observation, and those that it broke, by id. */
export interface JudgedBy {
  readonly judged: readonly string[];
  readonly breaks: readonly string[];
}

/** Equal observations of a long run, of which only the numbers and ids are kept. Each was judged on arrival. */
export type Summary = Omit<SummaryLine, 'type'>;

/** How many observations some summaries stand for. */
export const countSummarised = (summaries: readonly Summary[]): number =>
  summaries.reduce((sum, { ids }) => sum + ids.length, 0);

/** The number of an exchange that was not kept, with the id in its response; null: no id. */
export type SummarisedId = Summary['ids'][number];

/** A case without a complete response, or whose control was rejected. */
export interface LostCase {
  readonly category: string;
  readonly error: NoReply | Inconclusive;
}

/** All observations of a scenario. */
export interface Exploration<O> {
  readonly observations: readonly O[];
  /** Further observations of a long run, of which only a summary is kept. */
  readonly summaries: readonly Summary[];
  readonly lost: readonly LostCase[];
  /** Why it ended early; undefined when it did not. */
  readonly stopped: string | undefined;
}

/** A kind of lost case that a verdict treats in another way than others. */
type LostKind = 'optional' | 'unanswered';

/** A requirement can't be judged, because its control was rejected, or a response is missing. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
  /**
   * `optional`: a run may conform without this verdict, as it takes more time than is left; `unanswered`: not sent, as the
   * target does not answer such requests.
   */
  readonly kind: LostKind | undefined;

  constructor(message: string, kind?: LostKind) {
    super(message);
    this.kind = kind;
  }
}

/** The result of a request; undefined if there is no response or no control. @throws any error that is a defect */
export const unlessWithoutReply = <T>(result: Promise<T>): Promise<T | undefined> =>
  result.catch((error: unknown) => {
    if (!isWithoutReply(error)) throw error;
    return undefined;
  });

/** Whether an error is a missing response or control, not a defect. */
export const isWithoutReply = (error: unknown): error is NoReply | Stopped | Inconclusive =>
  error instanceof NoReply || error instanceof Stopped || error instanceof Inconclusive;

/** The response to an invalid credential. */
export interface CredentialResponse extends Pick<Observation, 'exchange' | 'accepted' | 'rejectsClient'> {
  /** Where the response carries the result, if it does: a JSON pointer, or a header. */
  readonly place?: string;
}

/**
 * Sends a request with an invalid credential to a target that may limit how many a client sends: repeats it until the
 * response is about the credential, but less and less persistently.
 * @param rule the rule that the credential breaks, and the operation: the first request of each is the most persistent
 * @param placeOfResult where a response carries the result
 * @throws {Inconclusive} if the target has stopped checking invalid credentials
 */
export type SendInvalid = (
  rule: string,
  send: (ifThrottled: IfThrottled) => Promise<Exchange>,
  placeOfResult: (exchange: Exchange) => string | undefined | Promise<string | undefined>,
) => Promise<CredentialResponse>;

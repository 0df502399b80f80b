import type { Finding } from '../../schemas/report.ts';
import type { TargetSettings } from '../../settings/run-settings.ts';
import { NoReply, bodyText, wereAllClosed } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { isClientError, isSuccess } from '../../target/reply.ts';
import { isRateLimited } from '../../target/retries/throttling.ts';
import { oneLine, quantity } from '../../target/output/printable.ts';
import { Inconclusive, countSummarised, isAccepted } from '../observation.ts';
import { isSameResponse } from '../readiness/first-responses.ts';
import { clientLimitReason } from '../limits/client-limits.ts';
import type { Exploration, LostCase, Observation, Summary } from '../observation.ts';
import { isBrokenBy } from '../requirement.ts';
import type { Requirement } from '../requirement.ts';

export interface JudgedCases {
  readonly explorations: readonly Exploration<Observation>[];
  /** Responses to valid requests at the end; most rejections of credentials must differ from these. */
  readonly valid: readonly Observation[];
  readonly whole: readonly Observation[];
  readonly summaries: readonly Summary[];
}

/** The finding of a requirement, without a counterexample. */
export function findingOfCases(
  requirement: Requirement,
  { whole, explorations = [], valid = [], summaries = [] }: Pick<JudgedCases, 'whole'> & Partial<JudgedCases>,
  broken: number,
  settings: TargetSettings,
): Finding {
  const cases = whole.length + countSummarised(summaries);
  const base = {
    id: requirement.id,
    cases,
    accepted: whole.filter(isAccepted).length + countSummarised(summaries.filter(isAccepted)),
    broken,
    inFlight: Math.max(
      0,
      ...whole.map(({ exchange }) => exchange.inFlight),
      ...summaries.map(({ inFlight }) => inFlight),
    ),
  };
  if (broken > 0) return { ...base, verdict: brokenVerdict(requirement) };
  const reason =
    whyTooLittle(requirement, explorations, valid, cases) ?? whyUntelling(requirement, valid, whole);
  const outcome: OutcomeOfCases =
    reason !== undefined
      ? { verdict: 'inconclusive', reason }
      : cases > 0
        ? passOutcome(requirement, whole, explorations, settings)
        : outcomeWithoutCases(requirement, explorations, settings);
  return judgeSilence(requirement, { ...base, ...outcome }, explorations);
}

/** Why too little was judged for a verdict; undefined: it was enough. */
function whyTooLittle(
  requirement: Requirement,
  explorations: readonly Exploration<Observation>[],
  valid: readonly Observation[],
  cases: number,
): string | undefined {
  // A response that was cut off may carry what had to be rejected, unless its status rejects the request.
  const cutOff = rejectionsIn(requirement, explorations).find(
    ({ error }) =>
      error instanceof NoReply &&
      error.troubles.some(({ begun }) => begun !== undefined && !isClientError({ status: begun })),
  );
  if (cutOff) return cutOff.error.message;
  // A pass needs the responses to all cases.
  const stopped = whyStopped(explorations);
  if (cases > 0 && stopped !== undefined) return stopped;
  const { over, rejections } = requirement;
  if (rejections === undefined) return undefined;
  const required = explorations[over.indexOf(rejections.required)];
  // A replay explores nothing.
  if (required === undefined) return undefined;
  const answered = required.observations.filter(({ case: { category } }) => category === rejections.category);
  const clientRejection = answered.find(({ rejectsClient }) => rejectsClient)?.exchange;
  const alike = clientRejection && valid.find(isRejectedWith(clientRejection));
  if (alike && !isRateLimited(clientRejection.reply)) {
    const { number, reply } = alike.exchange;
    return `the target rejects requests with the right key just as those with wrong keys, such as exchange ${number} with status ${reply.status}; see the log of the service`;
  }
  const lost = rejectionsIn(requirement, [required]);
  const missing = lost.find(({ error }) => error instanceof Inconclusive);
  if (missing) return missing.error.message;
  const silent = lost.filter(wasLate);
  if (silent.length > answered.length) return silent[0]!.error.message;
  // A target that answers only the first invalid credentials may accept the others, too late; the last ones are then not sent.
  const unanswered = rejectionsIn(requirement, explorations).filter(
    (one) => wasLate(one) || (one.error instanceof Inconclusive && one.error.kind === 'unanswered'),
  );
  if (unanswered.length > cases) return unanswered[0]!.error.message;
  return clientRejection && clientLimitReason(clientRejection.reply);
}

const isRejectedWith =
  (response: Exchange) =>
  ({ accepted, exchange }: Observation): boolean =>
    !accepted && isSameResponse(exchange, response);

/**
 * Why most of the rejections that must be judged say nothing about a credential: valid requests get the same response, as
 * where the service has no room left.
 */
function whyUntelling(
  { rejections }: Requirement,
  valid: readonly Observation[],
  whole: readonly Observation[],
): string | undefined {
  const rejected = whole.filter(
    ({ accepted, case: { scenario } }) => !accepted && scenario === rejections?.required.name,
  );
  const failed = valid.filter(({ accepted, exchange: { reply } }) => !accepted && reply.status !== 401);
  const untelling = rejected.filter(({ exchange }) => failed.some(isRejectedWith(exchange)));
  if (untelling.length <= rejected.length / 2) return undefined;
  const { number, reply } = untelling[0]!.exchange;
  return `${untelling.length} of the first ${quantity(rejected.length, 'response')}, such as exchange ${number} with status ${reply.status}, are the same as to valid requests with the right key: they say nothing about a credential`;
}

/** A pass, with what it does not rest on. */
function passOutcome(
  requirement: Requirement,
  whole: readonly Observation[],
  explorations: readonly Exploration<Observation>[],
  settings: TargetSettings,
): OutcomeOfCases {
  const { note: noteOn, rejections } = requirement;
  const clientRejections = explorations
    .flatMap(({ observations }) => observations)
    .filter((one) => one.rejectsClient && one.case.category === rejections?.category).length;
  // Other requirements on credentials have cases in the same scenarios.
  const lost = rejections
    ? rejectionsIn(requirement, explorations)
    : explorations.flatMap((exploration) => exploration.lost);
  const unjudged = clientRejections + (rejections ? lost.filter((one) => !wasClosed(one)).length : 0);
  const notes = [
    noteOn?.(whole, settings) ?? [],
    clientRejections > 0
      ? `${clientRejections} more not judged, as the target rejected them because there were too many of them`
      : [],
    lost.length > 0 ? `${lost.length} more without a response, or without an accepted control` : [],
  ].flat();
  const sample = whole[0]?.exchange.number;
  return {
    verdict: 'pass',
    ...(unjudged > 0 && { unjudged }),
    ...(sample !== undefined && { sample }),
    ...(notes.length > 0 && { reason: notes.join('; ') }),
  };
}

/** The verdict where there is no response to judge. */
function outcomeWithoutCases(
  requirement: Requirement,
  explorations: readonly Exploration<Observation>[],
  settings: TargetSettings,
): OutcomeOfCases {
  const stopped = whyStopped(explorations);
  if (stopped !== undefined) return { verdict: 'untested', reason: stopped };
  const rejections = rejectionsIn(requirement, explorations);
  if (rejections.length > 0 && rejections.every(wasClosed))
    return {
      cases: rejections.length,
      verdict: 'pass',
      reason: 'the target rejected all by closing the connection without a response',
    };
  const lost = explorations.flatMap((exploration) => exploration.lost);
  // Closing the connection is a rejection, too, to which a recommendation about some responses does not apply.
  const { level, subject } = requirement;
  if (level === 'should' && subject !== undefined && lost.length > 0 && lost.every(wasClosed))
    return { verdict: 'untested', reason: `no ${subject} was observed: the target closed the connection` };
  const errors = lost.map(({ error }) => error);
  if (errors.length === 0)
    return { verdict: 'untested', ...whyUntested(requirement, explorations, settings) };
  const isOptional = errors.some((error) => error instanceof Inconclusive && error.kind === 'optional');
  return { verdict: 'inconclusive', reason: errors[0]!.message, ...(isOptional && { optional: true }) };
}

type OutcomeOfCases = Pick<Finding, 'verdict'> & Partial<Finding>;

const whyStopped = (explorations: readonly Exploration<Observation>[]): string | undefined =>
  explorations.find(({ stopped }) => stopped !== undefined)?.stopped;

/** The cases without a response that count as rejections. */
const rejectionsIn = (
  { rejections }: Requirement,
  explorations: readonly Exploration<Observation>[],
): LostCase[] =>
  explorations.flatMap(({ lost }) => lost).filter(({ category }) => category === rejections?.category);

function whyUntested(
  { restsOn = [], subject }: Requirement,
  explorations: readonly Exploration<Observation>[],
  settings: TargetSettings,
): Pick<Finding, 'blockedBy'> & { readonly reason: string } {
  const observations = explorations.flatMap((exploration) => exploration.observations);
  const accepted = observations.filter(isAccepted);
  const brokenBy = (one: Observation): readonly Requirement[] =>
    restsOn.filter((other) => isBrokenBy(other, one, settings));
  const blockedBy = accepted.every((one) => brokenBy(one).length > 0)
    ? [...new Set(accepted.flatMap(brokenBy))].map(({ id }) => id)
    : [];
  if (blockedBy.length > 0)
    return { blockedBy, reason: `not judged: every accepted request fails ${blockedBy.join(', ')}` };
  if (subject !== undefined && observations.length > 0) return { reason: `no ${subject} was observed` };
  if (accepted.length > 0) return { reason: 'no response was of the kind that it judges' };
  const empty = observations.find(({ exchange: { reply } }) => isSuccess(reply))?.exchange;
  if (empty === undefined) return { reason: 'the target accepted no request that could show it' };
  const { number, reply } = empty;
  return {
    reason: `no 2xx response carries a result, such as exchange ${number}${reply.isIncomplete ? `: ${reply.notJson}` : ''}`,
  };
}

/** Whether the target closed the connection at each try. */
const wasClosed = ({ error }: LostCase): boolean => error instanceof NoReply && wereAllClosed(error.troubles);

const wasLate = ({ error }: LostCase): boolean =>
  error instanceof NoReply && error.troubles.at(-1)?.kind === 'timeout';

const brokenVerdict = ({ level }: Requirement): 'warn' | 'fail' => (level === 'should' ? 'warn' : 'fail');

/** Judges inputs that got no response each time they were sent, while others were answered. */
function judgeSilence(
  requirement: Requirement,
  summary: Finding,
  explorations: readonly Exploration<Observation>[],
): Finding {
  const { unanswered, over } = requirement;
  if (unanswered === undefined) return summary;
  const silent = explorations
    .filter((_, at) => unanswered.in.includes(over[at]!))
    .flatMap(({ lost }) => lost)
    .filter(({ category }) => (unanswered.category ?? category) === category)
    .map(({ error }) => error)
    .filter((error) => error instanceof NoReply);
  const isCutShort = whyStopped(explorations) !== undefined;
  const lastAnswered = Math.max(
    ...explorations.flatMap(({ observations }) => observations.map(({ exchange }) => exchange.number)),
  );
  const broken =
    requirement.level === 'must'
      ? silent.filter(({ troubles, after }) => wereAllClosed(troubles) && after < lastAnswered)
      : silent.filter(({ troubles }) => troubles.at(-1)!.kind !== 'oversized');
  if (broken.length > 0 && summary.cases > 0 && !isCutShort) {
    const { request, troubles } = broken.reduce((one, other) =>
      bodyText(other.request).length < bodyText(one.request).length ? other : one,
    );
    const inputs = broken.length === 1 ? 'an input' : `${broken.length} inputs`;
    const example = `${request.method} ${request.path} ${oneLine(bodyText(request), 160)}`;
    const reason = `no usable response to ${inputs} in ${quantity(troubles.length, 'attempt')} each (${troubles.at(-1)!.detail}), though others got one; such as ${example}`;
    const cases = summary.cases + broken.length;
    return { ...summary, cases, verdict: brokenVerdict(requirement), broken: broken.length, reason };
  }
  return silent.length > 0 && summary.verdict === 'pass'
    ? { ...summary, verdict: 'inconclusive', reason: silent[0]!.message }
    : summary;
}

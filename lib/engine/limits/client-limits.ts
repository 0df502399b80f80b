import { Inconclusive, unlessWithoutReply } from '../observation.ts';
import type { CredentialResponse, SendInvalid } from '../observation.ts';
import { paths } from '../operations/request.ts';
import type { OperationName } from '../operations/request.ts';
import { detectClientRejections } from './client-rejections.ts';
import { hasRightKey } from '../scenario.ts';
import type { LimitWatch, Run, RunBase } from '../scenario.ts';
import { NoReply } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { isGatewayFailure, isRateLimited, retryAfter } from '../../target/retries/throttling.ts';
import { budgetToWait } from '../../target/retries/retry-policy.ts';
import type { IfThrottled } from '../../target/retries/retry-policy.ts';
import { isSuccess } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';

/** Milliseconds of the pauses before a request is repeated because the target rejects the client. */
const PAUSES: Readonly<Record<IfThrottled, readonly number[]>> = {
  final: [100, 200, 400],
  retry: [100, 200, 400, 800, 1600],
};

/** Maximum number of checks for a general limit: a limit per second may be over for a moment. */
const MAX_CHECKS = 3;
/** After this many invalid credentials in a row without a response about them, only the first of each rule is sent. */
const MAX_IN_A_ROW = 5;

const STOPS_ANSWERING = 'closes the connections of clients that send too many wrong keys';
const STOPS_RESPONDING = 'does not answer clients that send too many wrong keys';
const NO_ANSWER =
  'the target does not answer requests with wrong keys in time; see its log, or that of a firewall or a gateway in front of it';
const STOPS_CHECKING = 'stops checking wrong keys after too many of them';

/**
 * Why invalid credentials could not be judged, and what to do.
 * @param reply one of the rejections that are about the client
 */
export function clientLimitReason(reply: Reply | undefined, problem = STOPS_CHECKING): string {
  const budget = budgetToWait((reply && retryAfter(reply)) ?? 0);
  const longer = budget === undefined ? '' : `, or --time-budget to ${budget}, so that the run can wait`;
  const limit = `(--dry-run shows how many a run sends); raise that limit${longer}, or exempt this client`;
  return reply && isGatewayFailure(reply)
    ? `the target answers wrong keys with status ${reply.status}: if the service is down, run again once it is back; it may also limit wrong keys ${limit}`
    : `the target ${problem} ${limit}`;
}

/** Invalid credentials in flight once the target has limited them: of more, most would only be retried. */
const MAX_IN_FLIGHT = 3;

/** Makes the function that all requests of a run with invalid credentials are sent with, and tells what it has found. */
export function withinClientLimits(
  run: RunBase,
  { isLockout, waitUntilServedAgain }: LimitWatch,
): Pick<Run, 'sendInvalid' | 'isClientRejection'> {
  const clientRejections = detectClientRejections(run, isLockout);
  const waitForGeneralLimit = detectGeneralLimits(run);
  const begun = new Set<string>();
  /** Why each of the last invalid credentials in a row had no response about it. */
  let inARow: Inconclusive[] = [];
  /** Checks that found no general limit. */
  let checksWithoutLimit = 0;
  /** How many invalid credentials the target has checked. */
  let checkedKeys = 0;
  /** Whether the target has answered any invalid credential. */
  let isAnyAnswered = false;

  /** @throws {Inconclusive} if the request is not to be sent */
  const ifThrottledFor = (rule: string): IfThrottled => {
    if (begun.has(rule) && inARow.length >= MAX_IN_A_ROW) throw inARow.at(-1)!;
    const ifThrottled = begun.has(rule) ? 'final' : 'retry';
    begun.add(rule);
    return ifThrottled;
  };

  /** Long pauses, until these have too often been of no help, or half of the time is spent. */
  const pausesFor = (ifThrottled: IfThrottled): readonly number[] =>
    PAUSES[inARow.length < MAX_IN_A_ROW && isHalfLeft() ? 'retry' : ifThrottled];
  const isHalfLeft = (): boolean => run.target.left > (run.settings.timeBudget * 1000) / 2;
  /** Requests that later ones wait for; none until the target has limited them. */
  let last: Promise<unknown>[] = [];
  const sendFewer = (): void => {
    if (last.length === 0) last = Array.from({ length: MAX_IN_FLIGHT }, () => Promise.resolve());
  };
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const [before, ...others] = last;
    const own = before ? before.then(work) : work();
    if (before) last = [...others, own.catch(() => {})];
    return own;
  };

  const judge = async (
    exchange: Exchange,
    placeOfResult: Parameters<SendInvalid>[2],
  ): Promise<CredentialResponse> => {
    if (exchange.troubles.some(({ kind }) => kind === 'throttled')) sendFewer();
    isAnyAnswered = true;
    const place = await placeOfResult(exchange);
    if (place !== undefined) return { exchange, accepted: true, place };
    const rejectsClient = await clientRejections.check(exchange);
    if (rejectsClient) sendFewer();
    else checkedKeys++;
    return { exchange, accepted: false, ...(rejectsClient && { rejectsClient }) };
  };

  /** Repeats a request until its credential is checked, as long as waiting may help. */
  const sendUntilChecked = async (
    sendOnce: () => Promise<CredentialResponse>,
    ifThrottled: IfThrottled,
  ): Promise<CredentialResponse> => {
    let response = await sendOnce();
    if (response.rejectsClient && (await waitUntilServedAgain(response.exchange)))
      response = await sendOnce();
    if (isRateLimited(response.exchange.reply)) {
      // The client has retried it, but not after a long wait: that is worth it only if the limit is for all requests.
      for (let time = 0; time < MAX_CHECKS && checksWithoutLimit < MAX_CHECKS; time++) {
        const wasForAll = await waitForGeneralLimit();
        response = await sendOnce();
        if (!isRateLimited(response.exchange.reply)) break;
        if (!wasForAll) checksWithoutLimit++;
      }
      return response;
    }
    while (response.rejectsClient) {
      const before = checkedKeys;
      for (const pause of pausesFor(ifThrottled)) {
        await run.target.wait(pause);
        response = await sendOnce();
        if (!response.rejectsClient) break;
      }
      // Other requests may have used up what the target allows between two pauses.
      if (checkedKeys === before || !isHalfLeft()) break;
    }
    return response;
  };

  /** @returns what to throw */
  const afterNoReply = async (error: NoReply): Promise<NoReply | Inconclusive> => {
    if (error.troubles.at(-1)?.kind === 'timeout') {
      const reason = isAnyAnswered ? clientLimitReason(undefined, STOPS_RESPONDING) : NO_ANSWER;
      inARow.push(new Inconclusive(reason, 'unanswered'));
    }
    if (!(await clientRejections.isClosed(error))) return error;
    const closed = new Inconclusive(clientLimitReason(undefined, STOPS_ANSWERING));
    inARow.push(closed);
    return closed;
  };

  const sendLimited: SendInvalid = async (rule, send, placeOfResult) => {
    const ifThrottled = ifThrottledFor(rule);
    try {
      const response = await sendUntilChecked(
        async () => judge(await send(ifThrottled), placeOfResult),
        ifThrottled,
      );
      if (response.rejectsClient) inARow.push(new Inconclusive(clientLimitReason(response.exchange.reply)));
      else inARow = [];
      return response;
    } catch (error) {
      throw error instanceof NoReply ? await afterNoReply(error) : error;
    }
  };

  return {
    sendInvalid: (...args) => inTurn(() => sendLimited(...args)),
    isClientRejection: ({ accepted, exchange }) =>
      !accepted && !hasRightKey(run, exchange) && (isLockout(exchange) || clientRejections.isKnown(exchange)),
  };
}

/**
 * Detects that the target limits the rate of all requests, not of those with invalid credentials alone: then a request
 * with the right key is throttled too, and all wait until it is accepted.
 * @returns a function that returns whether there was such a limit, which is over now
 */
function detectGeneralLimits(run: RunBase): () => Promise<boolean> {
  let current: Promise<boolean> | undefined;
  return () => (current ??= check().finally(() => (current = undefined)));

  async function check(): Promise<boolean> {
    const accepted = firstAcceptedExchange(run, 'customers');
    const again =
      accepted && (await unlessWithoutReply(run.target.send(accepted.request, { queue: accepted.queue })));
    return again?.troubles.some(({ kind }) => kind === 'throttled') ?? false;
  }
}

/** The first request to an operation with the right key that succeeded. */
export const firstAcceptedExchange = (run: RunBase, operation: OperationName): Exchange | undefined =>
  run.exchanges.find(
    (one) => hasRightKey(run, one) && one.request.path === paths[operation] && isSuccess(one.reply),
  );

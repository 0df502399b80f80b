import { Inconclusive, unlessWithoutReply } from '../observation.ts';
import type { CredentialResponse, SendInvalid } from '../observation.ts';
import { paths } from '../operations/request.ts';
import type { OperationName } from '../operations/request.ts';
import { isSameResponse } from '../readiness/first-responses.ts';
import { hasRightKey } from '../scenario.ts';
import type { LimitWatch, Run, RunBase } from '../scenario.ts';
import { NoReply, pathOf, wereAllClosed } from '../../target/exchange.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { isRateLimited, retryAfter } from '../../target/retries/throttling.ts';
import { budgetToWait } from '../../target/retries/retry-policy.ts';
import type { IfThrottled } from '../../target/retries/retry-policy.ts';
import { isSuccess } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';

/** Milliseconds of the pauses before a request is repeated because the target rejects the client. */
const PAUSES: Readonly<Record<IfThrottled, readonly number[]>> = {
  final: [100, 200, 400],
  retry: [100, 200, 400, 800, 1600],
};

/** Maximum number of checks of each kind of rejection, and for a general limit: a limit per second may be over for a moment. */
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
  return `the target ${problem} (--dry-run shows how many a run sends); raise that limit${longer}, or exempt this client`;
}

/** Invalid credentials in flight once the target has limited them: of more, most would only be retried. */
const MAX_IN_FLIGHT = 3;

/** Makes the function that all requests of a run with invalid credentials are sent with, and tells what it has found. */
export function withinClientLimits(
  run: RunBase,
  { isLockout, waitUntilServedAgain }: LimitWatch,
): Pick<Run, 'sendInvalid' | 'isClientRejection'> {
  const rejectsClientWith = detectClientRejections(run, isLockout);
  /** Rejections that are about the client, not about the invalid credential that it sent; one of each kind. */
  const clientRejections: Exchange[] = [];
  const isKnown = (exchange: Exchange): boolean =>
    clientRejections.some((one) => isSameResponse(one, exchange));
  const waitForGeneralLimit = detectGeneralLimits(run);
  const begun = new Set<string>();
  /** Why each of the last invalid credentials in a row had no response about it. */
  let inARow: Inconclusive[] = [];
  /** Checks that found no general limit. */
  let checksWithoutLimit = 0;
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
  /** How many invalid credentials the target has checked. */
  let checkedKeys = 0;

  /** Checks that found that the target does not close all connections. */
  let checksWithoutClosing = 0;
  /**
   * Whether the target now closes the connection for a request that it answered before: then it rejects the client. If it
   * closes it for this credential alone, it rejects the credential.
   */
  const isClosedToClient = async ({ request, troubles }: NoReply): Promise<boolean> => {
    if (!wereAllClosed(troubles) || checksWithoutClosing >= MAX_CHECKS) return false;
    const all = rejectionsLike(run, request);
    // The target may still answer requests without a credential.
    const isAlike = (one: Exchange): boolean =>
      (one.request.credential === undefined) === (request.credential === undefined);
    const first = all.find(isAlike) ?? all[0];
    if (first === undefined) return false;
    try {
      await run.target.send(first.request, {
        queue: first.queue,
        ifThrottled: 'final',
        mayBeRejected: true,
      });
    } catch (error) {
      if (error instanceof NoReply) return wereAllClosed(error.troubles);
      throw error;
    }
    checksWithoutClosing++;
    return false;
  };

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

  const sendLimited: SendInvalid = async (rule, send, placeOfResult) => {
    const ifThrottled = ifThrottledFor(rule);
    const sendOnce = async (): Promise<CredentialResponse> => {
      const exchange = await send(ifThrottled);
      const isThrottled = exchange.troubles.some(({ kind }) => kind === 'throttled');
      if (isThrottled) sendFewer();
      isAnyAnswered = true;
      const place = await placeOfResult(exchange);
      if (place !== undefined) return { exchange, accepted: true, place };
      const rejectsClient = await rejectsClientWith(exchange);
      if (rejectsClient) {
        if (clientRejections.length < MAX_KINDS && !isKnown(exchange)) clientRejections.push(exchange);
        sendFewer();
      } else checkedKeys++;
      return { exchange, accepted: false, ...(rejectsClient && { rejectsClient }) };
    };
    try {
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
      } else {
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
      }
      if (response.rejectsClient) inARow.push(new Inconclusive(clientLimitReason(response.exchange.reply)));
      else inARow = [];
      return response;
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      if (error.troubles.at(-1)?.kind === 'timeout')
        inARow.push(
          new Inconclusive(
            isAnyAnswered ? clientLimitReason(undefined, STOPS_RESPONDING) : NO_ANSWER,
            'unanswered',
          ),
        );
      if (!(await isClosedToClient(error))) throw error;
      const closed = new Inconclusive(clientLimitReason(undefined, STOPS_ANSWERING));
      inARow.push(closed);
      throw closed;
    }
  };

  return {
    sendInvalid: (...args) => inTurn(() => sendLimited(...args)),
    isClientRejection: ({ accepted, exchange }) =>
      !accepted && !hasRightKey(run, exchange) && (isLockout(exchange) || isKnown(exchange)),
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

/** A kind of rejection, and whether it is about the client rather than its credential. */
interface RejectionKind {
  readonly example: Exchange;
  checks: number;
  isClientRejection: Promise<boolean>;
}

/**
 * How often the first request must get such a rejection: of two instances that word their rejections differently, several
 * requests may reach the same one by chance.
 */
const MIN_ALIKE = 8;
/** Kinds that are checked, and kept, as a service may word each rejection differently. */
const MAX_KINDS = 5;

/**
 * Detects that a target has stopped checking credentials, as a client sent too many invalid ones: many services then
 * answer with 403, or with another 401 than before. When a rejection is unlike the first one of the run, that first
 * request is repeated: a service that checks the credential answers it as before.
 * @returns a function that returns whether a rejection of an invalid credential is one of the client
 */
function detectClientRejections(
  run: RunBase,
  isLockout: LimitWatch['isLockout'],
): (rejected: Exchange) => Promise<boolean> {
  const kinds: RejectionKind[] = [];

  const check = async (first: Exchange, rejected: Exchange): Promise<boolean> => {
    const isSameStatus = first.reply.status === rejected.reply.status;
    const isAlikeAgain = async (): Promise<boolean> => {
      const options = { queue: rejected.queue, ifThrottled: 'final', mayBeRejected: true } as const;
      const again = await run.target.send(first.request, options);
      return isSameStatus ? isSameResponse(again, rejected) : again.reply.status === rejected.reply.status;
    };
    if (!(await isAlikeAgain())) return false;
    // Instances of a service may reject the same credential differently. Requests that take turns with others, one at a
    // time, may always reach the same one.
    const areAlike = await Promise.all(Array.from({ length: MIN_ALIKE - 1 }, isAlikeAgain));
    return areAlike.every(Boolean);
  };

  return async (rejected) => {
    if (isRateLimited(rejected.reply) || isLockout(rejected)) return true;
    const [first] = rejectionsLike(run, rejected.request);
    if (first === undefined || isSameResponse(first, rejected)) return false;
    const known = kinds.find(({ example }) => isSameResponse(example, rejected));
    if (known) {
      const isClientRejection = await known.isClientRejection;
      const isSameStatus = first.reply.status === rejected.reply.status;
      if (isClientRejection || isSameStatus || known.checks >= MAX_CHECKS) return isClientRejection;
      known.checks++;
      return (known.isClientRejection = check(first, rejected));
    }
    if (kinds.length >= MAX_KINDS) return false;
    const kind: RejectionKind = { example: rejected, checks: 1, isClientRejection: check(first, rejected) };
    kinds.push(kind);
    // Without a response, the next one is checked again.
    kind.isClientRejection.catch(() => kinds.splice(kinds.indexOf(kind), 1));
    return kind.isClientRejection;
  };
}

/** The rejections of invalid credentials by the same operation. */
const rejectionsLike = (run: RunBase, request: Request): readonly Exchange[] =>
  run.exchanges.filter(
    (one) =>
      one.request.method === request.method &&
      one.request.path === pathOf(request) &&
      !hasRightKey(run, one) &&
      !isSuccess(one.reply) &&
      !isRateLimited(one.reply),
  );

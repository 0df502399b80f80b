import { isSameResponse } from '../readiness/first-responses.ts';
import { hasRightKey } from '../scenario.ts';
import type { LimitWatch, RunBase } from '../scenario.ts';
import { NoReply, pathOf, wereAllClosed } from '../../target/exchange.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { isGatewayFailure, isRateLimited } from '../../target/retries/throttling.ts';
import { isSuccess } from '../../target/reply.ts';

/** Maximum number of checks of each kind of rejection, and of closed connections. */
const MAX_CHECKS = 3;

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

/** How a request is repeated that the target has rejected before. */
const EXPECTING_REJECTION = { ifThrottled: 'final', mayBeRejected: true } as const;

/** Tells rejections of the client, who sent too many invalid credentials, from those of a credential. */
export interface ClientRejections {
  /** Whether the rejection of an invalid credential is about the client; checks those of a kind that is not known. */
  readonly check: (rejected: Exchange) => Promise<boolean>;
  /** Whether a response is like one that was found to be about the client. */
  readonly isKnown: (exchange: Exchange) => boolean;
  /** Whether the target now closes the connections of this client. */
  readonly isClosed: (error: NoReply) => Promise<boolean>;
}

/**
 * Detects that a target has stopped checking credentials, as a client sent too many invalid ones: many services then
 * answer with 403, or with another 401 than before. When a rejection is unlike the first one of the run, that first
 * request is repeated: a service that checks the credential answers it as before.
 */
export function detectClientRejections(run: RunBase, isLockout: LimitWatch['isLockout']): ClientRejections {
  const kinds: RejectionKind[] = [];
  /** Those that are about the client; one of each kind. */
  const found: Exchange[] = [];
  const isKnown = (exchange: Exchange): boolean => found.some((one) => isSameResponse(one, exchange));
  /** Checks that found that the target does not close all connections. */
  let checksWithoutClosing = 0;

  const isRepeatedForFirst = async (first: Exchange, rejected: Exchange): Promise<boolean> => {
    const isSameStatus = first.reply.status === rejected.reply.status;
    const isAlikeAgain = async (): Promise<boolean> => {
      const again = await run.target.send(first.request, { ...EXPECTING_REJECTION, queue: rejected.queue });
      return isSameStatus ? isSameResponse(again, rejected) : again.reply.status === rejected.reply.status;
    };
    if (!(await isAlikeAgain())) return false;
    // Instances of a service may reject the same credential differently. Requests that take turns with others, one at a
    // time, may always reach the same one.
    const areAlike = await Promise.all(Array.from({ length: MIN_ALIKE - 1 }, isAlikeAgain));
    return areAlike.every(Boolean);
  };

  const isOfClient = async (rejected: Exchange): Promise<boolean> => {
    if (isRateLimited(rejected.reply) || isLockout(rejected)) return true;
    const [first] = rejectionsLike(run, rejected.request);
    if (first === undefined || isSameResponse(first, rejected)) return false;
    const known = kinds.find(({ example }) => isSameResponse(example, rejected));
    if (known) {
      const isClientRejection = await known.isClientRejection;
      const isSameStatus = first.reply.status === rejected.reply.status;
      if (isClientRejection || isSameStatus || known.checks >= MAX_CHECKS) return isClientRejection;
      known.checks++;
      return (known.isClientRejection = isRepeatedForFirst(first, rejected));
    }
    if (kinds.length >= MAX_KINDS) return false;
    const kind: RejectionKind = {
      example: rejected,
      checks: 1,
      isClientRejection: isRepeatedForFirst(first, rejected),
    };
    kinds.push(kind);
    // Without a response, the next one is checked again.
    kind.isClientRejection.catch(() => kinds.splice(kinds.indexOf(kind), 1));
    return kind.isClientRejection;
  };

  return {
    isKnown,
    async check(rejected) {
      const isFound = await isOfClient(rejected);
      if (isFound && found.length < MAX_KINDS && !isKnown(rejected)) found.push(rejected);
      return isFound;
    },
    // If it closes the connection for this credential alone, it rejects the credential.
    async isClosed({ request, troubles }) {
      if (!wereAllClosed(troubles) || checksWithoutClosing >= MAX_CHECKS) return false;
      const all = rejectionsLike(run, request);
      // The target may still answer requests without a credential.
      const isAlike = (one: Exchange): boolean =>
        (one.request.credential === undefined) === (request.credential === undefined);
      const first = all.find(isAlike) ?? all[0];
      if (first === undefined) return false;
      try {
        await run.target.send(first.request, { ...EXPECTING_REJECTION, queue: first.queue });
      } catch (error) {
        if (error instanceof NoReply) return wereAllClosed(error.troubles);
        throw error;
      }
      checksWithoutClosing++;
      return false;
    },
  };
}

/** The rejections of invalid credentials by the same operation; a gateway that has failed says nothing about these. */
const rejectionsLike = (run: RunBase, request: Request): readonly Exchange[] =>
  run.exchanges.filter(
    (one) =>
      one.request.method === request.method &&
      one.request.path === pathOf(request) &&
      !hasRightKey(run, one) &&
      !isSuccess(one.reply) &&
      !isRateLimited(one.reply) &&
      !isGatewayFailure(one.reply),
  );

import { isSameResponse } from '../../lib/engine/readiness/first-responses.ts';
import type { Run } from '../../lib/engine/scenario.ts';
import type { Exchange } from '../../lib/target/exchange.ts';
import { isRateLimited } from '../../lib/target/pace/retry-policy.ts';
import { isSuccess } from '../../lib/target/reply.ts';

/** A kind of rejection, and whether it is about the client rather than its credential. */
interface Kind {
  readonly example: Exchange;
  checks: number;
  isOfClient: Promise<boolean>;
}

/** Checks of each kind: a limit by the second may be over for a moment. */
const CHECKS = 3;
/** Kinds that are checked, as a service may word each rejection differently. */
const MAX_KINDS = 5;

/**
 * Detects that a target has stopped looking at credentials, as a client sent too many wrong ones: many services then
 * answer with 403, or with another 401 than before. When a rejection is unlike the first one of the run, that first
 * request is sent again: a service that looks at the credential answers it as before.
 * @returns a function that returns whether a rejection of an invalid credential is one of the client
 */
export function clientRejections(run: Run): (rejected: Exchange) => Promise<boolean> {
  const kinds: Kind[] = [];

  const check = async (first: Exchange, rejected: Exchange): Promise<boolean> => {
    const again = await run.target.send(first.request, {
      queue: rejected.queue,
      throttling: 'answer',
      mayBeRejected: true,
    });
    return !isSameResponse(again, first) && again.reply.status === rejected.reply.status;
  };

  return async (rejected) => {
    if (isRateLimited(rejected.reply)) return true;
    const first = firstRejection(run, rejected);
    if (first === undefined || isSameResponse(first, rejected)) return false;
    const known = kinds.find(({ example }) => isSameResponse(example, rejected));
    if (known) {
      const isOfClient = await known.isOfClient;
      if (isOfClient || known.checks >= CHECKS) return isOfClient;
      known.checks++;
      return (known.isOfClient = check(first, rejected));
    }
    if (kinds.length >= MAX_KINDS) return false;
    const kind: Kind = { example: rejected, checks: 1, isOfClient: check(first, rejected) };
    kinds.push(kind);
    return kind.isOfClient;
  };
}

/** The first rejection of an invalid credential by the same operation; undefined: this is the first. */
const firstRejection = (
  { exchanges, credential }: Run,
  { number, request }: Exchange,
): Exchange | undefined =>
  exchanges.find(
    (one) =>
      one.number < number &&
      one.request.method === request.method &&
      one.request.path === request.path.replace(/\?.*/, '') &&
      one.request.credential?.value !== credential.value &&
      !isSuccess(one.reply) &&
      !isRateLimited(one.reply),
  );

import { plainCustomer, customerOf } from '../../inputs/customers.ts';
import { Stopped } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { responseText, isSameResponse } from './absence.ts';
import { customerRequestOf } from '../operations/customer.ts';
import { isWithoutReply } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { paths } from '../operations/request.ts';
import type { Run } from '../scenario.ts';

/** Statuses with which a service, or a gateway in front of it, rejects a client; a 429 is retried. */
const CLIENT_REJECTED = [401, 403, 423];

/** Most rejections that are looked into. */
const MAX_LOOKS = 5;

/**
 * Detects that the target has locked this client out, as many do for a while after some wrong keys or odd input: limits
 * are not shown (interface, section 8), so a lockout breaks no requirement, but further responses mean nothing. The target
 * then answers a plain request with the key as it does one without, and not as it answered the first request without a
 * key. A service that just stops accepting the key still answers requests without one as before, and fails.
 * @returns a function that stops the run, and returns why, if a rejection of the right key is of that kind
 */
export function lockoutWatch(run: Run): (observation: Observation) => Promise<Stopped | undefined> {
  let looks = 0;
  let looking: Promise<boolean> | undefined;
  const hasRightKey = ({ request }: Exchange): boolean => request.credential?.value === run.credential.value;

  const isLockout = async (rejected: Exchange): Promise<boolean> => {
    const before = run.exchanges.find(
      ({ request: { credential, path } }) => credential === undefined && path === paths.customers,
    );
    if (!before || isSameResponse(before, rejected) || looks++ >= MAX_LOOKS) return false;
    const input = run.generate(plainCustomer, 'lockout');
    for (const credential of [run.credential, undefined]) {
      const submitted = customerOf(input, `${run.runId}${run.unique()}`, run.settings.emailDomain);
      const request = customerRequestOf(submitted, input, credential);
      const now = await run.target.send(request, { queue: 'lockout', throttling: 'answer' });
      if (!isSameResponse(now, rejected)) return false;
    }
    return true;
  };

  return async ({ accepted, exchange }) => {
    if (accepted || !CLIENT_REJECTED.includes(exchange.reply.status) || !hasRightKey(exchange))
      return undefined;
    looking ??= isLockout(exchange)
      .catch((error: unknown) => {
        if (isWithoutReply(error)) return false;
        throw error;
      })
      .finally(() => (looking = undefined));
    if (!(await looking)) return undefined;
    const answer = responseText(exchange, run.target.redactor);
    const reason = `the target has locked this client out: it answers ${answer} with any key and without one; raise its limits for wrong keys and odd input, or exempt the address of this client`;
    run.target.stop(reason, 'away');
    return new Stopped(reason, 'away');
  };
}

import { plainCustomer, customerOf } from '../../inputs/customers.ts';
import { tokenInput } from '../../inputs/tokens.ts';
import type { TokenInput } from '../../inputs/tokens.ts';
import type { Credential } from '../../target/credential.ts';
import { Stopped } from '../../target/exchange.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { responseText, isSameResponse } from './absence.ts';
import { customerRequestOf } from '../operations/customer.ts';
import { tokenRequestOf } from '../operations/token.ts';
import { isSuccess } from '../../target/reply.ts';
import { isOfOtherEncoding, isOfPlainInput, isWithoutReply } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { paths } from '../operations/request.ts';
import type { Run } from '../scenario.ts';

/** Statuses with which a service, or a gateway in front of it, rejects a client; a 429 is retried. */
const CLIENT_REJECTED = [401, 403, 423];

/** Most rejections that are looked into. */
const MAX_LOOKS = 5;

/** Seconds after which a key that was rejected is still expected to be accepted again. */
const LONGEST_SUSPENSION = 10;

/** What is known of an operation. */
interface Operation {
  readonly result: string;
  /** Makes a plain request. */
  request: (credential: Credential | undefined) => Request;
  /** Number of the last exchange that was accepted; 0: none was, and a rejection shows no limit. */
  last: number;
}

/**
 * Detects that the target has reached a limit, after which further responses mean nothing: limits are not shown
 * (interface, section 8), so no limit breaks a requirement.
 * - A lockout: many services turn a client away for a while after some wrong keys or odd input. The target then answers
 *   a plain request with the key as it does one without, and not as it answered the first request without a key; or it
 *   accepts the key again after a few seconds. A service that just stops accepting the key fails.
 * - A quota: an operation accepts nothing more, and says so in a response that it gave to no request before the last
 *   that it accepted.
 * @returns a function that stops the run, and returns why, if a rejection of the right key is of that kind
 */
export function limitWatch(run: Run): (observation: Observation) => Promise<Stopped | undefined> {
  let looks = 0;
  let looking: { readonly rejected: Exchange; readonly ended: Promise<void> } | undefined;
  let reached: { readonly rejected: Exchange; readonly stopped: Stopped } | undefined;
  let hasWaited = false;
  const operations: Readonly<Record<string, Operation>> = {
    [paths.customers]: {
      result: 'customers',
      request: (credential) => {
        const input = run.generate(plainCustomer, 'limit');
        const submitted = customerOf(input, `${run.runId}${run.unique()}`, run.settings.emailDomain);
        return customerRequestOf(submitted, input, credential);
      },
      last: 0,
    },
    [paths.tokens]: {
      result: 'tokens',
      request: (credential) => {
        const { tokenScopes, tokenExpiresIn } = run.settings;
        return tokenRequestOf(tokenInput(tokenScopes, tokenExpiresIn), credential);
      },
      last: 0,
    },
  };
  const operationOf = ({ request: { method, path } }: Exchange): Operation | undefined =>
    method === 'POST' ? operations[path] : undefined;
  const hasRightKey = ({ request }: Exchange): boolean => request.credential?.value === run.credential.value;
  const firstWithoutKey = (operation: Operation): Exchange | undefined =>
    run.exchanges.find((one) => one.request.credential === undefined && operationOf(one) === operation);

  const noteAccepted = (observation: Observation): void => {
    const operation = operationOf(observation.exchange);
    if (operation === undefined) return;
    operation.last = Math.max(operation.last, observation.exchange.number);
    // Valid scopes and lifetimes are not shown: others may have been accepted than those that the settings name.
    const { input } = observation.case;
    if (operation === operations[paths.tokens] && isOfPlainInput(observation))
      operation.request = (credential) => tokenRequestOf(input as TokenInput, credential);
  };

  const mayShowLimit = (observation: Observation): boolean => {
    const { status } = observation.exchange.reply;
    const operation = operationOf(observation.exchange);
    if (status < 400 || (status >= 500 && status !== 507) || operation === undefined || operation.last === 0)
      return false;
    return CLIENT_REJECTED.includes(status) || countsAgainstTarget(observation);
  };

  /** Whether the target gave such a response to a request before the last one that it accepted. */
  const isUsual = (rejected: Exchange, operation: Operation): boolean => {
    // Requests in flight together are answered in any order.
    const before = operation.last - 2 * run.settings.concurrency;
    return run.exchanges.some((one) => one.number < before && isSameResponse(one, rejected));
  };

  /** Alone, as a target may confuse requests that are in flight together. */
  const send = (operation: Operation, credential: Credential | undefined): Promise<Exchange> =>
    run.target.send(operation.request(credential), { queue: 'limit', throttling: 'answer', isAlone: true });

  /** Whether the key is accepted again soon. */
  const isSuspension = async (rejected: Exchange, operation: Operation): Promise<boolean> => {
    if (hasWaited) return false;
    hasWaited = true;
    for (let second = 0; second < LONGEST_SUSPENSION; second++) {
      await run.target.wait(1000);
      if (!isSameResponse(await send(operation, run.credential), rejected)) return true;
    }
    return false;
  };

  /** The limit that the target has reached, in words; undefined: none. */
  const limitBehind = async (rejected: Exchange, operation: Operation): Promise<string | undefined> => {
    // Twice, as a service may reject the key now and then.
    for (let time = 0; time < 2; time++)
      if (!isSameResponse(await send(operation, run.credential), rejected)) return undefined;
    const answer = responseText(rejected, run.target.redactor);
    const advice = 'raise its limits for wrong keys and odd input, or exempt the address of this client';
    const withoutKey = firstWithoutKey(operation);
    if (withoutKey && isSameResponse(withoutKey, rejected))
      return (await isSuspension(rejected, operation))
        ? `the target rejected the key for a while, with ${answer}, and then accepted it again; ${advice}`
        : undefined;
    if (isSameResponse(await send(operation, undefined), rejected))
      return withoutKey && !isSuccess(withoutKey.reply)
        ? `the target has locked this client out: it answers ${answer} with any key and without one; ${advice}`
        : undefined;
    if (isUsual(rejected, operation)) return undefined;
    const { result } = operation;
    return `the target accepts no more ${result}: it answers ${answer} to plain requests; it may have a quota: raise it, or delete ${result}`;
  };

  /** Stops the run if the target has reached a limit. */
  const look = async (rejected: Exchange): Promise<void> => {
    try {
      const reason = await limitBehind(rejected, operationOf(rejected)!);
      if (reason === undefined) return;
      reached = { rejected, stopped: new Stopped(reason, 'limit') };
      run.target.stop(reason, 'limit');
      run.say(`${reason}. Results from before are below`);
    } catch (error) {
      if (!isWithoutReply(error)) throw error;
    }
  };

  return async (observation) => {
    const { accepted, exchange } = observation;
    if (!hasRightKey(exchange)) return undefined;
    if (accepted) {
      noteAccepted(observation);
      return undefined;
    }
    if (!reached && mayShowLimit(observation)) {
      // One look counts for all rejections of its kind that come meanwhile.
      if (looking && isSameResponse(looking.rejected, exchange)) await looking.ended;
      else if (looks++ < MAX_LOOKS) {
        looking = { rejected: exchange, ended: look(exchange) };
        await looking.ended;
        looking = undefined;
      }
    }
    return reached && isSameResponse(reached.rejected, exchange) ? reached.stopped : undefined;
  };
}

/** Whether a rejection may count against the target: its request is plain, or equals an accepted one in all that matters. */
const countsAgainstTarget = (observation: Observation): boolean =>
  observation.controlAccepted === true || isOfPlainInput(observation) || isOfOtherEncoding(observation);

import { usualStyle } from '../../inputs/json-styles.ts';
import { tokenInput } from '../../inputs/tokens.ts';
import type { TokenInput } from '../../inputs/tokens.ts';
import { Stopped, pathOf } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { LONGEST_OUTAGE } from '../../target/retries/outage.ts';
import { responseText } from '../../target/output/response-text.ts';
import { isSameResponse, isStatusOfMissingPath, namesQuota } from '../readiness/first-responses.ts';
import { plainBody } from '../operations/probe.ts';
import { tokenRequestOf } from '../operations/token.ts';
import { isPage, reportsError } from '../../target/reply.ts';
import { hasPlainInput, isWithoutReply } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { paths, post } from '../operations/request.ts';
import { hasRightKey } from '../scenario.ts';
import type { LimitWatch, RunBase } from '../scenario.ts';
import { findLimit, findRateLimit, isRejected } from './limit-behind.ts';
import type { Limit, Operation, Operations } from './limit-behind.ts';

/** Statuses with which a service, or a gateway in front of it, rejects a client, not its input; a rate limit is retried. */
const CLIENT_REJECTION_STATUSES = [401, 402, 403, 423];

/** The maximum number of rejections that are investigated, of requests that should be accepted and of others each. */
const MAX_INVESTIGATIONS = 5;

/** Lockouts whose end is awaited. */
const MAX_LOCKOUTS = 3;

export function watchForLimits(run: RunBase): LimitWatch {
  const operations = operationsOf(run);
  const investigations = { plain: 0, other: 0 };
  /** A response during each lockout. */
  const lockouts: Exchange[] = [];
  /** Responses to any key of a path that is no longer served; the same limit may hold for the other path now and then. */
  const ofLimitedPaths: Exchange[] = [];
  /** Further lockouts that had ended before they were investigated. */
  let endedUnseen = 0;
  let current: { readonly rejected: Exchange; readonly result: Promise<'again' | undefined> } | undefined;

  /**
   * Finds out whether a rejection shows a limit. Waits for the end of a short one; for a lasting one, stops sending to
   * its operations.
   */
  const investigate = async (
    operation: Operation,
    rejected: Exchange,
    isPlain: boolean,
  ): Promise<'again' | undefined> => {
    try {
      // Twice, as a service may reject the key now and then.
      for (let time = 0; time < 2; time++)
        if (!(await isRejected(run, operation, run.credential, rejected))) {
          const limit = isPlain ? await findRateLimit(run, operation, rejected) : undefined;
          if (!limit) return againAfterLockout(rejected);
          stopFor(limit, operation, rejected);
          return undefined;
        }
      if (await waitUntilServedAgain(rejected)) return 'again';
      const limit = await findLimit(run, operations, operation, rejected, lockouts.length);
      if (limit === undefined) return undefined;
      if (limit.of === 'client') {
        lockouts.push(rejected);
        if (lockouts.length <= MAX_LOCKOUTS && (await isOver(run, operation, rejected))) return 'again';
      }
      if (limit.of === 'path') ofLimitedPaths.push(rejected);
      stopFor(limit, operation, rejected);
    } catch (error) {
      if (!isWithoutReply(error)) throw error;
    }
    return undefined;
  };

  /** Another lockout like a known one may have ended before it is investigated. */
  const againAfterLockout = (rejected: Exchange): 'again' | undefined =>
    isLockout(rejected) && endedUnseen++ < MAX_LOCKOUTS ? 'again' : undefined;

  /** Stops sending what is limited. */
  const stopFor = (limit: Limit, operation: Operation, rejected: Exchange): void => {
    const isForOneOperation = limit.of === 'operation' || limit.of === 'path';
    for (const one of isForOneOperation ? [operation] : Object.values(operations)) one.limit ??= limit;
    run.target.stop(limit.reason, 'limit', isForOneOperation ? pathOf(rejected.request) : undefined);
  };

  const isLockout = (exchange: Exchange): boolean =>
    [...lockouts, ...ofLimitedPaths].some((one) => isSameResponse(one, exchange));

  /** The limit that explains the rejection of a request with the right key. */
  const limitBehind = (exchange: Exchange): Limit | undefined => {
    const limit = operationOf(operations, exchange)?.limit;
    return limit?.shownBy.some((one) => isSameResponse(one, exchange)) ? limit : undefined;
  };

  /** Investigates a rejection, unless too many investigations have found no limit. */
  const investigateWithin = async (
    operation: Operation,
    observation: Observation,
  ): Promise<'again' | undefined> => {
    // A service may reject any other input with a status of a limit.
    const kind = shouldBeAccepted(observation) ? 'plain' : 'other';
    if (investigations[kind] >= MAX_INVESTIGATIONS) return undefined;
    investigations[kind]++;
    const { exchange } = observation;
    const own = { rejected: exchange, result: investigate(operation, exchange, kind === 'plain') };
    current = own;
    const result = await own.result;
    if (current === own) current = undefined;
    if (result === 'again') investigations[kind]--;
    return result;
  };

  const checkForLimit: LimitWatch['checkForLimit'] = async (observation) => {
    const { accepted, exchange } = observation;
    if (!hasRightKey(run, exchange)) return undefined;
    const operation = operationOf(operations, exchange);
    if (accepted) {
      if (operation) noteAccepted(operation, observation);
      return undefined;
    }
    if (operation && operation.lastAccepted === undefined && !operation.limit && namesQuota(exchange.reply)) {
      const response = responseText(exchange, run.target.redactor);
      const reason = `the target accepts no ${operation.result}: it answers ${response} to the first request; raise that limit, or delete ${operation.result} of earlier runs`;
      stopFor({ of: 'operation', reason, shownBy: [exchange] }, operation, exchange);
    }
    // One investigation decides for all rejections of its kind that arrive meanwhile.
    const result =
      current && isSameResponse(current.rejected, exchange)
        ? await current.result
        : operation?.lastAccepted !== undefined && !operation.limit && mayShowLimit(observation)
          ? await investigateWithin(operation, observation)
          : undefined;
    if (result === 'again') return result;
    const limit = limitBehind(exchange);
    return limit && new Stopped(limit.reason, 'limit');
  };

  const waitUntilServedAgain: LimitWatch['waitUntilServedAgain'] = async (exchange) => {
    const operation = operationOf(operations, exchange);
    if (operation?.lastAccepted === undefined || !isStatusOfMissingPath(exchange.reply)) return false;
    operation.outage ??= isOver(run, operation, exchange).finally(() => (operation.outage = undefined));
    return operation.outage;
  };

  return {
    async checkForLimit(observation) {
      const result = await checkForLimit(observation);
      if (result === 'again') run.target.noteRepeated(observation.exchange);
      return result;
    },
    isDueToLimit: ({ accepted, exchange }) =>
      !accepted &&
      // The name of the scheme may be in another case.
      exchange.request.credential?.value.replace(/^bearer/i, 'Bearer') === run.credential.value &&
      (limitBehind(exchange) !== undefined || isLockout(exchange)),
    isLockout,
    async waitUntilServedAgain(exchange) {
      const isServed =
        current && isSameResponse(current.rejected, exchange)
          ? (await current.result) === 'again'
          : await waitUntilServedAgain(exchange);
      if (isServed) run.target.noteRepeated(exchange);
      return isServed;
    },
  };
}

const operationsOf = (run: RunBase): Operations => ({
  [paths.customers]: {
    result: 'customers',
    request: (credential) => post(paths.customers, plainBody(run), usualStyle, credential),
  },
  [paths.tokens]: {
    result: 'tokens',
    request: (credential) => {
      const { tokenScopes, tokenExpiresIn } = run.settings;
      return tokenRequestOf(tokenInput(tokenScopes, tokenExpiresIn), credential);
    },
  },
});

const operationOf = (operations: Operations, { request }: Exchange): Operation | undefined =>
  request.method === 'POST' ? operations[pathOf(request)] : undefined;

function noteAccepted(operation: Operation, observation: Observation): void {
  const { exchange } = observation;
  operation.lastAccepted = Math.max(operation.lastAccepted ?? 0, exchange.number);
  if (hasPlainInput(observation))
    operation.lastPlainAccepted = Math.max(operation.lastPlainAccepted ?? 0, exchange.number);
  // Valid scopes and lifetimes are not shown: the target may have accepted others than those of the settings.
  const { input } = observation.case;
  if (exchange.request.path === paths.tokens && hasPlainInput(observation))
    operation.request = (credential) => tokenRequestOf(input as TokenInput, credential);
}

/**
 * Whether a rejection may show a limit: if the target should have accepted the request, a client error, a redirect, or an
 * empty response, as from a firewall that challenges browsers; for any request, a page in place of JSON, such as a login
 * or a captcha.
 */
function mayShowLimit(observation: Observation): boolean {
  const { reply } = observation.exchange;
  const { status } = reply;
  if (
    CLIENT_REJECTION_STATUSES.includes(status) ||
    isStatusOfMissingPath(reply) ||
    (status < 400 && isPage(reply))
  )
    return true;
  const isEmpty = reply.json === undefined && reply.text === '';
  const isRejection = status < 300 ? isEmpty || reportsError(reply.json) : status < 500 || status === 507;
  return isRejection && shouldBeAccepted(observation);
}

/** Whether a request is plain, or equals an accepted one in all that matters. */
const shouldBeAccepted = (observation: Observation): boolean =>
  observation.controlAccepted === true || hasPlainInput(observation);

/** Waits until an operation answers a plain request differently. @returns false if it still does not after ten seconds */
async function isOver(run: RunBase, operation: Operation, rejected: Exchange): Promise<boolean> {
  for (let waited = 0; waited <= LONGEST_OUTAGE; waited += 1000) {
    if (waited > 0) await run.target.wait(1000);
    if (!(await isRejected(run, operation, run.credential, rejected))) return true;
  }
  return false;
}

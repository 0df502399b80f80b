import { credentialFrom, WRONG_KEY } from '../../inputs/invalid-credentials.ts';
import { MIN_CASES } from '../../settings/depths.ts';
import { stringsIn } from '../../schemas/json.ts';
import type { DedicatedConnection } from '../../target/connections/connections.ts';
import type { Credential } from '../../target/credential.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { responseText } from '../../target/output/response-text.ts';
import { isPage, isSuccess } from '../../target/reply.ts';
import type { RunBase } from '../scenario.ts';
import { postText } from '../operations/request.ts';
import { EXPECTED_TOKENS, expectedCustomers } from '../readiness/budget.ts';
import { isSameResponse, namesQuota } from '../readiness/first-responses.ts';

/** An operation, and what the run has learnt about its limits. */
export interface Operation {
  readonly result: string;
  /** Makes a plain request. */
  request: (credential: Credential | undefined) => Request;
  /**
   * Number of the last exchange that was accepted. Undefined: none was, so that a rejection only shows a limit if it names
   * one.
   */
  lastAccepted?: number;
  /** The last accepted exchange with plain input: a quota may be for what such input shares, such as the domain of its addresses. */
  lastPlainAccepted?: number;
  /** The wait until its path no longer seems to be missing, which all its requests share. */
  outage?: Promise<boolean> | undefined;
  /** The limit that it has reached. */
  limit?: Limit;
}

export type Operations = Readonly<Record<string, Operation>>;

/** A limit that was reached. */
export interface Limit {
  /** In words, with what to do. */
  readonly reason: string;
  /** What is limited: one operation, its path with any key, this client, or its key, which may also have been revoked. */
  readonly of: 'operation' | 'path' | 'client' | 'key';
  /** The exchanges that show it. */
  readonly shownBy: readonly Exchange[];
}

/** A target may confuse requests that are in flight together. */
const ALONE = { queue: 'limit', ifThrottled: 'final', isAlone: true } as const;

/** Sends a plain request alone. */
const send = (run: RunBase, { request }: Operation, credential: Credential | undefined): Promise<Exchange> =>
  run.target.send(request(credential), ALONE);

/** Requests with the right key, sent at the same instant so that hardly any request with a wrong key comes between them. */
const SIMULTANEOUS_REQUESTS = 3;

/**
 * Whether one of some simultaneous requests is rejected and another accepted, as by a service that rejects the key once
 * after each wrong one. If all are accepted, a lockout may have ended.
 */
async function isRejectedOnce(
  run: RunBase,
  { request }: Operation,
  rejected: Exchange,
  count = SIMULTANEOUS_REQUESTS,
): Promise<boolean> {
  const requests = Array.from({ length: count }, () => request(run.credential));
  const results = await run.target.together(requests, 'limit');
  const answered = results.flatMap((one) => (one instanceof Error ? [] : one));
  return (
    answered.some(({ reply }) => isSuccess(reply)) && answered.some((one) => isSameResponse(one, rejected))
  );
}

/** Whether the right key is rejected on a connection that has carried a wrong one, although each request has its own. */
function connectionStaysRejected(run: RunBase, { request }: Operation): Promise<boolean> {
  const { connections } = run.target;
  const isKept = async (connection?: DedicatedConnection): Promise<boolean> => {
    const wrong = credentialFrom(WRONG_KEY, run.settings.apiKey);
    const accepts = async (credential: Credential | undefined): Promise<boolean> => {
      return isSuccess((await run.target.send(request(credential), { ...ALONE, connection })).reply);
    };
    return (await accepts(run.credential)) && !(await accepts(wrong)) && !(await accepts(run.credential));
  };
  // Of a few connections, one is dedicated at a time, perhaps to a request that waits for this result.
  return connections.areFew() ? isKept() : connections.withDedicated(isKept);
}

/** Whether a plain request is rejected with the same response. */
export const isRejected = async (
  run: RunBase,
  operation: Operation,
  credential: Credential | undefined,
  rejected: Exchange,
): Promise<boolean> => isSameResponse(await send(run, operation, credential), rejected);

/**
 * The limit that explains a rejection of plain requests; undefined: none does.
 * - A lockout: many services reject a client for a while after some wrong keys or odd input. The target then answers a
 *   plain request with the key as it does one without, and not as it answered the first request without a key.
 * - A key in doubt: both operations now reject it as they reject a wrong one. It may have been revoked, the service may
 *   have forgotten it, or this is a lockout, during which responses say nothing about wrong keys; its end is not awaited.
 *   No limit explains that one operation alone rejects the key, or that it is rejected on connections that have carried
 *   a wrong one, or once after each wrong one: these are failures.
 * - A quota: an operation accepts nothing more, with a response that it did not give before the last request that it
 *   accepted. A response that it gives to malformed requests, too, is a failure that something in the run has caused.
 * @param earlierLockouts how many have ended
 */
export async function findLimit(
  run: RunBase,
  operations: Operations,
  operation: Operation,
  rejected: Exchange,
  earlierLockouts: number,
): Promise<Limit | undefined> {
  const others = Object.values(operations).filter(
    (one) => one !== operation && one.lastAccepted !== undefined,
  );
  const response = responseText(rejected, run.target.redactor);
  const advice =
    'raise its limits for wrong keys and odd input, or exempt the address of this client; if it limits the rate, send fewer requests a second (--rate)';
  const limit = (of: Limit['of'], reason: string, shownBy = [rejected]): Limit => ({ of, reason, shownBy });
  if (isAsWithoutKey(run, rejected)) {
    const shownBy = [rejected];
    for (const other of others) shownBy.push(await send(run, other, run.credential));
    if (!shownBy.every((one) => isAsWithoutKey(run, one))) return undefined;
    if (await isRejectedOnce(run, operation, rejected)) return undefined;
    if (await connectionStaysRejected(run, operation)) return undefined;
    return limit(
      'key',
      `the key was accepted until exchange ${operation.lastAccepted}, and has been rejected since then with ${response}, as a wrong key is: the target may lock out clients that send wrong keys, or the key was revoked; ${advice}`,
      shownBy,
    );
  }
  if (await isRejected(run, operation, undefined, rejected)) {
    const withoutKey = firstWithoutKey(run, rejected);
    if (!withoutKey || isSuccess(withoutKey.reply)) return undefined;
    for (const other of others) {
      const exchange = await send(run, other, run.credential);
      if (isSuccess(exchange.reply) && !isSameResponse(exchange, rejected))
        return limit(
          'path',
          `the target has stopped serving POST ${rejected.request.path}: it answers ${response} with any key and without one, but still returns ${other.result}; ${namesQuota(rejected.reply) ? 'raise that quota, or wait until it is renewed' : `see the log of the service, or ${advice}`}`,
        );
    }
    if (namesQuota(rejected.reply))
      return limit(
        'client',
        `the target has a quota, which is used up: it answers ${response} with any key and without one; raise it, or wait until it is renewed`,
      );
    const { reply } = rejected;
    const times = earlierLockouts === 0 ? '' : ` ${earlierLockouts + 1} times`;
    return limit(
      'client',
      isPage(reply) || reply.fields['location'] !== undefined
        ? `the target answers ${response} to every request${times === '' ? '' : `, and has done so${times}`}: it may be down for maintenance, demand a login, or have locked this client out; run again once it is back, or ${advice}`
        : `the target has locked this client out${times}: it answers ${response} with any key and without one; ${advice}`,
    );
  }
  if (wasAnsweredSoBefore(run, operation, rejected) || (await malformedGetsSame(run, rejected)))
    return undefined;
  const { result } = operation;
  if (rejected.reply.status === 401)
    return limit(
      'operation',
      `the target accepts no more ${result}: it answers ${response} to plain requests, which it accepted until exchange ${operation.lastAccepted}: the key may have expired or been revoked; use another one, or see the log of the service`,
    );
  const quick = { ...run.settings, cases: MIN_CASES };
  const isEnoughForQuick = result === 'customers' && run.created.length >= expectedCustomers(quick);
  const shorter =
    run.settings.cases > MIN_CASES && isEnoughForQuick ? ', use --depth quick, which needs fewer' : '';
  const needed = result === 'customers' ? expectedCustomers(run.settings) : EXPECTED_TOKENS;
  const mayBeRateLimit = rejected.reply.status !== 409 && !namesQuota(rejected.reply);
  const slower = mayBeRateLimit ? '; if it limits the rate, send fewer requests a second (--rate)' : '';
  return limit(
    'operation',
    `the target accepts no more ${result}: it answers ${response} to plain requests; it may have a quota: raise it, as a run needs about ${needed}${shorter}, or delete ${result}${slower}`,
  );
}

/**
 * The limit of the rate that explains the rejection of a plain request which is accepted when it is repeated: requests sent
 * at the same instant get it again. It takes a 403 that is not JSON, and not the rejection of a request without a key,
 * as firewalls answer; anything else is how a service itself fails under load, which is a finding.
 */
export async function findRateLimit(
  run: RunBase,
  operation: Operation,
  rejected: Exchange,
): Promise<Limit | undefined> {
  const { request, reply } = rejected;
  if (reply.status !== 403 || reply.json !== undefined) return undefined;
  const isRejectedOtherwise = run.exchanges.some(
    (one) => isWithoutKey(one, request.path) && !isSuccess(one.reply) && !isSameResponse(one, rejected),
  );
  if (!isRejectedOtherwise && (await isRejected(run, operation, undefined, rejected))) return undefined;
  if (!(await isRejectedOnce(run, operation, rejected, run.settings.concurrency))) return undefined;
  return {
    of: 'client',
    reason: `the target answers ${responseText(rejected, run.target.redactor)} to some requests, and accepts the same ones when they are sent alone, as a gateway does that limits the rate: send fewer requests a second, such as --rate 10, or exempt the address of this client from the limit`,
    shownBy: [rejected],
  };
}

/** Whether malformed requests get the same response, and it says nothing more specific. */
async function malformedGetsSame(run: RunBase, rejected: Exchange): Promise<boolean> {
  const { request, reply } = rejected;
  const texts = reply.json === undefined ? [reply.text] : stringsIn(reply.json).map(({ text }) => text);
  const saysNothingElse = texts.every((text) => MALFORMED.test(text) || ANY_ERROR.test(text));
  if (![400, 422].includes(reply.status) || !saysNothingElse || !texts.some((text) => MALFORMED.test(text)))
    return false;
  for (const body of ['{', '{}'])
    if (isSameResponse(await run.target.send(postText(request.path, body, run.credential), ALONE), rejected))
      return true;
  return false;
}

/** What a service says of malformed requests, but not of a quota (RFC 9110, sections 15.5.1 and 15.5.21). */
const MALFORMED =
  /^(?:(?:http )?(?:400|422)[ :]*)?(?:bad request|unprocessable (?:entity|content)|(?:invalid|malformed) (?:request|input|body|json|data)|validation (?:failed|error))\.?$/i;
/** What a service may say of any request. */
const ANY_ERROR = /^(?:error|fail(?:ed)?|400|422)?$/i;

const isWithoutKey = ({ request }: Exchange, path: string): boolean =>
  request.credential === undefined && request.method === 'POST' && request.path === path;

/** The first request without a key to the same path. */
const firstWithoutKey = ({ exchanges }: RunBase, { request: { path } }: Exchange): Exchange | undefined =>
  exchanges.find((one) => isWithoutKey(one, path));

/** Whether a request got the same response as the first one without a key. */
function isAsWithoutKey(run: RunBase, exchange: Exchange): boolean {
  const withoutKey = firstWithoutKey(run, exchange);
  return withoutKey !== undefined && isSameResponse(withoutKey, exchange);
}

/**
 * Whether an operation gave the same response before it accepted its last request, or its last plain one if the response
 * names a quota.
 */
function wasAnsweredSoBefore({ exchanges }: RunBase, operation: Operation, rejected: Exchange): boolean {
  const { lastPlainAccepted } = operation;
  const lastAccepted =
    (namesQuota(rejected.reply) ? lastPlainAccepted : undefined) ?? operation.lastAccepted ?? 0;
  // Only the first exchanges are kept.
  const sentAt = exchanges.find(({ number }) => number === lastAccepted)?.startedAt ?? Infinity;
  return exchanges.some(
    (one) =>
      one.number < lastAccepted &&
      one.startedAt + one.duration <= sentAt &&
      one.request.path === rejected.request.path &&
      isSameResponse(one, rejected),
  );
}

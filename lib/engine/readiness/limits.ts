import { plainCustomer, customerOf } from '../../inputs/customers.ts';
import { credentialFrom } from '../../inputs/invalid-credentials.ts';
import { tokenInput } from '../../inputs/tokens.ts';
import type { TokenInput } from '../../inputs/tokens.ts';
import type { Credential } from '../../target/credential.ts';
import { Stopped, pathOf } from '../../target/exchange.ts';
import type { Exchange, Request } from '../../target/exchange.ts';
import { MIN_CASES } from '../../settings/depths.ts';
import { responseText } from '../../target/output/response-text.ts';
import { isPage, isSameResponse, isStatusOfMissingPath, namesQuota } from './first-responses.ts';
import { customerRequestOf } from '../operations/customer.ts';
import { tokenRequestOf } from '../operations/token.ts';
import { isSuccess, reportsError } from '../../target/reply.ts';
import { isOfOtherEncoding, isOfPlainInput, isWithoutReply } from '../observation.ts';
import type { Observation } from '../observation.ts';
import { paths } from '../operations/request.ts';
import type { Run } from '../scenario.ts';

/** Statuses with which a service, or a gateway in front of it, rejects a client, not its input; a rate limit is retried. */
const CLIENT_REJECTED = [401, 402, 403, 423];

/** Most rejections of requests that should be accepted, and of others, that are investigated. */
const MAX_INVESTIGATIONS = 5;

/** Seconds for which an operation may be away, as during a deployment, or the client be locked out. */
const LONGEST_ABSENCE = 10;
/** Lockouts whose end is awaited. */
const MAX_LOCKOUTS = 3;

/** What is known of an operation. */
interface Operation {
  readonly result: string;
  /** Makes a plain request. */
  request: (credential: Credential | undefined) => Request;
  /** Number of the last exchange that was accepted; undefined: none was, and a rejection shows no limit unless it says so. */
  lastAccepted?: number;
  /** The same of plain requests: a quota may be for what they have in common, such as the domain of their addresses. */
  lastPlainAccepted?: number;
  /** The wait for it to be there again, which all its requests share. */
  absence?: Promise<boolean> | undefined;
  /** The limit that it has reached. */
  limit?: Limit;
}

/** Detects that the target has reached a limit: limits are not shown (interface, section 8), so none breaks a requirement. */
export interface LimitWatch {
  /**
   * Notes an observation; if it shows a limit, sends nothing more that the limit is for, and returns why. `again`: send
   * it again, as the operation was away or the client locked out for a short time.
   */
  readonly checkForLimit: (observation: Observation) => Promise<Stopped | 'again' | undefined>;
  /** Whether the limit that was reached explains a rejection: an earlier one too, before the limit was known. */
  readonly isOfLimit: (observation: Observation) => boolean;
  /** Whether a response with any credential is that of a known lockout, and says nothing about the credential. */
  readonly isLockout: (exchange: Exchange) => boolean;
  /**
   * Whether a request with any credential, which an operation answered as if it was not there, is worth repeating: the
   * operation is there again, perhaps after some seconds, as during a deployment.
   */
  readonly waitUntilServedAgain: (exchange: Exchange) => Promise<boolean>;
}

export function watchForLimits(run: Run): LimitWatch {
  const operations = operationsOf(run);
  const investigations = { plain: 0, other: 0 };
  /** An answer of each lockout. */
  const lockouts: Exchange[] = [];
  /** When the last one ended (milliseconds since the start of the run). */
  let endedAt = 0;
  let current: { readonly rejected: Exchange; readonly result: Promise<'again' | undefined> } | undefined;

  /**
   * Finds out whether a rejection shows a limit. Waits for the end of a short one; for a lasting one, stops sending to
   * its operations.
   */
  const investigate = async (operation: Operation, rejected: Exchange): Promise<'again' | undefined> => {
    try {
      // Twice, as a service may reject the key now and then.
      for (let time = 0; time < 2; time++)
        if (!(await isRejected(run, operation, run.credential, rejected))) return undefined;
      if (await waitUntilServedAgain(rejected)) return 'again';
      const limit = await limitBehind(run, operations, operation, rejected);
      if (limit === undefined) return undefined;
      const { reason } = limit;
      if (limit.of === 'client') {
        lockouts.push(rejected);
        if (lockouts.length <= MAX_LOCKOUTS && (await isOver(run, operation, rejected))) {
          endedAt = run.target.now;
          return 'again';
        }
      }
      stopFor(limit, operation, rejected);
      run.remark(`${reason}. Results from before are below`);
    } catch (error) {
      if (!isWithoutReply(error)) throw error;
    }
    return undefined;
  };

  /** Sends nothing more that a limit is for. */
  const stopFor = (limit: Limit, operation: Operation, rejected: Exchange): void => {
    const isOfOne = limit.of === 'operation';
    for (const one of isOfOne ? [operation] : Object.values(operations)) one.limit ??= limit;
    run.target.stop(limit.reason, 'limit', isOfOne ? pathOf(rejected.request) : undefined);
  };

  const isLockout = (exchange: Exchange): boolean => lockouts.some((one) => isSameResponse(one, exchange));

  const limitOf = ({ accepted, exchange }: Observation): Limit | undefined => {
    const limit = operationOf(operations, exchange)?.limit;
    const isRejected = !accepted && exchange.request.credential?.value === run.credential.value;
    return isRejected && limit?.answers.some((answer) => isSameResponse(answer, exchange))
      ? limit
      : undefined;
  };

  const checkForLimit: LimitWatch['checkForLimit'] = async (observation) => {
    const { accepted, exchange } = observation;
    if (exchange.request.credential?.value !== run.credential.value) return undefined;
    const operation = operationOf(operations, exchange);
    if (accepted) {
      if (operation) noteAccepted(operation, observation);
      return undefined;
    }
    if (operation && operation.lastAccepted === undefined && !operation.limit && namesQuota(exchange.reply)) {
      const answer = responseText(exchange, run.target.redactor);
      const reason = `the target accepts no ${operation.result}: it answers ${answer} to the first request; raise that limit, or delete ${operation.result} of earlier runs`;
      stopFor({ of: 'operation', reason, answers: [exchange] }, operation, exchange);
    }
    if (exchange.startedAt < endedAt && isLockout(exchange)) return 'again';
    // One investigation counts for all rejections of its kind that come meanwhile.
    if (current && isSameResponse(current.rejected, exchange)) {
      if ((await current.result) === 'again') return 'again';
    } else if (operation?.lastAccepted !== undefined && !operation.limit && mayShowLimit(observation)) {
      // A service may reject any other input with a status of a limit.
      const kind = shouldBeAccepted(observation) ? 'plain' : 'other';
      if (investigations[kind] < MAX_INVESTIGATIONS) {
        investigations[kind]++;
        const own = { rejected: exchange, result: investigate(operation, exchange) };
        current = own;
        const result = await own.result;
        if (current === own) current = undefined;
        if (result === 'again') {
          // Only those in vain are limited.
          investigations[kind]--;
          return result;
        }
      }
    }
    const limit = limitOf(observation);
    return limit && new Stopped(limit.reason, 'limit');
  };

  const waitUntilServedAgain: LimitWatch['waitUntilServedAgain'] = async (exchange) => {
    const operation = operationOf(operations, exchange);
    if (operation?.lastAccepted === undefined || !isStatusOfMissingPath(exchange.reply)) return false;
    operation.absence ??= isOver(run, operation, exchange).finally(() => (operation.absence = undefined));
    return operation.absence;
  };

  return {
    checkForLimit,
    isOfLimit: (observation) => limitOf(observation) !== undefined,
    isLockout,
    waitUntilServedAgain,
  };
}

type Operations = Readonly<Record<string, Operation>>;

const operationsOf = (run: Run): Operations => ({
  [paths.customers]: {
    result: 'customers',
    request: (credential) => {
      const input = run.generate(plainCustomer, 'limit');
      const submitted = customerOf(input, `${run.runId}${run.unique()}`, run.settings.emailDomain);
      return customerRequestOf(submitted, input, credential);
    },
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
  if (isOfPlainInput(observation))
    operation.lastPlainAccepted = Math.max(operation.lastPlainAccepted ?? 0, exchange.number);
  // Valid scopes and lifetimes are not shown: others may have been accepted than those that the settings name.
  const { input } = observation.case;
  if (exchange.request.path === paths.tokens && isOfPlainInput(observation))
    operation.request = (credential) => tokenRequestOf(input as TokenInput, credential);
}

/**
 * Whether a rejection may show a limit: a client error or a redirect in answer to a request that the target should have
 * accepted, or a page in place of JSON, such as a login or a captcha.
 */
function mayShowLimit(observation: Observation): boolean {
  const { reply } = observation.exchange;
  const { status } = reply;
  if (CLIENT_REJECTED.includes(status) || isStatusOfMissingPath(reply) || (status < 400 && isPage(reply)))
    return true;
  const isRejection = status < 300 ? reportsError(reply.json) : status < 500 || status === 507;
  return isRejection && shouldBeAccepted(observation);
}

/** Whether a request is plain, or equals an accepted one in all that matters. */
const shouldBeAccepted = (observation: Observation): boolean =>
  observation.controlAccepted === true || isOfPlainInput(observation) || isOfOtherEncoding(observation);

/** A limit that was reached. */
interface Limit {
  /** In words, with what to do. */
  readonly reason: string;
  /** For what it is: one operation, this client, or its key, which may also have been revoked. */
  readonly of: 'operation' | 'client' | 'key';
  /** The responses by which the target showed it. */
  readonly answers: readonly Exchange[];
}

/** Sends a plain request alone, as a target may confuse requests that are in flight together. */
const send = (run: Run, { request }: Operation, credential: Credential | undefined): Promise<Exchange> =>
  run.target.send(request(credential), { queue: 'limit', throttling: 'answer', isAlone: true });

/** Whether a connection that has carried one wrong key carries no right one: each request has its own credential. */
const connectionStaysRejected = (run: Run, { request }: Operation): Promise<boolean> =>
  run.target.withDedicated(async (connection) => {
    const wrong = credentialFrom({ kind: 'other', text: 'sk_test_wrong' }, run.settings.apiKey);
    const isAccepted = async (credential: Credential | undefined): Promise<boolean> => {
      const sending = { queue: 'limit', throttling: 'answer', isAlone: true, connection } as const;
      return isSuccess((await run.target.send(request(credential), sending)).reply);
    };
    return (
      (await isAccepted(run.credential)) && !(await isAccepted(wrong)) && !(await isAccepted(run.credential))
    );
  });

/** Whether a plain request is rejected just so. */
const isRejected = async (
  run: Run,
  operation: Operation,
  credential: Credential | undefined,
  rejected: Exchange,
): Promise<boolean> => isSameResponse(await send(run, operation, credential), rejected);

/**
 * The limit that explains a rejection of plain requests; undefined: none does.
 * - A lockout: many services reject a client for a while after some wrong keys or odd input. The target then answers
 *   a plain request with the key as it does one without, and not as it answered the first request without a key.
 * - A key in doubt: both operations reject it now as if it was wrong. A client can't tell a lockout with the usual
 *   answer from a key that was revoked, or that the service forgot, and the answers to wrong keys meanwhile from those
 *   of a service that looks at them: its end is not awaited. One operation that rejects it alone breaks a rule, and so
 *   does one that rejects it on the connections that have carried a wrong one.
 * - A quota: an operation accepts nothing more, and says so in a response that it gave to no request before the last
 *   that it accepted.
 */
async function limitBehind(
  run: Run,
  operations: Operations,
  operation: Operation,
  rejected: Exchange,
): Promise<Limit | undefined> {
  const others = Object.values(operations).filter(
    (one) => one !== operation && one.lastAccepted !== undefined,
  );
  const answer = responseText(rejected, run.target.redactor);
  const advice =
    'raise its limits for wrong keys and odd input, or exempt the address of this client; if it limits the rate, lower --rate';
  const limit = (of: Limit['of'], reason: string, answers = [rejected]): Limit => ({ of, reason, answers });
  if (isAsWithoutKey(run, rejected)) {
    const answers = [rejected];
    for (const other of others) answers.push(await send(run, other, run.credential));
    if (!answers.every((one) => isAsWithoutKey(run, one))) return undefined;
    if (await connectionStaysRejected(run, operation)) return undefined;
    return limit(
      'key',
      `the key was accepted until exchange ${operation.lastAccepted}, and is rejected since, with ${answer}, as a wrong one is: the target may lock out clients that send wrong keys, or the key was revoked; ${advice}`,
      answers,
    );
  }
  if (await isRejected(run, operation, undefined, rejected)) {
    const withoutKey = firstWithoutKey(run, rejected);
    if (!withoutKey || isSuccess(withoutKey.reply)) return undefined;
    for (const other of others) {
      const exchange = await send(run, other, run.credential);
      if (isSuccess(exchange.reply) && !isSameResponse(exchange, rejected))
        return limit(
          'operation',
          `the target has stopped serving POST ${rejected.request.path}: it answers ${answer} with any key and without one, but still returns ${other.result}; see the log of the service, or ${advice}`,
        );
    }
    return limit(
      'client',
      `the target has locked this client out: it answers ${answer} with any key and without one; ${advice}`,
    );
  }
  if (wasAnsweredSoBefore(run, operation, rejected)) return undefined;
  const { result } = operation;
  const shorter = run.settings.cases > MIN_CASES ? ', use --depth quick, which needs fewer' : '';
  return limit(
    'operation',
    `the target accepts no more ${result}: it answers ${answer} to plain requests; it may have a quota: raise it${shorter}, or delete ${result}; if it limits the rate, lower --rate`,
  );
}

/** The first request without a key to the path of another. */
const firstWithoutKey = ({ exchanges }: Run, { request: { path } }: Exchange): Exchange | undefined =>
  exchanges.find(
    ({ request }) => request.credential === undefined && request.method === 'POST' && request.path === path,
  );

/** Whether a request was answered as the first one without a key was. */
function isAsWithoutKey(run: Run, exchange: Exchange): boolean {
  const withoutKey = firstWithoutKey(run, exchange);
  return withoutKey !== undefined && isSameResponse(withoutKey, exchange);
}

/** Waits until an operation answers a plain request otherwise. @returns whether that was soon */
async function isOver(run: Run, operation: Operation, rejected: Exchange): Promise<boolean> {
  for (let second = 0; second <= LONGEST_ABSENCE; second++) {
    if (second > 0) await run.target.wait(1000);
    if (!(await isRejected(run, operation, run.credential, rejected))) return true;
  }
  return false;
}

/**
 * Whether an operation had given such a response before the last request that it accepted was sent; the last plain one,
 * if the response names a quota.
 */
function wasAnsweredSoBefore({ exchanges }: Run, operation: Operation, rejected: Exchange): boolean {
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

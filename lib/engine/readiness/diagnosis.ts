import { idOf } from '../operations/customer.ts';
import { paths } from '../operations/request.ts';
import { NoReply, Stopped } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import { adviceFor, CLIENT_CERTIFICATE } from '../../target/trouble.ts';
import { oneLine, shown } from '../../target/output/printable.ts';
import { responseText } from '../../target/output/response-text.ts';
import { isGatewayFailure } from '../../target/retries/throttling.ts';
import { isClientError, isPage, isSuccess } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import { Inconclusive } from '../observation.ts';
import { adviceAfter } from './budget.ts';
import type { Run } from '../scenario.ts';
import {
  areBothMissing,
  isKeyInDoubt,
  isOperationMissing,
  isResponse,
  isSameResponse,
  keyRejectionOf,
  namesKey,
  namesQuota,
  rejectsAddress,
  rejectsKey,
  expectsOAuth,
} from './first-responses.ts';
import type { FirstResponse, FirstResponses } from './first-responses.ts';

/** The state of one prerequisite of a run, and what to do about it. */
export interface Diagnosis {
  readonly subject: string;
  /**
   * `warning`: a run reaches a verdict, but the user should know. `inconclusive`: it would probably have none. `stop`: it
   * sends nothing more.
   */
  readonly state: 'ok' | 'warning' | 'inconclusive' | 'stop';
  readonly text: string;
  /** What to do; absent if the state is `ok`, or the text says it. */
  readonly advice?: string | undefined;
}

/** Whether a run would have no verdict because of it. */
export const preventsVerdict = ({ state }: Diagnosis): boolean =>
  state === 'inconclusive' || state === 'stop';

export const ok = (subject: string, text: string): Diagnosis => ({ subject, state: 'ok', text });

const inState =
  (state: Diagnosis['state']) =>
  (subject: string, text: string, advice?: string): Diagnosis => ({ subject, state, text, advice });

export const warning = inState('warning');
export const inconclusive = inState('inconclusive');
export const stop = inState('stop');

/** The ids of the required requirements that a first response breaks. */
type BrokenBy = (first: FirstResponse) => readonly string[];

/**
 * Diagnoses by the first responses, to distinguish a target that is down, a wrong address or a wrong key from a service
 * that does not conform. A diagnosis that stops a run is the only one.
 */
export function diagnose(run: Run, first: FirstResponses, brokenBy: BrokenBy = () => []): Diagnosis[] {
  const found = diagnoseResponses(run, first, brokenBy);
  const { proxy, description } = run.settings.route;
  const isAnswered = isResponse(first.customer) || isResponse(first.token);
  if (proxy === undefined || !isAnswered) return found;
  return found.map((one) =>
    one.state === 'stop'
      ? {
          ...one,
          advice: `${one.advice}. Or the response is that of a proxy, as requests go ${description}: if the target can be reached without it, use --no-proxy`,
        }
      : one,
  );
}

function diagnoseResponses(run: Run, first: FirstResponses, brokenBy: BrokenBy): Diagnosis[] {
  const { settings, target } = run;
  const { baseUrl, route } = settings;
  const { redactor } = target;
  const { customer, token } = first;
  const textOf = (one: FirstResponse): string => responseText(one.exchange, redactor);
  if (customer instanceof Error && token instanceof Error) {
    const reason = reasonOf(customer, run);
    const viaRoute =
      route.description === undefined || reason.startsWith('the proxy') ? '' : `, ${route.description},`;
    return [
      stop('response', `${baseUrl}${viaRoute} gave no usable response: ${reason}`, adviceOn(customer, run)),
    ];
  }
  if (isResponse(customer) && isResponse(token) && areBothMissing(customer, token)) {
    if (customer.exchange.reply.isIncomplete)
      return [
        stop(
          'response',
          `${baseUrl} gave no usable response: ${together(customer, token, textOf)}`,
          SEND_ALL,
        ),
      ];
    // The wording of nginx.
    if (/(?:SSL|client) certificate/i.test(customer.exchange.reply.text))
      return [
        stop(
          'client cert',
          `the gateway demands a client certificate that it accepts: ${together(customer, token, textOf)}`,
          CLIENT_CERTIFICATE,
        ),
      ];
    if (isGatewayFailure(customer.exchange.reply) && isGatewayFailure(token.exchange.reply))
      return [
        stop(
          'response',
          `${baseUrl} is unavailable: ${together(customer, token, textOf)}`,
          `Check that the service behind the gateway is up${settings.wait > 0 ? '' : '; --wait SECONDS waits until it answers'}`,
        ),
      ];
    return [
      stop(
        'interface',
        `neither operation is at ${baseUrl}: ${together(customer, token, textOf)}`,
        adviceOnAddress(customer.exchange, token.exchange, run),
      ),
    ];
  }
  const [only, ...others] = [customer, token].filter(isResponse);
  if (only && others.length === 0 && isOperationMissing(only)) {
    const silent = [customer, token].find((one) => one instanceof Error)!;
    return [
      stop(
        'interface',
        `nothing of the interface is at ${baseUrl}: one operation answered ${textOf(only)}; the other gave no usable response: ${reasonOf(silent, run)}`,
        'Check TARGET_BASE_URL, in particular its path, and that the service behind the gateway is up',
      ),
    ];
  }
  if (isKeyInDoubt(first)) return [keyInDoubt(first, textOf, run)];
  if (first.isSameForAnyKey && isResponse(customer) && isResponse(token))
    return [
      stop(
        'access',
        `no request was let through: ${together(customer, token, textOf)}; it is the same with an invalid key`,
        adviceOnHeader(customer, run) ??
          `${CHECK_KEY}; and check whether the target, or a gateway in front of it, demands another header (--header)`,
      ),
    ];
  if (isResponse(customer) && rejectsAddress(customer))
    return [
      stop(
        'customer',
        `a plain customer was rejected, apparently for its address: ${textOf(customer)}`,
        'Set --email-domain to a domain of yours that receives mail: services may check whether one does, and example.com does not',
      ),
    ];
  return [
    diagnoseKey(first, textOf),
    diagnoseCustomer(customer, run, textOf, brokenBy),
    diagnoseToken(token, run, textOf, brokenBy),
  ];
}

/** Checks that a run can reach a verdict. @throws {Inconclusive} which states why not, and what to do */
export function assertReady(run: Run, first: FirstResponses): FirstResponses {
  if (first.customer instanceof Stopped) throw first.customer;
  const found = diagnose(run, first).find(({ state }) => state === 'stop');
  if (found) throw new Inconclusive(`${found.text}. ${found.advice}`);
  return first;
}

/** What to do if neither operation is at an address. */
function adviceOnAddress(customer: Exchange, token: Exchange, { target: { redactor } }: Run): string {
  if (customer.reply.status === 511)
    return 'The network demands a login before it lets requests through (RFC 6585, section 6): log in with a browser, or use another network';
  const status = customer.reply.status === token.reply.status ? customer.reply.status : undefined;
  if (status === 421)
    return 'The server does not serve this host (RFC 9110, section 15.5.20): check the host in TARGET_BASE_URL and, for HTTPS, TARGET_SERVER_NAME';
  if (status === 426 || status === 505)
    return 'The server demands another version of HTTP: try --http 2, or https in TARGET_BASE_URL';
  if (status === 405)
    return 'Something is at these paths, but not for POST, the method of both operations: check TARGET_BASE_URL, in particular its path, and the routes of the service';
  const base = redirectedBaseOf(customer);
  if (base !== undefined)
    return `Set TARGET_BASE_URL to ${oneLine(redactor.redact(base))}, if that is the service that you mean: redirects are not followed`;
  const location = URL.parse(customer.reply.fields['location'] ?? '', customer.url)?.pathname;
  if (location !== undefined && location === `${new URL(customer.url).pathname}/`)
    return 'The operations are at these paths with a slash at the end: serve them at /v1/customers and /v2/tokens, as section 4 has them, as redirects are not followed';
  const [, repeated] = /(\/v1(?:\/customers)?|\/v2(?:\/tokens)?)\/v1\/customers$/.exec(customer.url) ?? [];
  if (repeated !== undefined)
    return `Leave ${repeated} out of TARGET_BASE_URL: the suite adds /v1/customers and /v2/tokens`;
  if (
    /https|tls|ssl/i.test(customer.reply.text) &&
    customer.url.startsWith('http:') &&
    isClientError(customer.reply)
  )
    return 'Begin TARGET_BASE_URL with https://';
  if (customer.reply.status >= 300 && customer.reply.status < 400)
    return 'Redirects are not followed. If this one leads to a login, let the gateway exempt this client, or accept a header in place of the login (--header). Otherwise check TARGET_BASE_URL, in particular its path';
  return 'Check TARGET_BASE_URL, in particular its path, and that the service behind the gateway is up and lets requests through without a login; some services also answer a wrong key this way';
}

/** The base URL that a redirect to the same operation asks for, at another host, scheme or path; undefined: not such a redirect. */
function redirectedBaseOf({ reply, request: { path }, url }: Exchange): string | undefined {
  const location = URL.parse(reply.fields['location'] ?? '', url);
  if (location === null || location.href === url || !/^https?:$/.test(location.protocol)) return undefined;
  // Not a login, which may have the path as an argument, nor with credentials: no base URL has either.
  const { href, origin, pathname } = location;
  return href === origin + pathname && pathname.endsWith(path) ? href.slice(0, -path.length) : undefined;
}

type Shown = (first: FirstResponse) => string;

function together(customer: FirstResponse, token: FirstResponse, textOf: Shown): string {
  return isSameResponse(customer.exchange, token.exchange)
    ? `both answered ${textOf(customer)}`
    : `creating a customer answered ${textOf(customer)}; issuing a token answered ${textOf(token)}`;
}

/** A header that a text calls missing or required; it may name others, such as that of an id for its log. */
const DEMANDED_HEADER =
  /\b(?:missing|required?|requires|needs?|header)(?:[ :'"`[]+\w+)?[ :'"`[]+(x-[\w-]{1,40})(?![\w-])|\b(x-[\w-]{1,40})['"`]?(?: header)? (?:is|was|must|should|missing|required)\b/i;

/** What to do about a header that a response demands; undefined: it demands none. */
function adviceOnHeader(
  { exchange: { reply } }: FirstResponse,
  { settings, target }: Run,
): string | undefined {
  const [, first, name = first] = DEMANDED_HEADER.exec(target.redactor.redact(reply.text)) ?? [];
  const isSent = settings.route.headers.some((one) => one.name.toLowerCase() === name?.toLowerCase());
  return (
    name &&
    `The response names ${name}${isSent ? ', which --header adds: check its value' : ': if a gateway demands this header, add it with --header'}. ${CHECK_KEY}`
  );
}

const CHECK_KEY = 'Check TARGET_API_KEY: it must be a valid static key of this target';

function keyInDoubt(
  { customer, token, isSameForAnyKey }: FirstResponses,
  textOf: Shown,
  run: Run,
): Diagnosis {
  const responses = [customer, token].filter(isResponse);
  const [one, other] = responses;
  const received = other ? together(one!, other, textOf) : `the only response is ${textOf(one!)}`;
  // Most services give any wrong key the same response: that alone does not distinguish a gateway from the service.
  const independent = isSameForAnyKey ? '; it is the same without a key and with an invalid one' : '';
  const elsewhere = isSameForAnyKey
    ? 'As the response does not depend on the key, it may come from a gateway, a firewall or an unknown path'
    : 'It may come from a gateway or a firewall';
  if (responses.every(({ exchange: { reply } }) => /^Basic\b/i.test(reply.fields['www-authenticate'] ?? '')))
    return stop(
      'access',
      `HTTP Basic is demanded in place of the key: ${received}${independent}`,
      'A gateway that demands HTTP Basic takes the Authorization header, which the interface needs for the key: let it exempt this client by its address, or by another header (--header). If the service itself answers so, check TARGET_API_KEY',
    );
  const areAllPages = responses.every(({ exchange: { reply } }) => isPage(reply));
  if (areAllPages)
    return stop(
      'access',
      `no request was let through, and the response is a page, not JSON: ${received}${independent}`,
      `${elsewhere}: check TARGET_BASE_URL, whether this machine may reach the service, and whether the gateway demands a header (--header). Otherwise check TARGET_API_KEY`,
    );
  return stop(
    'key',
    `${responses.every(rejectsKey) && other ? 'both operations rejected the key' : 'no operation accepted the key'}: ${received}${independent}`,
    responses.every(({ exchange: { reply } }) => namesKey(reply))
      ? `The key is most likely wrong, expired or of another environment. ${CHECK_KEY}`
      : isSameForAnyKey
        ? (adviceOnHeader(one!, run) ??
          `${CHECK_KEY}. ${elsewhere}; a gateway may demand another header (--header)`)
        : CHECK_KEY,
  );
}

function diagnoseKey(first: FirstResponses, textOf: Shown): Diagnosis {
  const { customer, token } = first;
  const subject = 'key';
  const rejecting = keyRejectionOf(first);
  if (rejecting !== undefined) {
    const operation = rejecting === customer ? 'creating a customer' : 'issuing a token';
    return warning(
      subject,
      `rejected for ${operation}, although the other operation did not reject it: ${textOf(rejecting)}`,
      'Use a key that is allowed to do both, if this one is restricted; otherwise fix the service',
    );
  }
  const accepting = [
    ...(isResponse(customer) && customer.accepted ? ['creating a customer'] : []),
    ...(isResponse(token) && token.accepted ? ['issuing a token'] : []),
  ];
  if (accepting.length === 2) return ok(subject, 'accepted by both operations');
  if (accepting.length === 1) return ok(subject, `accepted for ${accepting[0]}`);
  return warning(subject, 'neither accepted nor rejected', 'See the responses below');
}

/** A result that was returned, and the requirements that its response breaks. */
const returned = (subject: string, text: string, broken: readonly string[], response: string): Diagnosis =>
  broken.length === 0
    ? ok(subject, text)
    : warning(
        subject,
        `${text}; ${broken.join(' and ')} will fail: ${response}`,
        'A run shows what was expected',
      );

function diagnoseCustomer(
  customer: FirstResponses['customer'],
  run: Run,
  textOf: Shown,
  brokenBy: BrokenBy,
): Diagnosis {
  const subject = 'customer';
  if (customer instanceof Error) return lost(subject, customer, run);
  const { accepted, exchange } = customer;
  if (namesQuota(exchange.reply))
    return inconclusive(subject, `none was created: ${textOf(customer)}`, NO_QUOTA);
  if (!accepted)
    return warning(
      subject,
      `a plain one was not created: ${textOf(customer)}; customer.plain.accepted will fail`,
      isOperationMissing(customer) ? notThere(paths.customers) : adviceOnPlainCustomer(exchange.reply),
    );
  const id = idOf(exchange.reply);
  const created = `created with status ${exchange.reply.status}, ${id === undefined ? 'but without an id' : `id ${oneLine(typeof id === 'string' ? id : shown(id), 100)}`}`;
  return returned(subject, created, brokenBy(customer), textOf(customer));
}

function adviceOnPlainCustomer(reply: Reply): string {
  if (reply.isIncomplete) return SEND_ALL;
  const log = 'See the log of the service: two ASCII words and an address at example.com were sent';
  return reply.status >= 500
    ? log
    : `${log}. If it rejects reserved domains, set --email-domain to one of yours`;
}

function diagnoseToken(
  token: FirstResponses['token'],
  run: Run,
  textOf: Shown,
  brokenBy: BrokenBy,
): Diagnosis {
  const subject = 'token';
  if (token instanceof Error) return lost(subject, token, run);
  const { accepted, exchange, found, case: tried } = token;
  const { status } = exchange.reply;
  if (accepted) {
    const issued = `issued with status ${status}, at ${oneLine(found!.place, 100) || 'the root'}`;
    return returned(subject, issued, brokenBy(token), textOf(token));
  }
  if (namesQuota(exchange.reply)) return inconclusive(subject, `none was issued: ${textOf(token)}`, NO_QUOTA);
  const requested = `scopes ${tried.input.scopes.join(' ')} and expires_in ${tried.input.expiresIn}`;
  const text = `none was issued for ${requested}: ${textOf(token)}`;
  const willFail = `${text}; token.plain.accepted will fail`;
  if (isOperationMissing(token)) return warning(subject, willFail, notThere(paths.tokens));
  if (exchange.reply.isIncomplete) return warning(subject, `${text}; token.body.json will fail`, SEND_ALL);
  if (isSuccess(exchange.reply))
    return warning(
      subject,
      `${text}; no member of it can be a token; a run will try others`,
      'Return the token in the response: no other operation of the interface returns it',
    );
  if (status === 403)
    return warning(
      subject,
      `${text}; a run will try others`,
      'See the key above; if it may not request these scopes, set TARGET_TOKEN_SCOPES to some that it may',
    );
  if (rejectsKey(token)) return warning(subject, willFail, 'See the key above');
  if (expectsOAuth(exchange.reply))
    return warning(
      subject,
      willFail,
      'The service expects a form with a grant_type, as OAuth has it, not the JSON body of section 4.2',
    );
  if (status >= 500) return warning(subject, willFail, 'See the log of the service');
  if (status === 406 || status === 415)
    return warning(subject, willFail, 'See the log of the service: a JSON body was sent as application/json');
  return warning(
    subject,
    `${text}; a run will try others`,
    'Set TARGET_TOKEN_SCOPES and TARGET_TOKEN_EXPIRES_IN to values that it accepts',
  );
}

const SEND_ALL =
  'Check that the service is up, and that it sends as many bytes as Content-Length announces, or well-formed chunks up to the last one';

const NO_QUOTA = 'Raise that limit, or delete what earlier runs have created';

/** What to do about one operation that is missing. */
export const notThere = (path: string): string =>
  `The other operation is there, but apparently not this one: check that the target has POST ${path} below TARGET_BASE_URL`;

/** A run continues with the other operation, but has no verdict on this one. */
function lost(subject: string, error: NoReply | Stopped, run: Run): Diagnosis {
  const kind = error instanceof NoReply ? error.troubles.at(-1)!.kind : undefined;
  const isUp = kind === 'reset' || kind === 'timeout';
  return inconclusive(
    subject,
    `no usable response, although the other operation answered: ${reasonOf(error, run)}`,
    isUp
      ? `See the log of the service${kind === 'timeout' ? '; if it is slow, raise --timeout' : ''}`
      : adviceOn(error, run),
  );
}

/** What to do about an operation without a response; undefined: the reason says it. */
const adviceOn = (error: NoReply | Stopped, { settings }: Run): string | undefined =>
  error instanceof NoReply ? adviceFor(error.troubles.at(-1)!, settings) : undefined;

/** Why there is no response. A run that a limit has cut short says which one to raise. */
function reasonOf(error: NoReply | Stopped, { settings, target }: Run): string {
  if (error instanceof NoReply) return error.troubles.at(-1)!.detail;
  return error.stopCause === 'budget'
    ? `${error.message}; ${adviceAfter(target.traffic, target.now / 1000, settings)}`
    : error.message;
}

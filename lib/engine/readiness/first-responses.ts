import { bodyText } from '../../target/exchange.ts';
import type { Exchange, NoReply, Stopped } from '../../target/exchange.ts';
import type { Reply } from '../../target/reply.ts';
import type { CustomerObservation } from '../operations/customer.ts';
import type { TokenObservation } from '../operations/token.ts';
import { isWording, secrecyScore } from '../operations/credential-form.ts';
import { isClientError, isJsonType, isPage, isSuccess } from '../../target/reply.ts';

export type FirstResponse = CustomerObservation | TokenObservation;

/** The first response of each operation to a plain request, or why there is none. */
export interface FirstResponses {
  readonly customer: CustomerObservation | NoReply | Stopped;
  readonly token: TokenObservation | NoReply | Stopped;
  /**
   * Whether a rejected request gets the same response with an invalid key and, if the key was rejected, without one;
   * absent: this was not tried, as it would show nothing.
   */
  readonly isSameForAnyKey?: boolean | undefined;
}

/**
 * Whether the first responses show that neither operation of the interface is there: another address, a gateway without
 * its service, a login page, a site that answers each path with the same page.
 *
 * The opposite of a service that is broken, which a run must fail. So it takes both operations, and for each a reason
 * that does not depend on how a broken service looks:
 * - a status by which HTTP itself says that the request has not reached an operation, or
 * - a 2xx without any trace of the interface. The service is "an HTTP API with JSON bodies" (section 1), so JSON is such
 *   a trace, even if it is cut off, wrongly typed or without an id and a token. So are a customer, its address or a
 *   token in a body that is not JSON.
 *
 * Another 4xx is also how the service itself may reject a request, in a form that is not shown (section 7). It counts
 * only if both operations answer with the same HTML page, although the requests accept nothing but JSON. A 500 never
 * counts: something tried to answer, and failed.
 */
export function areBothMissing(customer: FirstResponse, token: FirstResponse): boolean {
  if (isOperationMissing(customer) && isOperationMissing(token)) return true;
  const isFromServerAlone = (first: FirstResponse): boolean =>
    isRejectingPage(first) || demandsOtherAddress(first);
  return [customer, token].every(isFromServerAlone) && isSameResponse(customer.exchange, token.exchange);
}

/**
 * Statuses with which a server rejects any request on such a connection: another host (RFC 9110, section 15.5.20), another
 * protocol (15.5.22) or version of HTTP (15.6.6) is meant, or a law forbids it (RFC 7725).
 */
const OTHER_CONNECTION_STATUSES = [421, 426, 451, 505];

/** Whether the response of one operation shows nothing of it. */
export const isOperationMissing = (first: FirstResponse): boolean =>
  isStatusOfMissingPath(first.exchange.reply) ||
  OTHER_CONNECTION_STATUSES.includes(first.exchange.reply.status) ||
  (isSuccess(first.exchange.reply) && !showsInterface(first));

/**
 * Statuses of a wrong address or method, of a gateway without its service, and of a network that demands a login
 * (RFC 6585, section 6); gateways also use 520 to 599.
 */
const MISSING_PATH_STATUSES = new Set([300, 301, 302, 303, 307, 308, 404, 405, 410, 501, 502, 503, 504, 511]);

/** Whether HTTP itself says that a request has not reached an operation; or Amazon's gateway, which calls it a missing token. */
export const isStatusOfMissingPath = ({ status, text }: Reply): boolean =>
  MISSING_PATH_STATUSES.has(status) || status >= 520 || (status === 403 && text.includes(UNKNOWN_TO_AMAZON));

const UNKNOWN_TO_AMAZON = '"Missing Authentication Token"';

/** Whether a 2xx carries JSON, or what looks like it, or a result in another form. */
function showsInterface({ accepted, exchange }: FirstResponse): boolean {
  const { reply, request } = exchange;
  // A body that could not be decoded may be anything.
  const isUnreadable = reply.text === '' && reply.fields['content-encoding'] !== undefined;
  if (accepted || isUnreadable || reply.json !== undefined || /^\s*[[{]/.test(reply.text)) return true;
  if ((reply.text !== '' || reply.isIncomplete) && isJsonType(reply)) return true;
  const body = bodyText(request);
  const [address] = /[^"\s]+@[^"\s]+/.exec(body) ?? [];
  if (address !== undefined && reply.text.includes(address)) return true;
  // A token as plain text, alone: longer texts always have some word that could be one.
  return secrecyScore(reply.text.trim()) > 0 && !/\s/.test(reply.text.trim());
}

/** Whether a token request was rejected for members that OAuth has (RFC 6749, section 5.2). */
export const expectsOAuth = ({ text }: Reply): boolean => /grant_?type/i.test(text);

/** Whether a server says that it expects TLS, or another host: the request has not reached the service. */
const demandsOtherAddress = ({ exchange: { reply } }: FirstResponse): boolean =>
  isClientError(reply) &&
  reply.json === undefined &&
  /https server|plain http|requires tls|ssl-enabled|invalid host/i.test(reply.text);

const isRejectingPage = ({ exchange: { reply } }: FirstResponse): boolean =>
  isClientError(reply) && ![401, 403].includes(reply.status) && isPage(reply);

/** Whether two responses are the same apart from ids, dates, and what they repeat of their requests. */
export function isSameResponse(one: Exchange, other: Exchange): boolean {
  return (
    one.reply.status === other.reply.status &&
    one.reply.fields['content-type'] === other.reply.fields['content-type'] &&
    (one.reply.text === other.reply.text || constantPartOf(one) === constantPartOf(other))
  );
}

function constantPartOf({ reply, request }: Exchange): string {
  const sent = request.credential === undefined ? [] : [request.credential.value.split(' ').at(-1)!];
  return [...sent, request.path]
    .filter((text) => text !== '')
    .reduce((rest, text) => rest.replaceAll(text, '#'), reply.text)
    .replaceAll(/[\w.:@#-]+/g, (word) => (isWording(word) ? word : '#'));
}

export const isResponse = (first: FirstResponse | Error): first is FirstResponse => !(first instanceof Error);

/**
 * Whether the key may be the reason for everything: an operation rejected it, and the other one did too, is not there or
 * did not answer. If the other one answered in any other way, that operation accepts the key, so the rejection is a finding.
 */
export const isKeyInDoubt = ({ customer, token }: FirstResponses): boolean =>
  [customer, token].some(rejectsKey) &&
  [customer, token].every((one) => !isResponse(one) || rejectsKey(one) || isOperationMissing(one));

/**
 * Whether both operations rejected their requests alike, apparently for what these have in common: the key, or a header
 * that is missing.
 */
export const rejectsBothForAccess = ({ customer, token }: FirstResponses): boolean =>
  isResponse(customer) &&
  isResponse(token) &&
  [customer, token].every(({ accepted, exchange: { reply } }) => !accepted && namesAccess(reply)) &&
  isSameResponse(customer.exchange, token.exchange);

/** A 406 or 415 is about the media type. */
const namesAccess = ({ status, text }: Reply): boolean =>
  status < 500 &&
  ![406, 415].includes(status) &&
  // As parsers name what they could not read.
  /key|token|auth|credential|header|tenant|forbidden|denied|api.?version|\bx-[\w-]{1,40} (?:is|was|must|should|missing|required)\b/i.test(
    text.replaceAll(/(?:unexpected|unrecognized) token/gi, ''),
  );

/** The words of services about a key that they do not know. */
const SAYS_WRONG_KEY =
  /\b(?:invalid|wrong|incorrect|unknown|bad|expired|revoked)[ _-](?:(?:api|secret|access|bearer)[ _-]?)?(?:key|token|credentials?)\b|\b(?:key|token|credentials?)\b[^.]{0,40}\b(?:invalid|wrong|incorrect|not valid|unknown|expired|revoked|not found|not recogni[sz]ed)\b/i;
/** A header that a gateway demands, a token against request forgery, and what gateways answer on unknown paths. */
const SAYS_SOMETHING_ELSE = /\bx-[\w-]+|[cx]srf|key=value/i;

/**
 * Whether a 401 or 403 is apparently that of the service for a wrong key: with a challenge for a Bearer credential
 * (RFC 6750, section 3), or without any, but for a key, in words. A gateway that reads its own key from another header has
 * another challenge, or names that header.
 */
export const namesKey = (reply: Reply): boolean => {
  const { text, fields } = reply;
  const challenge = fields['www-authenticate'];
  if (challenge !== undefined) return /^Bearer\b/i.test(challenge);
  return !isPage(reply) && SAYS_WRONG_KEY.test(text) && !SAYS_SOMETHING_ELSE.test(text);
};

/** The first response that rejected the key; undefined: none did. */
export const keyRejectionOf = ({ customer, token }: FirstResponses): FirstResponse | undefined =>
  [customer, token].filter(isResponse).find(rejectsKey);

export const rejectsKey = (first: FirstResponse | Error): boolean =>
  isResponse(first) && [401, 403].includes(first.exchange.reply.status);

const RECORD = '(?:customer|token|record|account|user|contact|session|item|object)';
const RECORDS = `(?:active |open |existing |outstanding )?${RECORD}s`;
const QUOTA = new RegExp(
  [
    'quota',
    String.raw`(?:plan|usage|billing|subscription|${RECORD}s?) limit(?: of \d+)?(?: \w+)?(?: was| is| has been)? (?:reached|exceeded|hit)`,
    String.raw`limit (?:reached|exceeded|hit):? \d+ ${RECORDS}`,
    `(?:maximum|max|limit) (?:number|count) of ${RECORDS}`,
    String.raw`(?:maximum|max|limit|at most|more than) (?:of )?\d+ ${RECORDS}`,
    `too many ${RECORDS}`,
    'upgrade your plan',
  ]
    .map((words) => String.raw`\b(?:${words})\b`)
    .join('|'),
  'i',
);

/** Whether a response rejects a request as there are too many records: limits are not shown (interface, section 8). */
export const namesQuota = ({ status, text }: Pick<Reply, 'status' | 'text'>): boolean =>
  ((isClientError({ status }) && status !== 401) || status === 507) && QUOTA.test(text);

/** A service that reads another member than email misses that one, or does not know this one. */
const NOT_READ = new RegExp(
  [
    String.raw`(?:field|member|property|attribute|parameter|email)\W+(?:is |was |must be )?(?:required|missing|blank|unknown|unexpected)`,
    String.raw`(?:unknown|unexpected|unrecogni[sz]ed|unsupported)\W+(?:field|member|property|attribute|parameter)`,
    String.raw`e-?mail[a-z_-]{1,30}\b`,
    String.raw`"required"`,
    'received undefined',
    "can(?:'t|not) be blank",
    'may not be (?:null|blank)',
  ].join('|'),
  'i',
);

/** Statuses of a rejection for the key, the path, the method or the media type. */
const OTHER_REASON_STATUSES = new Set([401, 404, 405, 415]);

/**
 * Whether a customer was apparently rejected for its address, at example.com, which receives no mail (RFC 7505): the
 * response names the email and not the name, or a reason that only addresses have.
 */
export function rejectsAddress({ accepted, exchange, submitted }: CustomerObservation): boolean {
  const { reply, request } = exchange;
  if (accepted || !isClientError(reply) || OTHER_REASON_STATUSES.has(reply.status) || isPage(reply))
    return false;
  if (!bodyText(request).includes('@example.com')) return false;
  // Without what the response repeats of the request.
  const text = reply.text
    .replaceAll(/"(?:name|email)"\s*:\s*"[^"]*"/g, (member) =>
      member.includes(submitted.name) || member.includes(submitted.email) ? '' : member,
    )
    .replaceAll(/"(?:domain|(?:support|contact|help)_?e?mail)"\s*:\s*"(?![^"]*example\.com)[^"]*"/gi, '');
  return (
    (/e-?mail/i.test(text) && !/(?<![a-z])name(?![a-z])/i.test(text) && !NOT_READ.test(text)) ||
    /(?<![a-z])(?:domain|(?:un)?deliver\w*|mx|dns|disposable|reserved)(?![a-z])/i.test(text)
  );
}

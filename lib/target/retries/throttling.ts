import { customerIdForm } from '../../schemas/interface.ts';
import { stringsIn, valuesIn } from '../../schemas/json.ts';
import { clipped, quoted } from '../output/printable.ts';
import type { Redactor } from '../output/redactor.ts';
import type { Reply } from '../reply.ts';

/** 429, and what some services use in its place, or did before RFC 6585; 449 asks to retry a request that met another one. */
const RATE_LIMIT_STATUSES = new Set([420, 429, 449, 508, 509, 529]);

/** Wordings of a rate limit in other responses: most with a 403, some with 400, 402, 409, 422, 423 or 500, or with a 2xx. */
const RATE_LIMIT_WORDING = new RegExp(
  [
    '(?:rate|(?:request|concurrency)s?[ _-]?limit)[ _-]?(?:limit[ _-]?)?(?:was[ _-])?(?:exceeded|reached)',
    '(?:exceeded|reached|hit) (?:\\w+ ){0,4}rate[ -]limit',
    'rate[ _-]?limited',
    '(?:calls|requests|queries) per (?:second|minute|hour) (?:was |were )?(?:exceeded|reached)',
    'over[ _-]?(?:qps|rate)\\b',
    'out of rate limit',
    'rate limit (?:quota )?violation',
    'frequency[ _-]limit',
    'reach(?:ed)? limit, must slower',
    '(?:qps|throughput)[ _-]?(?:has[ _-])?exceeded',
    'spike ?arrest',
    'velocity[ _-](?:check|limit)',
    'unusual (?:amount of )?traffic',
    'too[ _-]?many[ _-](?:concurrent[ _-])?requests',
    'another (?:\\w+ ){0,2}request (?:\\w+ ){0,5}(?:in progress|accessing)',
    'lock[ _-]timeout',
    'locked by another request',
    'unable[ _-]to[ _-]lock[ _-]row',
    'too frequent',
    '(?:过于|太|太过)频繁',
    '频率(?:限制|过高|过快|超)',
    'too fast\\b',
    'slow[ _-]?down',
    'throttl(?:ed|ing)\\b',
  ].join('|'),
  'gi',
);

/** Words that make a mention of a rate limit conditional, as in “you may be rate limited”. */
const CONDITIONAL = /\b(?:or|if|after|when|may)\b[\w ,']*$/i;
/** How many characters before a mention are searched for such a word. */
const CONDITIONAL_REACH = 100;

/** A link, also one within the site, such as one to a page of documentation: what it names need not have happened. */
const LINK = /\bhttps?:\/\/[\w.~%?#&=:@+/-]*[\w/]|(?<![\w<])(?:\/[\w.#-]*[\w#-])+/g;

const withoutLinks = (text: string): string => text.replaceAll(LINK, '.');

function mentionsRateLimit(text: string): boolean {
  return [...text.matchAll(RATE_LIMIT_WORDING)].some(
    ({ index }) => !CONDITIONAL.test(text.slice(Math.max(0, index - CONDITIONAL_REACH), index)),
  );
}

/** Whether a reply rejects a request for nothing but the rate of requests. */
export function isRateLimited({ status, text, json }: Pick<Reply, 'status' | 'text' | 'json'>): boolean {
  if (RATE_LIMIT_STATUSES.has(status)) return true;
  if (status >= 400 && json === undefined) return status !== 401 && mentionsRateLimit(withoutLinks(text));
  return status !== 401 && !(status < 400 && hasIdOrToken(json)) && bodyMentionsRateLimit(json);
}

/** Members that say what happened, perhaps by a link (RFC 9457, section 3.1.1). */
const IDENTIFIES = /^(?:type|code)$/i;

/** Whether a text of a body names a rate limit, or a member that is true, such as `rate_limited`. */
const bodyMentionsRateLimit = (json: unknown): boolean =>
  valuesIn(json).some(
    ({ name, value }) =>
      (typeof value === 'string' && mentionsRateLimit(IDENTIFIES.test(name) ? value : withoutLinks(value))) ||
      (value === true && mentionsRateLimit(name)),
  );

/** Whether a body has the id of a customer or a token, whatever errors it lists beside these. */
const hasIdOrToken = (json: unknown): boolean =>
  stringsIn(json).some(
    ({ name, text }) => customerIdForm.test(text) || (/token$|jwt|secret/i.test(name) && text.length >= 8),
  );

/**
 * Whether a rejection may be for the state of something else, such as a lock or another request, and only for now
 * (RFC 9110, section 15.5.10).
 */
export const mayBeLocked = ({ status }: Reply): boolean => [409, 423, 425].includes(status);
/** Milliseconds for which a lock is waited for. */
const LONGEST_LOCK = 5000;

/** Words for requests that got in each other's way. */
const CONTENTION =
  /contention|could not (?:be )?serializ|serialization failure|optimistic lock|deadlock|still being processed|please retry\b|\b(?:identical|duplicate)[ _-]request\b.{0,80}\b(?:in progress|in flight|seconds? ago)\b/i;

/** Whether a reply says that there were too many requests, or when to retry. */
export const isThrottling = (reply: Reply): boolean => {
  const wait = retryAfter(reply);
  return (
    isRateLimited(reply) ||
    (isGatewayStatus(reply.status) && asksToWait(reply)) ||
    (reply.status === 403 && wait !== undefined) ||
    // A request to be repeated much later is rejected for itself, such as a duplicate.
    (mayBeLocked(reply) && (CONTENTION.test(reply.text) || (wait ?? Infinity) <= LONGEST_LOCK))
  );
};

/** Whether a reply has the fields of a rate limit, also one that asks to retry at once, as a gateway may that has failed. */
export const mayBeThrottling = (reply: Reply): boolean =>
  isThrottling(reply) || (isGatewayStatus(reply.status) && retryAfter(reply) === 0);

/**
 * Whether a reply is likely that of a gateway that got no response from the service, or limits the rate, and does not ask
 * to wait: a 502, 503 or 504, or one of 520 to 527, or 530.
 */
export const isGatewayFailure = (reply: Reply): boolean =>
  isGatewayStatus(reply.status) && !asksToWait(reply);

/** "Retry-After: 0" of a service that is unavailable says no more than none. */
const asksToWait = (reply: Reply): boolean => (retryAfter(reply) ?? 0) > 0;

/** 502 to 504, and what Cloudflare answers in their place. */
const isGatewayStatus = (status: number): boolean =>
  (status >= 502 && status <= 504) || (status >= 520 && status <= 527) || status === 530;

/**
 * Milliseconds that a reply asks to wait (RFC 9110, section 10.2.3: seconds or a date); undefined where the field is
 * missing or malformed.
 */
export function retryAfter(reply: Reply, now = Date.now()): number | undefined {
  const value = reply.fields['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return undefined;
  const date = Date.parse(value);
  // By the clock that the reply itself shows, if it does: that of the target may be wrong.
  const sentAt = Date.parse(reply.fields['date'] ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(sentAt) ? now : sentAt));
}

/** What a reply that does not ask to wait has in place of that. */
export function withoutWait(reply: Reply, redactor: Redactor): string {
  const value = reply.fields['retry-after'];
  if (value === undefined) return 'without Retry-After';
  return `with ${retryAfter(reply) === undefined ? 'an unusable ' : ''}Retry-After: ${quoted(clipped(redactor.redact(value), 100))}`;
}

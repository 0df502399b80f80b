import { stringsIn } from '../../schemas/json.ts';
import type { Exchange } from '../../target/exchange.ts';
import { secretsInHeaders } from '../../target/output/header-secrets.ts';
import type { Redactor } from '../../target/output/redactor.ts';
import { isSuccess } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import {
  isCertainly,
  isCustomerId,
  isUncommon,
  isWording,
  JWT,
  LONG_NUMBER,
  partsOf,
  scoreOf,
  secrecyScore,
  uncommonParts,
} from './credential-form.ts';
import { findCredential, namesIn, placedIn, sentIn } from './credentials-in-reply.ts';
import type { FoundCredential } from './credentials-in-reply.ts';

/** Texts of one response that are redacted: a search for many thousands would take a run its time and memory. */
const MAX_REDACTED = 20;

/** Statuses that refuse a credential (RFC 9110, sections 15.5.2 and 15.5.4). With any other, a token may have been issued. */
const REFUSALS = new Set([401, 403]);

/**
 * Redacts everything in a reply that may be a token from all output: `[token 12]`, or `[possible token 12]` where none
 * was issued. A text that the request itself sent is not a token. A text that only looks like a token is suspected to be
 * one, as the target may send the same text with every response; where the credential is refused, it is the id of an
 * error. A body with very many such texts is cut.
 * @param found the credential that it carries
 */
export function redactTokens(redactor: Redactor, exchange: Exchange, found = issuedBy(exchange)): void {
  const { reply, number } = exchange;
  const isSent = sentIn(exchange);
  const inHeaders = secretsInHeaders(reply.fields)
    .filter(({ text }) => !isWording(text))
    .map(({ text, isToken }) => ({ text, isCertain: true, isIssued: isToken && isSuccess(reply) }));
  const inBody = possibleCredentials(reply)
    .filter(({ isCertain }) => isCertain || !REFUSALS.has(reply.status))
    .map(({ text, isCertain }) => ({ text, isCertain, isIssued: isCertain && found !== undefined }));
  // A token may be anywhere in the response that issues it, in a form that no rule knows.
  const anywhere = (isSuccess(reply) && isTokenRequest(exchange) ? uncommonTextsIn(reply) : [])
    .filter((text) => !found?.text.includes(text))
    .map((text) => ({ text, isCertain: false, isIssued: false }));
  const issued = found ? [{ text: found.text, isCertain: found.isCertain, isIssued: true }] : [];
  const all = [...issued, ...inHeaders, ...inBody, ...anywhere].filter(({ text }) => !isSent(text));
  const fresh = new Set(all.map(({ text }) => text).filter((text) => !redactor.knows(text)));
  const others = new Set([...fresh].slice(MAX_REDACTED));
  for (const { text, isCertain, isIssued } of all)
    if (!others.has(text))
      redactor[isCertain ? 'hide' : 'suspect'](text, `${isIssued ? 'token' : 'possible token'} ${number}`);
  if (others.size === 0) return;
  const end = Math.min(...[...others].map((text) => reply.text.indexOf(text)));
  redactor.cut(reply.text, Math.max(0, end), `more than ${MAX_REDACTED} possible tokens`);
}

const isTokenRequest = ({ request }: Exchange): boolean =>
  /tokens/i.test(request.path.replaceAll(/%74/gi, 't'));

/** The credential that a response issues, whatever its request was sent for. */
const issuedBy = (exchange: Exchange): FoundCredential | undefined =>
  isSuccess(exchange.reply) && isTokenRequest(exchange) ? findCredential(exchange.reply, []) : undefined;

/** Redacts what a token request returned, in whatever spelling of its path, and every reply to a request without a body. */
export function redactTokenReply(redactor: Redactor, exchange: Exchange): void {
  if (exchange.request.method !== 'POST' || isTokenRequest(exchange)) redactTokens(redactor, exchange);
}

/** The texts in a reply that issues no token: they are not tokens in other replies either. */
export const publicTextsOf = (reply: Reply): ReadonlySet<string> =>
  new Set([
    ...stringsIn(reply.json)
      .filter(({ name, text }) => !isCertainly(name, text))
      .map(({ text }) => text),
    ...wordsOf(reply),
    ...uncommonTextsIn(reply),
  ]);

/** The texts in the body of a reply that may be a credential. */
function possibleCredentials(reply: Reply): { readonly text: string; readonly isCertain: boolean }[] {
  if (reply.json === undefined)
    return wordsOf(reply)
      .filter((text) => secrecyScore(text) > 0)
      .map((text) => ({ text, isCertain: JWT.test(text) }));
  return placedIn(reply)
    .filter(({ name, text }) => scoreOf(name, text) > 0 && !isWording(text) && !isCustomerId(name, text))
    .map(({ name, text }) => ({ text, isCertain: isCertainly(name, text) }));
}

function uncommonTextsIn(reply: Reply): string[] {
  const isTaken = reply.json === undefined ? isUncommon : (text: string) => LONG_NUMBER.test(text);
  const inText = partsOf(reply.text).filter(isTaken);
  return [...[...placedIn(reply), ...namesIn(reply)].flatMap(uncommonParts), ...inText];
}

/** The long words of a body that is not JSON. */
const wordsOf = (reply: Reply): readonly string[] =>
  reply.json === undefined ? (reply.text.match(/[\w.~+/-]{16,}/g) ?? []) : [];

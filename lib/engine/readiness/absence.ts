import { quoted, printable, clipped } from '../../target/output/printable.ts';
import { bodyText } from '../../target/exchange.ts';
import type { Exchange } from '../../target/exchange.ts';
import type { Redactor } from '../../target/output/redactor.ts';
import type { Reply } from '../../target/reply.ts';
import type { CustomerObservation } from '../operations/customer.ts';
import type { TokenObservation } from '../operations/token.ts';
import { credentialsIn } from '../operations/token.ts';
import { isJsonType, isSuccess } from '../../target/reply.ts';

/** The first response of one operation. */
export type FirstResponse = CustomerObservation | TokenObservation;

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
  return [customer, token].every(isRejectingPage) && isSameResponse(customer.exchange, token.exchange);
}

/** Whether the response of one operation shows nothing of it. */
export const isOperationMissing = (first: FirstResponse): boolean =>
  isStatusOfMissingPath(first.exchange.reply) || (isSuccess(first.exchange.reply) && !showsInterface(first));

/**
 * Statuses of a wrong address or method, of a gateway without its service, and of a network that demands a login
 * (RFC 6585, section 6); gateways also use 520 to 599.
 */
const OF_MISSING_PATHS = new Set([300, 301, 302, 303, 307, 308, 404, 405, 410, 501, 502, 503, 504, 511]);

const isStatusOfMissingPath = ({ status }: Reply): boolean => OF_MISSING_PATHS.has(status) || status >= 520;

/** Whether a 2xx carries JSON, or what looks like it, or a result in another form. */
function showsInterface({ accepted, exchange }: FirstResponse): boolean {
  const { reply, request } = exchange;
  // A body that could not be decoded may be anything.
  const isUnreadable = reply.text === '' && reply.fields['content-encoding'] !== undefined;
  if (accepted || isUnreadable || reply.json !== undefined || /^\s*[[{]/.test(reply.text)) return true;
  if (reply.text !== '' && isJsonType(reply)) return true;
  const body = bodyText(request);
  const [address] = /[^"\s]+@[^"\s]+/.exec(body) ?? [];
  if (address !== undefined && reply.text.includes(address)) return true;
  // A token as plain text, alone: longer texts always have some word that could be one.
  return credentialsIn(reply).some((text) => text === reply.text.trim());
}

/** Whether a response is a page for people. */
export const isPage = ({ text, json, fields }: Reply): boolean =>
  json === undefined &&
  text !== '' &&
  (/html/i.test(fields['content-type'] ?? '') || /^\s*<(?:!doctype html|html)\b/i.test(text));

const isRejectingPage = ({ exchange: { reply } }: FirstResponse): boolean =>
  reply.status >= 400 && reply.status < 500 && ![401, 403].includes(reply.status) && isPage(reply);

/** Whether two responses are the same apart from ids, dates, and what they repeat of their requests. */
export function isSameResponse(one: Exchange, other: Exchange): boolean {
  return (
    one.reply.status === other.reply.status &&
    one.reply.fields['content-type'] === other.reply.fields['content-type'] &&
    constantPartOf(one) === constantPartOf(other)
  );
}

function constantPartOf({ reply, request }: Exchange): string {
  const sent = request.credential === undefined ? [] : [request.credential.value.split(' ').at(-1)!];
  return [...sent, request.path]
    .filter((text) => text !== '')
    .reduce((rest, text) => rest.replaceAll(text, '#'), reply.text)
    .replaceAll(/[\w.:@#-]+/g, (word) => (/[\d#]/.test(word) ? '#' : word));
}

const SHOWN = 100;

/** A response in a message: its status, its content type, where it redirects to, and how its body begins. */
export function responseText({ reply }: Exchange, redactor: Redactor): string {
  const { status, fields, text, notJson } = reply;
  // Cut after redaction, which does not find a part of a secret.
  const shown = (value: string): string =>
    clipped(redactor.redact(value).replaceAll(/\s+/g, ' ').trim(), SHOWN);
  const type = fields['content-type'] ?? '';
  const { location } = fields;
  return [
    String(status),
    ...(type === '' ? [] : [` ${printable(shown(type))}`]),
    ...(location === undefined ? [] : [` to ${quoted(shown(location))}`]),
    text === '' ? ', no body' : `: ${notJson === undefined ? printable(shown(text)) : quoted(shown(text))}`,
  ].join('');
}

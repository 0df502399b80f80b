import { isComparable, lacksResult, isAccepted } from '../lib/engine/observation.ts';
import type { Violation } from '../lib/engine/judging/finding.ts';
import type { Observation } from '../lib/engine/observation.ts';
import { requirement } from '../lib/engine/requirement.ts';
import type { Requirement } from '../lib/engine/requirement.ts';
import type { Scenario } from '../lib/engine/scenario.ts';
import { headerViolation, mustBeAccepted, outcomeText } from './checks.ts';
import { allRequests, allTokens } from './plan.ts';
import { largeCustomers } from './scenarios/large-customers.ts';
import { relatedCustomers } from './scenarios/related-customers.ts';
import {
  hasRewrittenHeaderNames,
  malformedRequests,
  otherMethods,
  rewrittenCustomers,
  rewrittenTokens,
} from './scenarios/http.ts';
import { variedTokens } from './scenarios/tokens.ts';
import { combinedCustomers } from './scenarios/combined-customers.ts';
import { simplifiedCustomers } from './scenarios/simplified-customers.ts';
import { wideCustomers } from './scenarios/wide-customers.ts';

const EVERYTHING =
  'The responses to all requests of both operations: with the right key, with invalid credentials, and malformed.';

const jsonContentType = requirement({
  id: 'json.content.type',
  level: 'should',
  section: '1',
  source: 'RFC 9110, section 8.3; RFC 8259, section 11',
  statement: 'A JSON body is sent as application/json.',
  problem: 'A JSON body is not sent as application/json.',
  sentence:
    'A sender that generates a message containing content SHOULD generate a Content-Type header field in that message unless the intended media type of the enclosed representation is unknown to the sender.',
  why: 'Many clients parse a body as JSON only where its Content-Type says that it is.',
  tested: `${EVERYTHING} Those with a JSON body are judged. A type that ends in +json passes too.`,
  failure: 'A JSON body is sent as text/html, or without Content-Type.',
  over: allRequests,
  only: isJson,
  check: ({ exchange: { reply } }) =>
    headerViolation(
      reply,
      'Content-Type',
      'Content-Type: application/json, or another type that ends in +json',
      /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i,
    ),
  shrinking: null,
});

const jsonUtf8 = requirement({
  id: 'json.utf8',
  level: 'should',
  section: '1',
  source: 'RFC 8259, section 8.1',
  statement: 'A JSON body is UTF-8 without a byte order mark.',
  problem: 'A JSON body is not UTF-8, or begins with a byte order mark.',
  sentence:
    'JSON text exchanged between systems that are not part of a closed ecosystem MUST be encoded using UTF-8',
  why: 'Parsers expect UTF-8: in another encoding names are garbled, and a byte order mark is a syntax error to many.',
  tested: `${EVERYTHING} Those with a JSON body are judged.`,
  failure: 'A name with an accent comes back in Latin-1. Every body begins with EF BB BF.',
  over: allRequests,
  only: isJson,
  check: ({ exchange: { reply } }) =>
    reply.utf8
      ? undefined
      : {
          expected: 'UTF-8 without a byte order mark',
          actual: reply.text.includes('\ufffd')
            ? 'other bytes'
            : 'a byte order mark, EF BB BF, before the text, or another encoding',
        },
  shrinking: null,
});

const wideInput: readonly Scenario[] = [
  wideCustomers,
  simplifiedCustomers,
  combinedCustomers,
  relatedCustomers,
  largeCustomers,
  variedTokens,
];

const wideAnswered = requirement({
  id: 'input.wide.answered',
  level: 'should',
  section: '4',
  source: 'RFC 9110, sections 15.3 and 15.6',
  statement: 'Well-formed input gets the result or a rejection, never a server error.',
  problem:
    'Well-formed input is answered with a server error, with a success that carries no result, or not at all.',
  sentence:
    "The 2xx (Successful) class of status code indicates that the client's request was successfully received, understood, and accepted. […] The 5xx (Server Error) class of status code indicates that the server is aware that it has erred or is incapable of performing the requested method.",
  why: 'Input that makes the service fail was not foreseen: its data, or other requests, may be affected. After a success, a client assumes that its request was carried out.',
  tested:
    'The responses to wide names and addresses, and to other scopes and lifetimes: the result and any rejection pass, an error in a 2xx body too, and a 202, whose result comes later (RFC 9110, section 15.3.3). An input that breaks the connection each time, while others are answered, fails as well.',
  failure:
    'A name with NUL is answered with 500, one with an emoji with 200 and an empty object, one of four thousand characters with a connection reset.',
  over: wideInput,
  unanswered: { in: wideInput },
  check: (observation) =>
    lacksResult(observation) && observation.exchange.reply.status !== 202
      ? { expected: 'the result, or a rejection', actual: outcomeText(observation.exchange.reply) }
      : serverErrorViolation(observation),
});

const malformedAnswered = requirement({
  id: 'input.malformed.answered',
  level: 'should',
  section: '4',
  source: 'RFC 9110, section 15.5',
  statement: 'Malformed input is not answered with a server error.',
  problem: 'Malformed input is answered with a server error.',
  sentence: 'The 4xx (Client Error) class of status code indicates that the client seems to have erred.',
  why: 'A 4xx shows the client its mistake; after a 5xx it sends the same request again.',
  tested:
    'Bodies that are cut off, empty, of other types, without members, or of another content type, sent to both operations with the right key. Any status below 500 passes.',
  failure: '{"name":{},"email":"grace@example.com"} is answered with 500.',
  over: [malformedRequests],
  check: serverErrorViolation,
});

const tokenUncached = requirement({
  id: 'token.response.uncached',
  level: 'should',
  section: '4.2',
  source: 'RFC 6749, section 5.1; RFC 9111, section 5.2.2.5',
  statement: 'A response with a token has Cache-Control: no-store.',
  problem: 'A response with a token lacks Cache-Control: no-store.',
  sentence:
    'The authorization server MUST include the HTTP "Cache-Control" response header field [RFC2616] with a value of "no-store" in any response containing tokens, credentials, or other sensitive information',
  why: 'A cache that keeps the response keeps the token, and may hand it to another client.',
  tested: 'Every response that issues a token.',
  failure: 'The response has no Cache-Control header, or no-cache alone.',
  over: allTokens,
  only: isAccepted,
  check: ({ exchange: { reply } }) =>
    headerViolation(reply, 'Cache-Control', 'Cache-Control: no-store', /\bno-store\b/i),
  shrinking: null,
});

const headerNameCase = requirement({
  id: 'http.field.case',
  level: 'should',
  section: '4',
  source: 'RFC 9110, section 5.1',
  statement: 'Header names are case-insensitive.',
  problem: 'Header names are accepted in one case only.',
  sentence: 'Field names are case-insensitive',
  why: 'Clients, libraries and proxies write them in different cases; HTTP/2 sends all of them in lower case.',
  tested: 'Plain requests to both operations with all header names in lower case; they must be accepted.',
  failure: 'A request with authorization: Bearer … is answered with 401.',
  untestable: ({ route: { http } }) =>
    http === '2' ? 'HTTP/2 has header names in lower case only (RFC 9113, section 8.2.1)' : undefined,
  over: [rewrittenCustomers, rewrittenTokens] as readonly Scenario[],
  only: (observation) => hasRewrittenHeaderNames(observation) && isComparable(observation),
  check: mustBeAccepted('the outcome with the same header names in their usual case'),
  shrinking: null,
});

const date = requirement({
  id: 'http.date',
  level: 'should',
  section: '1',
  source: 'RFC 9110, section 6.6.1',
  statement: 'Every response that is not a 5xx has a Date header.',
  problem: 'A response that is not a 5xx has no Date header.',
  sentence:
    'An origin server with a clock (as defined in Section 5.6.7) MUST generate a Date header field in all 2xx (Successful), 3xx (Redirection), and 4xx (Client Error) responses',
  why: 'Caches and clients calculate with it, for example when a token expires.',
  tested: `${EVERYTHING} A 5xx is not judged, nor a 431, which servers send before they read a request to its end.`,
  failure: 'Responses have no Date header.',
  over: allRequests,
  // A server may reject headers that are too long before it knows the time.
  only: ({ exchange: { reply } }) => reply.status < 500 && reply.status !== 431,
  check: ({ exchange: { reply } }) => headerViolation(reply, 'Date', 'a Date header'),
  shrinking: null,
});

const methodAllow = requirement({
  id: 'http.method.allow',
  level: 'should',
  section: '4',
  source: 'RFC 9110, section 15.5.6',
  statement: 'A 405 lists the allowed methods in an Allow header.',
  problem: 'A 405 does not list the allowed methods in an Allow header.',
  sentence:
    "The origin server MUST generate an Allow header field in a 405 response containing a list of the target resource's currently supported methods.",
  why: 'It shows the client which method to use instead.',
  tested: 'GET on the paths of both operations. A response with the status 405 is judged.',
  failure: 'A 405 has no Allow header.',
  over: [otherMethods],
  subject: '405',
  only: ({ exchange: { reply } }) => reply.status === 405,
  check: ({ exchange: { reply } }) => headerViolation(reply, 'Allow', 'an Allow header'),
});

/** Recommendations of RFCs on HTTP and JSON; those on authentication are in its chapter. */
export const httpRequirements: readonly Requirement[] = [
  jsonContentType,
  jsonUtf8,
  wideAnswered,
  malformedAnswered,
  tokenUncached,
  headerNameCase,
  date,
  methodAllow,
];

function isJson({ exchange: { reply } }: Observation): boolean {
  return reply.json !== undefined;
}

function serverErrorViolation({ exchange: { reply } }: Observation): Violation | undefined {
  return reply.status >= 500
    ? { expected: 'a status below 500', actual: `status ${reply.status}` }
    : undefined;
}

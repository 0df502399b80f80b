import { isComparable } from '../lib/engine/observation.ts';
import type { Cause } from '../lib/causes/cause.ts';
import { causeOfAccepted } from '../lib/causes/credentials.ts';
import { requirement } from '../lib/engine/requirement.ts';
import type { Requirement } from '../lib/engine/requirement.ts';
import type { Scenario } from '../lib/engine/scenario.ts';
import type { TargetSettings } from '../lib/settings/run-settings.ts';
import { bodyText } from '../lib/target/exchange.ts';
import type { Request } from '../lib/target/exchange.ts';
import type { Reply } from '../lib/target/reply.ts';
import { contains, headerViolation, mustBeAccepted, mustBeRejected } from './checks.ts';
import { allRequests, customerCredentials, tokenCredentials } from './plan.ts';
import type { Rule } from './scenarios/credentials/cases.ts';
import { inheritedBy, namesOf } from './scenarios/credentials/filled-conditions.ts';
import { invalidCustomerCredentials, invalidTokenCredentials } from './scenarios/credentials/credentials.ts';
import { combinationNote } from './scenarios/credentials/pairwise.ts';
import type { CredentialObservation } from './scenarios/credentials/requests.ts';
import { lateCustomers } from './scenarios/customers.ts';
import { lateTokens } from './scenarios/tokens.ts';
import { hasRewrittenScheme, rewrittenCustomers, rewrittenTokens } from './scenarios/http.ts';

const CONTROL =
  'Each request is a variation of one that was accepted with the right key. It fails if the response carries the result, whatever its status; a failure shows the same request with the right key. If most of the first rejections are what valid requests get at the end, too, there is no verdict: they say nothing about a credential.';

const SHARED =
  'The rarer ones are divided between the two operations; what one of them accepts is tried with the other.';

/** How the requirements of both operations are tested. */
const WITHOUT_KEY = `Requests without an Authorization header, or with one that is empty or says Bearer alone; with the key in X-API-Key, in the query or in the body instead; with headers, query parameters, framings, media types and spellings of the path that some services trust too much, many of them in one request. ${CONTROL}`;
const OTHER_SCHEMES = `The right key alone, or after Basic, Token, ApiKey, Digest or a misspelt Bearer. ${SHARED} ${CONTROL}`;
const NEAR_MISSES = `Keys with one character changed, in each eighth of the key except the first; keys cut, lengthened, in another case, reversed, encoded, with another prefix; and texts that careless comparisons accept as a key: patterns, null, *, SQL. ${SHARED} ${CONTROL}`;
const ON_ONE_CONNECTION = `On one connection, a request with the right key, then at once one without it and with the same Idempotency-Key, one with a wrong key, one in another scheme. ${CONTROL}`;

export const customersKeyRequired = requirement({
  id: 'auth.customers.key.required',
  level: 'must',
  section: '5.1',
  statement: 'Without a credential no customer can be created.',
  problem: 'A customer can be created without a credential.',
  sentence: 'Requests are authenticated with an HTTP `Authorization` header using the `Bearer` scheme.',
  why: 'A request without a credential is not authenticated: anybody who can reach the service could create customers.',
  tested: WITHOUT_KEY,
  failure:
    'A request with X-Forwarded-For: 127.0.0.1 and no key is answered with a customer. So is a request to the path with a slash at its end.',
  ...mustReject('customer', 'key required'),
  note: notesOf,
});

const customersBearerRequired = requirement({
  id: 'auth.customers.bearer.required',
  level: 'must',
  section: '5.1',
  statement: 'The key can create a customer in the Bearer scheme only.',
  problem: 'A customer can be created without the Bearer scheme.',
  sentence: 'Requests are authenticated with an HTTP `Authorization` header using the `Bearer` scheme.',
  why: 'A service that looks for the key anywhere in the header does not read the header as HTTP defines it, and may disagree with a gateway about who sent the request.',
  tested: OTHER_SCHEMES,
  failure: 'Authorization: Token sk_test_… is answered with a customer, because only the key is looked for.',
  ...mustReject('customer', 'bearer scheme'),
  note: notesOf,
});

export const customersKeyExact = requirement({
  id: 'auth.customers.key.exact',
  level: 'must',
  section: '5.2',
  statement: 'Only the exact key can create a customer.',
  problem: 'A customer can be created with a credential that is not the key.',
  sentence: 'The credential shown in both operations is a static secret key, written `<API_KEY>`.',
  why: 'If a text that resembles the key is accepted, the key can be guessed, or need not be known at all.',
  tested: NEAR_MISSES,
  failure:
    'Only the first characters of the key are compared, or its case is ignored. Any text with the prefix sk_test_ is accepted.',
  ...mustReject('customer', 'exact key'),
  note: notesOf,
});

const customersRequestEach = requirement({
  id: 'auth.customers.request.each',
  level: 'must',
  section: '5.1',
  statement: 'Every creation is authenticated independently of earlier requests on the connection.',
  problem: 'After an accepted request, a customer can be created on the same connection without the key.',
  sentence: 'Requests are authenticated with an HTTP `Authorization` header using the `Bearer` scheme.',
  why: 'Proxies send the requests of several clients on one connection: one client could create customers with the key of another.',
  tested: ON_ONE_CONNECTION,
  failure: 'After one accepted request, every later request on the same connection is accepted.',
  ...mustReject('customer', 'each request'),
  // What is accepted on a new connection, too, counts there.
  restsOn: [customersKeyRequired, customersBearerRequired, customersKeyExact],
  note: connectionsOf,
});

const tokensKeyRequired = requirement({
  id: 'auth.tokens.key.required',
  level: 'must',
  section: '5.3',
  statement: 'Without a credential no token can be issued.',
  problem: 'A token can be issued without a credential.',
  sentence: 'The request that issues a token is itself authenticated with a static key.',
  why: 'A token replaces the key in later requests: anybody who can reach the service could get one.',
  tested: WITHOUT_KEY,
  failure:
    'A request with X-Forwarded-For: 127.0.0.1 and no key is answered with a token. So is a request to the path with a slash at its end.',
  ...mustReject('token', 'key required'),
  note: notesOf,
});

const tokensBearerRequired = requirement({
  id: 'auth.tokens.bearer.required',
  level: 'must',
  section: '5.1',
  statement: 'The key can issue a token in the Bearer scheme only.',
  problem: 'A token can be issued without the Bearer scheme.',
  sentence: 'Requests are authenticated with an HTTP `Authorization` header using the `Bearer` scheme.',
  why: 'A service that looks for the key anywhere in the header does not read the header as HTTP defines it, and may disagree with a gateway about who sent the request.',
  tested: OTHER_SCHEMES,
  failure: 'Authorization: Token sk_test_… is answered with a token, because only the key is looked for.',
  ...mustReject('token', 'bearer scheme'),
  note: notesOf,
});

export const tokensKeyExact = requirement({
  id: 'auth.tokens.key.exact',
  level: 'must',
  section: '5.3',
  statement: 'Only the exact key can issue a token.',
  problem: 'A token can be issued with a credential that is not the key.',
  sentence: 'The request that issues a token is itself authenticated with a static key.',
  why: 'If a text that resembles the key is accepted, the key can be guessed, or need not be known at all.',
  tested: NEAR_MISSES,
  failure:
    'Only the first characters of the key are compared, or its case is ignored. Any text with the prefix sk_test_ is accepted.',
  ...mustReject('token', 'exact key'),
  note: notesOf,
});

const tokensKeyStatic = requirement({
  id: 'auth.tokens.key.static',
  level: 'must',
  section: '5.3',
  statement: 'A static key can issue a token; an issued token cannot.',
  problem: 'An issued token can issue another token.',
  sentence: 'The request that issues a token is itself authenticated with a static key.',
  why: 'A token that can issue the next one never really expires, and may give itself further scopes.',
  tested: `Token requests with an issued token in place of the key: for the most scopes, which was presented to create a customer before; for the longest and the shortest lifetime; and, if the run takes long enough, one that has ended. Also with the id of a token, with a token where some services look for one, such as X-Access-Token, and with a refresh token in the body, as OAuth has it. ${CONTROL}`,
  failure: 'A token that is about to expire is exchanged for a new one, again and again.',
  ...mustReject('token', 'static key'),
});

const tokensRequestEach = requirement({
  id: 'auth.tokens.request.each',
  level: 'must',
  section: '5.1',
  statement: 'Every token request is authenticated independently of earlier requests on the connection.',
  problem: 'After an accepted request, a token can be issued on the same connection without the key.',
  sentence: 'Requests are authenticated with an HTTP `Authorization` header using the `Bearer` scheme.',
  why: 'Proxies send the requests of several clients on one connection: one client could get a token with the key of another.',
  tested: ON_ONE_CONNECTION,
  failure: 'After one accepted request, every later request on the same connection is accepted.',
  ...mustReject('token', 'each request'),
  restsOn: [tokensKeyRequired, tokensBearerRequired, tokensKeyExact, tokensKeyStatic],
  note: connectionsOf,
});

const invalidCredentials = [...customerCredentials, ...tokenCredentials];

const rejectionUnauthorized = requirement({
  id: 'auth.rejection.unauthorized',
  level: 'should',
  section: '5',
  source: 'RFC 9110, section 15.5.2',
  statement: 'Invalid credentials are answered with 401.',
  problem: 'Invalid credentials are not answered with 401.',
  sentence:
    'The 401 (Unauthorized) status code indicates that the request has not been applied because it lacks valid authentication credentials for the target resource.',
  why: 'A client learns from 401 that it should get other credentials; 403 says that these are valid, but not enough.',
  tested:
    'Every rejection of invalid credentials whose request differs from an accepted one in nothing else. These are not judged: responses to a client that sent too many wrong keys, such as a 429; a 400 that calls the request malformed in its challenge (RFC 6750, section 3.1: invalid_request); a 403 to an issued token, which is valid, but not enough (insufficient_scope in the same section); and what may be a limit on the size of headers.',
  failure: 'A wrong key is answered with 403, 404 or 400.',
  over: invalidCredentials,
  // If the path, the headers or the framing differ too, another status may be correct as well.
  subject: 'rejection of a credential',
  only: ({ accepted, rejectsClient = false, exchange: { reply, request }, case: { input } }) =>
    !accepted &&
    !rejectsClient &&
    !isMalformedRequest(reply) &&
    !(input.credential.kind === 'issued token' && reply.status === 403) &&
    !(isLong(request) && [400, 413, 431].includes(reply.status)) &&
    input.conditions.length === 0,
  check: ({ exchange: { reply } }) =>
    reply.status === 401 ? undefined : { expected: 'status 401', actual: `status ${reply.status}` },
  shrinking: null,
});

const rejectionChallenge = requirement({
  id: 'auth.rejection.challenge',
  level: 'should',
  section: '5',
  source: 'RFC 9110, section 11.6.1; RFC 6750, section 3',
  statement: 'A 401 names the Bearer scheme in WWW-Authenticate.',
  problem: 'A 401 does not name the Bearer scheme in WWW-Authenticate.',
  sentence:
    'A server generating a 401 (Unauthorized) response MUST send a WWW-Authenticate header field containing at least one challenge.',
  why: 'HTTP clients and libraries read from it how to authenticate, here with the Bearer scheme.',
  tested: 'Every 401 response to invalid credentials.',
  failure: 'A 401 has no WWW-Authenticate header, or one that names Basic only.',
  over: invalidCredentials,
  subject: '401',
  only: ({ exchange: { reply } }) => reply.status === 401,
  check: ({ exchange: { reply } }) =>
    headerViolation(
      reply,
      'WWW-Authenticate',
      'a WWW-Authenticate header with the Bearer scheme',
      /(?:^|[\s,])bearer\b/i,
    ),
  shrinking: null,
});

const schemeCase = requirement({
  id: 'auth.scheme.case',
  level: 'should',
  section: '5.1',
  source: 'RFC 9110, section 11.1',
  statement: 'The name of the authentication scheme is case-insensitive.',
  problem: 'The name of the authentication scheme is accepted in one case only.',
  sentence: 'It uses a case-insensitive token to identify the authentication scheme',
  why: 'Clients and libraries write bearer as well as Bearer, and HTTP lets them.',
  tested:
    'Plain requests with bearer and BEARER in place of Bearer, to both operations; they must be accepted.',
  failure: 'Authorization: bearer sk_test_… is answered with 401.',
  over: [rewrittenCustomers, rewrittenTokens] as readonly Scenario[],
  only: (observation) => hasRewrittenScheme(observation) && isComparable(observation),
  check: mustBeAccepted('the outcome with the scheme name Bearer'),
  shrinking: null,
});

const keyUnreflected = requirement({
  id: 'auth.key.unreflected',
  level: 'should',
  section: '5.2',
  source: 'RFC 6750, section 5.3',
  statement: 'No response contains the key.',
  problem: 'A response contains the key.',
  sentence: 'Client implementations MUST ensure that bearer tokens are not leaked to unintended parties',
  why: 'A response ends up in logs, caches and error trackers, where others can read it.',
  tested:
    'Bodies and headers of the responses to all requests, with the right key, an invalid credential or a malformed body, except those to requests that carry the key in their body or their URL, which a response may repeat.',
  failure: 'A rejection says: invalid token "sk_test_…".',
  over: allRequests,
  check: ({ exchange: { request, reply } }, { apiKey }) =>
    contains(reply, apiKey) &&
    ![bodyText(request), request.path, request.absolute].some((text) => text?.includes(apiKey))
      ? { expected: 'no key in the response', actual: 'the key' }
      : undefined,
  shrinking: null,
});

/** The requirements of section 5. */
export const authenticationRequirements: readonly Requirement[] = [
  customersKeyRequired,
  customersBearerRequired,
  customersKeyExact,
  customersRequestEach,
  tokensKeyRequired,
  tokensBearerRequired,
  tokensKeyExact,
  tokensKeyStatic,
  tokensRequestEach,
  rejectionUnauthorized,
  rejectionChallenge,
  schemeCase,
  keyUnreflected,
];

/** Whether a rejection calls the request malformed (RFC 6750, section 3.1). */
const isMalformedRequest = ({ status, fields }: Reply): boolean =>
  status === 400 && /\berror="?invalid_request\b/i.test(fields['www-authenticate'] ?? '');

/** Characters of a credential that servers may find too long for a header. */
const LONG_CREDENTIAL = 1000;

const isLong = ({ credential }: Request): boolean => (credential?.value.length ?? 0) > LONG_CREDENTIAL;

/** What the requirements of a rule judge, and how. */
function mustReject(result: 'customer' | 'token', rule: Rule) {
  return {
    over: result === 'customer' ? customerCredentials : tokenCredentials,
    // A token that is the key itself is a right credential.
    only: (one: CredentialObservation<unknown>): boolean =>
      one.case.category === rule &&
      !one.rejectsClient &&
      one.exchange.request.credential?.value !== one.control.request.credential?.value,
    rejections: {
      category: rule,
      required: (result === 'customer' ? invalidCustomerCredentials : invalidTokenCredentials) as Scenario,
      valid: (result === 'customer' ? lateCustomers : lateTokens) as Scenario,
    },
    check: mustBeRejected(result),
    likelyCause: whatIsAccepted,
  };
}

/** How thoroughly combinations were tested, and which conditions HTTP/2 leaves out. */
function notesOf(
  observations: readonly CredentialObservation<unknown>[],
  { cases, route }: TargetSettings,
): string | undefined {
  const http2 =
    'without Connection: close, a chunked body and a request target in absolute form, which HTTP/2 does not have (RFC 9113, sections 8.2.2 and 8.3.1), and without a second Authorization field';
  const notes = [combinationNote(observations, cases) ?? [], route.http === '2' ? http2 : []].flat();
  return notes.length > 0 ? notes.join('; ') : undefined;
}

/** How many requests were sent on the connection of their control; undefined: all. */
function connectionsOf(observations: readonly { readonly sameConnection?: boolean }[]): string | undefined {
  const tried = observations.filter(({ sameConnection }) => sameConnection !== undefined);
  const same = tried.filter(({ sameConnection }) => sameConnection).length;
  return same === tried.length
    ? undefined
    : `${same} of ${tried.length} on the connection of their control; the target closed the others`;
}

/** The rule by which the service seems to accept credentials. The key is not in recorded evidence. */
function whatIsAccepted(
  observations: readonly CredentialObservation<unknown>[],
  { apiKey, recording }: TargetSettings,
): Cause | undefined {
  if (recording !== undefined) return undefined;
  return causeOfAccepted(
    observations
      .filter(({ case: { input } }) => input.credential.kind !== 'right key')
      .map(
        ({
          case: { input },
          exchange: { number, request, reply },
          sameConnection = false,
          isStored = false,
          accepted,
        }) => ({
          authorization: request.credential?.value,
          conditions: input.conditions.flatMap(namesOf),
          inherited: inheritedBy(input),
          body: request.body ?? Buffer.alloc(0),
          number,
          isAfterAccepted: sameConnection,
          isStored,
          accepted,
          status: reply.status,
        }),
      ),
    apiKey,
  );
}

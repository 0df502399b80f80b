import fc from 'fast-check';
import { hasPlainInput, isComparable, isServerError, isAccepted } from '../lib/engine/observation.ts';
import { firstToken } from '../lib/engine/readiness/first-contact.ts';
import { notThere } from '../lib/engine/readiness/diagnosis.ts';
import { expectsOAuth, isStatusOfMissingPath } from '../lib/engine/readiness/first-responses.ts';
import { requirement } from '../lib/engine/requirement.ts';
import type { Requirement } from '../lib/engine/requirement.ts';
import { mayBeElsewhere } from '../lib/engine/operations/credentials-in-reply.ts';
import { mayExpireTogether, scopesGranted } from '../lib/engine/operations/expiry.ts';
import { paths } from '../lib/engine/operations/request.ts';
import type { TokenObservation } from '../lib/engine/operations/token.ts';
import type { Cause } from '../lib/causes/cause.ts';
import { INCOMPLETE } from '../lib/causes/responses.ts';
import { causeOfEqualTokens } from '../lib/causes/tokens.ts';
import { asIs } from '../lib/inputs/shrinking.ts';
import { shrinkStyle } from '../lib/inputs/json-styles.ts';
import type { TokenInput } from '../lib/inputs/tokens.ts';
import { tokenResponse } from '../lib/schemas/interface.ts';
import { member } from '../lib/schemas/json.ts';
import { isPage, isSuccess, mayRejectInput, reportsError } from '../lib/target/reply.ts';
import { isGatewayFailure } from '../lib/target/retries/throttling.ts';
import { holdsSecret } from '../lib/target/output/redactor.ts';
import { bodyViolation, findClash, mustBeAccepted } from './checks.ts';
import { allTokens } from './plan.ts';
import { hasRewrittenScheme, rewrittenTokens } from './scenarios/http.ts';
import {
  encodedTokens,
  lateTokens,
  plainTokens,
  simultaneousTokens,
  variedTokens,
} from './scenarios/tokens.ts';

const ISSUED = 'a 2xx response that carries a token';

const plainTokenAccepted = requirement<TokenInput, TokenObservation>({
  id: 'token.plain.accepted',
  level: 'must',
  section: '4.2',
  statement: 'A valid request with valid credentials issues a token.',
  problem: 'A valid request with valid credentials does not issue a token.',
  sentence: 'Issue a scoped token',
  why: 'Issuing tokens is the purpose of the operation. The interface does not show which scopes and lifetimes are valid, but some must be.',
  tested:
    'A request with the scopes and the lifetime of the settings, at the start and at the end of the run. If it is rejected, common lifetimes and scopes are tried in turn; one of them must be accepted. A server error fails it, as does a connection that is closed at each try; responses that all end too early fail token.body.json. So does a server error in answer to some of several accepted requests that are repeated at the same instant, and a server error, a 401 or a 2xx without a token in answer to a request for other scopes, for another lifetime, or in another encoding or spelling, if the same request is accepted when it is repeated.',
  failure: 'Every token request is answered with 500, or with a 4xx, whatever it requests.',
  over: [
    firstToken,
    plainTokens,
    variedTokens,
    simultaneousTokens,
    lateTokens,
    encodedTokens,
    rewrittenTokens,
  ],
  unanswered: { in: [firstToken, plainTokens, lateTokens] },
  // If the first request is rejected, one for other scopes or another lifetime may be accepted.
  only: (observation) => {
    const { accepted, intermittent } = observation;
    const { reply } = observation.exchange;
    const { scenario } = observation.case;
    if (intermittent !== undefined) return true;
    // token.credential.present judges a success without a token.
    if (!accepted && isSuccess(reply)) return false;
    if (hasPlainInput(observation)) return true;
    if (scenario === firstToken.name) return accepted || reply.status >= 500;
    // Alone, each of them was accepted.
    return scenario === simultaneousTokens.name && isServerError(observation);
  },
  check: mustBeAccepted(ISSUED),
  note: (observations, { tokenScopes, tokenExpiresIn }) => {
    const used = observations.find(isAccepted)?.case.input;
    if (!used || (used.expiresIn === tokenExpiresIn && used.scopes.join() === tokenScopes.join()))
      return undefined;
    return `accepted with scopes ${used.scopes.join(' ')} and expires_in ${used.expiresIn}`;
  },
  likelyCause: noInputAccepted,
  shrinking: null,
});

const bodyIsJson = requirement({
  id: 'token.body.json',
  level: 'must',
  section: '1',
  statement: 'The body of the response is JSON.',
  problem: 'The body of a response is not JSON.',
  sentence: 'The service is an HTTP API with JSON bodies.',
  why: 'The shape of this body is not shown, but every client parses it as JSON.',
  tested:
    'Every 2xx response to a token request, also to one for hundreds of scopes; except an HTML page in response to a request that a service may reject. A response with the token in a header may have no body.',
  failure: 'The token comes as plain text, or the body is empty and there is no token elsewhere.',
  over: allTokens,
  only: (observation) =>
    isSuccessful(observation) && (observation.found !== undefined || !mayBeRejection(observation)),
  check: ({ found, exchange: { reply } }) =>
    found && reply.text === '' ? undefined : bodyViolation(tokenResponse, reply),
  shrinking: null,
  likelyCause: (observations) =>
    observations.every(({ exchange: { reply } }) => reply.isIncomplete) ? INCOMPLETE : undefined,
});

const credentialPresent = requirement({
  id: 'token.credential.present',
  level: 'must',
  section: '4.2',
  statement: 'The response carries the issued token.',
  problem: 'A response does not carry the issued token.',
  sentence: 'Issue a scoped token',
  why: 'The interface shows no other operation that returns a token: if this response does not carry it, its client never gets it.',
  tested:
    'Every 2xx response to a plain token request, and every other that is the record of a token. Any text may be the token, whatever its member is called and wherever it is, unless its name or form shows that it is something else, such as an id or a date. If there is none in the body, it may be in a header.',
  failure: 'The response has an id, the scopes and the lifetime of the token, but not the token.',
  over: allTokens,
  only: (observation) => isSuccessful(observation) && (hasPlainInput(observation) || isRecord(observation)),
  restsOn: [bodyIsJson],
  check: ({ found }) =>
    found
      ? undefined
      : {
          expected: 'a credential: a string in the body, whatever its member is called, or in a header',
          actual: 'nothing that is recognisable as one',
          pointer: '',
        },
  shrinking: null,
});

const credentialOwn = requirement({
  id: 'token.credential.own',
  level: 'must',
  section: '5.3',
  statement: 'The issued token is not the static key, which it replaces.',
  problem: 'The issued token is, or contains, the static key.',
  sentence: 'Version 2 replaces static keys with scoped, expiring tokens.',
  why: 'The static key has no scopes and does not expire: a client that passes on such a token passes on the key.',
  tested:
    'Every issued token is searched for the key of the run, also without its prefix, in the claims of a JWT and other Base64, in hexadecimal, in another case and reversed.',
  failure:
    'The service sends the static key back as `access_token`, alone or within a longer text, or names it as the `sub` of a JWT.',
  over: allTokens,
  only: isAccepted,
  restsOn: [bodyIsJson],
  check: ({ found }, { apiKey }) =>
    holdsKey(found!.text, apiKey)
      ? {
          expected: 'a token, which replaces the static key',
          actual: found!.text === apiKey ? 'the static key' : 'a token that contains the static key',
          pointer: found!.place,
        }
      : undefined,
  shrinking: null,
});

const credentialDistinct = requirement({
  id: 'token.credential.distinct',
  level: 'must',
  section: '5.3',
  statement: 'Tokens for different scopes or lifetimes are different.',
  problem: 'Tokens for different scopes or lifetimes are equal.',
  sentence: 'A token is requested with a list of scopes and an `expires_in` value (see 4.2).',
  why: 'One text cannot have two sets of scopes, or expire at two times: one of the two clients did not get the token that it requested.',
  tested:
    'Tokens for different scopes or lifetimes are compared, also those issued at the same instant. Equal tokens pass if the responses report no scope that only one of the requests named, and no different expiry. If they report no scopes, the requests must share one, or one of them must name none, and none of their other scopes may have a token of its own. Equal texts in a member that is not named as a token pass, if the responses differ in another text that may be the token.',
  failure: 'All requests with one key get the same cached token, whatever they request.',
  over: allTokens,
  // A token that is the key breaks another requirement, and is the same each time.
  only: (one) => one.accepted && !isKey(one),
  restsOn: [bodyIsJson],
  compare: (observations) =>
    findClash(
      observations,
      ({ found }) => found!.text,
      (_, first, second) =>
        !first ||
        !second ||
        (haveScopesInCommon(first, second, observations) && haveLifetimeInCommon(first, second)) ||
        mayBeElsewhere(second.found!, first.exchange.reply, second.exchange.reply)
          ? undefined
          : {
              expected: 'a token of its own for these scopes and this lifetime',
              actual: 'the same token as the other request',
              pointer: second.found!.place,
            },
    ),
  likelyCause: (observations) =>
    causeOfEqualTokens(
      observations
        .toSorted((one, other) => one.exchange.number - other.exchange.number)
        .flatMap(({ found, case: { input } }) => (found ? { token: found.text, ...input } : [])),
    ),
});

const tokenEncodingIrrelevant = requirement({
  id: 'token.encoding.irrelevant',
  level: 'must',
  section: '4.2',
  statement: 'The same JSON object in another encoding has the same outcome.',
  problem: 'The same JSON object in another encoding has another outcome.',
  sentence: 'Request body (JSON object)',
  why: 'Order of members, white space and escapes do not change a JSON object (RFC 8259), and each JSON library writes them in its own way.',
  tested:
    'The token request that was accepted, in other encodings: members in reverse order, white space, escapes. Where one is rejected, the same request is sent in its usual encoding. If that is accepted, the rejection counts, unless it is for a conflict (409, 423, 425) that does not recur, for the length (413) or for the rate of requests. A server error that does not recur when the same request is repeated is not compared: it fails token.plain.accepted.',
  failure: '`expires_in` is only found where it is the second member.',
  over: [encodedTokens],
  only: (observation) => observation.controlAccepted !== false && isComparable(observation),
  check: mustBeAccepted('the outcome of the same object in its usual encoding: a 2xx response with a token'),
  shrinking: fc.record({ scopes: asIs<readonly string[]>(), expiresIn: asIs<number>(), style: shrinkStyle }),
});

/** What was tried if the target rejects every token request, and how to request what it accepts. */
function noInputAccepted(observations: readonly TokenObservation[]): Cause | undefined {
  const scenarios = [firstToken.name, plainTokens.name];
  const tried = observations.filter((one) => scenarios.includes(one.case.scenario));
  const areRejected = tried.every(({ exchange: { reply } }) => mayRejectInput(reply));
  const inputs = tried.map((one) => one.case.input);
  const countOf = (values: readonly unknown[]): number => new Set(values).size;
  const lifetimes = countOf(inputs.map(({ expiresIn }) => expiresIn));
  const lists = countOf(inputs.map(({ scopes }) => scopes.join(' ')));
  if (tried.length > 0 && tried.every(({ exchange: { reply } }) => expectsOAuth(reply)))
    return {
      id: 'token-oauth',
      text: 'the service expects a form with a grant_type, as OAuth has it, not the JSON body of section 4.2',
      next: 'Serve POST /v2/tokens by an operation that reads scopes and expires_in from a JSON body.',
    };
  const [reply] = tried.map(({ exchange }) => exchange.reply);
  const status = reply?.status ?? 0;
  const isSame = tried.every(({ accepted, exchange }) => !accepted && exchange.reply.status === status);
  if (isSame && reply !== undefined && isStatusOfMissingPath(reply) && !isGatewayFailure(reply))
    return {
      id: 'token-missing',
      text: `every plain token request is rejected with ${status}`,
      next: `${notThere(paths.tokens)}.`,
    };
  if (isSame && [401, 402, 403].includes(status))
    return {
      id: 'token-forbidden',
      text: `every plain token request is rejected with ${status}`,
      next: 'See the response for the reason: the key may lack a permission, or its account a plan. Use a key that may issue tokens, or set TARGET_TOKEN_SCOPES to scopes that this one may request.',
    };
  if (isSame && status >= 500)
    return {
      id: 'token-fails',
      text: `the service fails with ${status} on every plain token request`,
      next: 'See the log of the service: its database, or another service that it needs, may be missing.',
    };
  return areRejected && lifetimes > 1
    ? {
        id: 'token-input',
        text: `none of ${lifetimes} lifetimes and ${lists} lists of scopes is accepted`,
        next: 'See the response for the reason. If it is the lifetime or the scopes, set TARGET_TOKEN_EXPIRES_IN and TARGET_TOKEN_SCOPES to what the service accepts.',
      }
    : undefined;
}

/** The requirements of section 4.2, and those of sections 1 and 5.3 about tokens. */
export const tokenRequirements: readonly Requirement[] = [
  plainTokenAccepted,
  bodyIsJson,
  credentialPresent,
  credentialOwn,
  credentialDistinct,
  tokenEncodingIrrelevant,
];

/** Whether the token is the credential of its request. */
const isKey = ({ found, exchange: { request } }: TokenObservation): boolean =>
  request.credential?.value === `Bearer ${found!.text}`;

function isSuccessful({ exchange: { reply } }: TokenObservation): boolean {
  return isSuccess(reply);
}

/** Whether a 2xx response may be the rejection of a request that a service need not accept. */
const mayBeRejection = (observation: TokenObservation): boolean =>
  hasRewrittenScheme(observation) || (!hasPlainInput(observation) && isPage(observation.exchange.reply));

/** Whether a response is the record of a token, with or without it, and not a rejection with a 2xx status. */
function isRecord({ found, case: { input }, exchange: { reply } }: TokenObservation): boolean {
  if (found === undefined && reportsError(reply.json)) return false;
  const repeatsScopes = JSON.stringify(member(reply.json, 'scopes')) === JSON.stringify(input.scopes);
  return found !== undefined || repeatsScopes || member(reply.json, 'expires_in') === input.expiresIn;
}

/**
 * Whether two requests for different scopes may get the same token: one that is reported to have only scopes that both
 * requested, as a service may ignore the others, or that neither did, as it may have a default (RFC 6749, section 3.3).
 * Where none are reported, it may have only those that both requested, or its default if one requested none: unless a scope
 * that only one of them requested has another token of its own, and so is not ignored.
 */
function haveScopesInCommon(
  first: TokenObservation,
  second: TokenObservation,
  all: readonly TokenObservation[],
): boolean {
  const [one, other] = [first.case.input.scopes, second.case.input.scopes];
  const lists = [first, second].flatMap(({ exchange, found }) => scopesGranted(exchange, found!));
  return lists.length > 0
    ? lists.flat().every((scope) => one.includes(scope) === other.includes(scope))
    : (one.length * other.length === 0 || one.some((scope) => other.includes(scope))) &&
        !all.some(
          ({ found, case: { input } }) =>
            found!.text !== first.found!.text &&
            input.expiresIn === first.case.input.expiresIn &&
            input.scopes.length === 1 &&
            one.includes(input.scopes[0]!) !== other.includes(input.scopes[0]!),
        );
}

/**
 * Whether two requests for different lifetimes may get the same token: unless the responses report different ends.
 * Limits of lifetimes (interface, section 8) and the record of a token (section 2) are not shown.
 */
const haveLifetimeInCommon = (first: TokenObservation, second: TokenObservation): boolean =>
  first.case.input.expiresIn === second.case.input.expiresIn ||
  mayExpireTogether(first.exchange, second.exchange);

/** Characters that a key has after its prefix: fewer may be in a token by chance. */
const MIN_DISTINCTIVE_LENGTH = 16;

/** Whether a token contains the key, or what follows its prefix, such as `sk_live_`. */
function holdsKey(token: string, key: string): boolean {
  const secret = key.replace(/^(?:[a-z]{1,8}_){1,3}/i, '');
  return holdsSecret(token, secret.length < MIN_DISTINCTIVE_LENGTH ? key : secret);
}

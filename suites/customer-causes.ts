import { isClientError, isPage, isSuccess, mayRejectInput } from '../lib/target/reply.ts';
import { MIN_SAMPLE, OVERTAKING } from '../lib/causes/cause.ts';
import type { Cause } from '../lib/causes/cause.ts';
import {
  causeOfBodies,
  causeOfIds,
  causeOfListed,
  causeOfMissing,
  causeOfRejectedNames,
  causeOfSentIds,
} from '../lib/causes/customers.ts';
import type { CreatedCustomer } from '../lib/causes/customers.ts';
import { INCOMPLETE } from '../lib/causes/responses.ts';
import { CROSSED, causeOfEchoes } from '../lib/causes/texts.ts';
import type { ReturnedText } from '../lib/causes/texts.ts';
import { idOf, isWrongIn } from '../lib/engine/operations/customer.ts';
import { paths } from '../lib/engine/operations/request.ts';
import type { CustomerObservation } from '../lib/engine/operations/customer.ts';
import { hasPlainInput, isAccepted } from '../lib/engine/observation.ts';
import { notThere } from '../lib/engine/readiness/diagnosis.ts';
import { isStatusOfMissingPath, namesQuota } from '../lib/engine/readiness/first-responses.ts';
import type { Observation } from '../lib/engine/observation.ts';
import { firstCustomer } from '../lib/engine/readiness/first-contact.ts';
import { isGatewayFailure } from '../lib/target/retries/throttling.ts';
import { plainAddress } from '../lib/inputs/addresses.ts';
import { isObject, member, parseJson } from '../lib/schemas/json.ts';
import type { Reply } from '../lib/target/reply.ts';
import { customersAfterRejection, repeatedCustomers, simultaneousCustomers } from './scenarios/customers.ts';

/** Why plain customers are rejected. */
export const causeOfRejection = (observations: readonly Observation[]): Cause | undefined =>
  failingSince(observations) ??
  rejectedAfterRejection(observations) ??
  rejectedTogether(observations) ??
  allRejected(observations) ??
  rejectedNames(observations);

/** Why bodies are no JSON objects. */
export const causeOfWrongBodies = (observations: readonly Observation[]): Cause | undefined =>
  cutBodies(observations) ??
  unescapedTexts(observations) ??
  unescapedControls(observations) ??
  unknownEscapes(observations) ??
  textBesideJson(observations) ??
  causeOfBodies(observations.filter(isAccepted).map(({ exchange: { reply } }) => reply.json));

/** Exactly the bodies with characters beyond ASCII are cut off. */
function cutBodies(observations: readonly Observation[]): Cause | undefined {
  const bodies = observations
    .map(({ exchange: { reply } }) => reply)
    .filter((reply) => isSuccess(reply) && reply.part === undefined && reply.text.startsWith('{'));
  const isCut = ({ notJson, text, fields }: Reply): boolean =>
    notJson !== undefined && !text.trimEnd().endsWith('}') && fields['content-length'] !== undefined;
  const cut = bodies.filter(isCut);
  const areExplained = bodies.every((reply) => isCut(reply) === /[^\0-\x7f]/.test(reply.text));
  if (cut.length < MIN_SAMPLE || !areExplained) return undefined;
  return {
    id: 'length-in-characters',
    text: 'bodies with characters beyond ASCII are cut off',
    next: 'Count bytes for Content-Length, not characters (RFC 9110, section 8.6).',
  };
}

/** What succeeded with a body that is no JSON. */
const withUnreadableBody = (observations: readonly Observation[]): readonly Observation[] =>
  observations.filter(({ exchange: { reply } }) => isSuccess(reply) && reply.notJson !== undefined);

/** Each body that is no JSON has a submitted text in it as it was sent, though JSON needs escapes in it. */
function unescapedTexts(observations: readonly Observation[]): Cause | undefined {
  const unreadable = withUnreadableBody(observations);
  const areUnescaped = unreadable.every((one) =>
    Object.values((one as CustomerObservation).submitted ?? {}).some(
      (text) => JSON.stringify(text) !== `"${text}"` && one.exchange.reply.text.includes(`"${text}"`),
    ),
  );
  if (unreadable.length < MIN_SAMPLE || !areUnescaped) return undefined;
  return {
    id: 'unescaped',
    text: 'texts are put into the JSON without escapes',
    next: 'Write the body with a JSON library, not by joining texts.',
  };
}

/** Each body that is no JSON would be JSON if the controls in it had escapes. */
function unescapedControls(observations: readonly Observation[]): Cause | undefined {
  const escaped = (control: string): string => JSON.stringify(control).slice(1, -1);
  const unreadable = withUnreadableBody(observations);
  const areUnescaped = unreadable.every(
    ({ exchange: { reply } }) =>
      // JSON that clients can't read for another reason, such as its content coding.
      parseJson(reply.text) === undefined &&
      parseJson(reply.text.replaceAll(/\p{Cc}/gu, escaped)) !== undefined,
  );
  if (unreadable.length < MIN_SAMPLE || !areUnescaped) return undefined;
  return {
    id: 'unescaped',
    text: 'control characters are put into the JSON without escapes',
    next: 'Write the body with a JSON library that escapes all characters below U+0020 (RFC 8259, section 7).',
  };
}

/** An escape of JSON, or anything else after a backslash. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4}|.)/gs;
const isOfJson = (escape: string): boolean => /^\\(?:["\\/bfnrt]|u.{4})$/s.test(escape);

/** Each body that is no JSON has escapes that JSON does not have, and would be JSON without them. */
function unknownEscapes(observations: readonly Observation[]): Cause | undefined {
  const texts = withUnreadableBody(observations).map(({ exchange: { reply } }) => reply.text);
  const isExplained = (text: string): boolean =>
    text.match(ESCAPES)?.every(isOfJson) === false &&
    // Of a long body, only the beginning is kept.
    (!text.trimEnd().endsWith('}') ||
      parseJson(text.replaceAll(ESCAPES, (escape) => (isOfJson(escape) ? escape : ''))) !== undefined);
  if (texts.length < MIN_SAMPLE || !texts.every(isExplained)) return undefined;
  return {
    id: 'unescaped',
    text: 'there are escapes in the body that JSON does not have',
    next: 'Write the body with a JSON library, not with a function that quotes texts for a programming language or SQL.',
  };
}

/** Each body that is no JSON is an object with other text before or after it. */
function textBesideJson(observations: readonly Observation[]): Cause | undefined {
  const unreadable = withUnreadableBody(observations);
  const places = unreadable.map(({ exchange: { reply } }) => {
    const text = reply.text.trim();
    const [start, end] = [text.search(/\{\s*"/), text.lastIndexOf('}') + 1];
    if (start === -1 || parseJson(text.slice(start, end)) === undefined) return undefined;
    return [start > 0 && 'before', end < text.length && 'after'].filter(Boolean).join(' and ');
  });
  const [place, ...others] = new Set(places);
  if (!place || others.length > 0) return undefined;
  return {
    id: 'beside-json',
    text: `there is other text ${place} the JSON`,
    next: 'Return nothing but the JSON: no warning, debug output, prefix or callback. Write warnings to the log (PHP: display_errors=0).',
  };
}

/** Why an id is missing or of another form. */
export const causeOfIdForm = (observations: readonly CustomerObservation[]): Cause | undefined =>
  causeOfMisplaced(observations, 'id') ?? causeOfSentIds(createdCustomers(observations));

/** Why two customers have the same id. */
export function causeOfRepeatedIds(observations: readonly CustomerObservation[]): Cause | undefined {
  const customers = createdCustomers(observations);
  return causeOfSentIds(customers) ?? causeOfIds(customers);
}

/** Why a name or an email differs from the submitted one. */
export const causeOfEcho =
  (name: 'name' | 'email') =>
  (observations: readonly CustomerObservation[]): Cause | undefined => {
    const misplaced =
      causeOfMisplaced(observations, name) ?? causeOfFound(observations, (all) => areOwn(all, name));
    const cause = misplaced ?? causeOfEchoes(echoesIn(observations, name));
    return cause === CROSSED ? causeOfForeignValues(observations) : cause;
  };

/** Why a response carries the name or the email of another request. */
export const causeOfForeignValues = (observations: readonly CustomerObservation[]): Cause =>
  // Not every request with the id of a foreign value may have been observed.
  causeOfFound(observations, (all) => all.length === 1 || (areOwn(all, 'name') && areOwn(all, 'email'))) ??
  (areNamesKept(observations) ? NAME_KEPT : CROSSED);

/**
 * An earlier customer is looked up and returned.
 * @param isExplained whether that explains the responses with one id
 */
function causeOfFound(
  observations: readonly CustomerObservation[],
  isExplained: (sharing: readonly CustomerObservation[]) => boolean,
): Cause | undefined {
  const cause = causeOfRepeatedIds(observations);
  if (cause?.id !== 'ids-found') return undefined;
  const accepted = Map.groupBy(observations.filter(isAccepted), ({ exchange: { reply } }) => idOf(reply));
  return [...accepted.values()].every(isExplained) ? cause : undefined;
}

/** Whether each returned value is that of one of the requests. */
function areOwn(all: readonly CustomerObservation[], name: 'name' | 'email'): boolean {
  const submitted = new Set<unknown>(all.map((one) => one.submitted[name]));
  return all.every(({ exchange: { reply } }) => submitted.has(member(reply.json, name)));
}

const NAME_KEPT: Cause = {
  id: 'name-kept',
  text: 'the name is that of an earlier customer with the same email',
  next: 'Create a customer for each request: look for an upsert that keeps the first name, or a lookup by the email.',
};

/** Whether each wrong name is that of an earlier request with the same email. */
function areNamesKept(observations: readonly CustomerObservation[]): boolean {
  const all = observations
    .filter(({ accepted, exchange: { reply } }) => accepted && isObject(reply.json) && !reply.part)
    .map(({ submitted, exchange: { number, reply } }) => ({
      number,
      submitted,
      got: member(reply.json, 'name'),
    }));
  const wrong = all.filter(({ submitted, got }) => got !== submitted.name);
  return (
    wrong.length > 0 &&
    wrong.every(({ number, submitted: { email }, got }) =>
      all.some(
        (one) =>
          one.number < number &&
          one.submitted.name === got &&
          one.submitted.email.toLowerCase() === email.toLowerCase(),
      ),
    )
  );
}

/** Whether the email of a customer has the domain of plain ones. */
const isAtPlainDomain = (one: Observation): boolean =>
  (one as CustomerObservation).submitted.email.endsWith(`@${plainAddress.domain}`);

/** Every plain customer gets the same response without a customer, by its status. */
function allRejected(observations: readonly Observation[]): Cause | undefined {
  const plain = observations.filter(hasPlainInput);
  const [reply] = plain.map(({ exchange }) => exchange.reply);
  const status = reply?.status;
  if (!reply || plain.some((one) => one.accepted || one.exchange.reply.status !== status)) return undefined;
  if (plain.every(({ exchange }) => exchange.reply.isIncomplete)) return INCOMPLETE;
  if (typeof reply.json === 'string' && reply.json.startsWith('{'))
    return {
      id: 'encoded-twice',
      text: 'the body is a JSON string that contains the customer',
      next: 'Return the object itself: it was written as JSON twice.',
    };
  if (isSuccess(reply))
    return {
      id: 'plain-without-customer',
      text: `every plain customer gets ${status} without a customer`,
      next: 'Return id, name and email in the body. If this is not the response of the service, check TARGET_BASE_URL: another service may be at that address.',
    };
  if (namesQuota(reply))
    return {
      id: 'plain-over-limit',
      text: `every plain customer is rejected with ${status}, for a limit on their number`,
      next: 'Raise that limit, or delete what earlier runs have created.',
    };
  if (!observations.some(isAccepted) && isStatusOfMissingPath(reply) && !isGatewayFailure(reply))
    return {
      id: 'plain-missing',
      text: `every plain customer is rejected with ${status}`,
      next: `${notThere(paths.customers)}.`,
    };
  if ([401, 402, 403].includes(reply.status))
    return {
      id: 'plain-forbidden',
      text: `every plain customer is rejected with ${status}`,
      next: 'See the response for the reason: the key may lack a permission, or its account a plan. Use a key that may create customers.',
    };
  if (reply.status >= 500)
    return {
      id: 'plain-fails',
      text: `the service fails with ${status} on every plain customer`,
      next: 'See the log of the service: its database, or another service that it needs, may be missing.',
    };
  return {
    id: 'plain-rejected',
    text: `every plain customer is rejected with ${status}`,
    next: `See the response and the log of the service for the reason: the interface shows name and email, and no other member or header. ${observations.some((one) => one.accepted && isAtPlainDomain(one)) ? 'Other customers are accepted.' : 'If it rejects reserved domains, set --email-domain to one of yours.'}`,
  };
}

/** Fewest server errors in a row by which they began at some moment. */
const MIN_ERRORS = 10;

/** All customers since some moment get the same server error, plain ones as well, and none did before. */
function failingSince(observations: readonly Observation[]): Cause | undefined {
  const numberOf = ({ exchange: { number } }: Observation): number => number;
  const lastAccepted = Math.max(0, ...observations.filter(isAccepted).map(numberOf));
  const errors = observations.filter(({ exchange: { reply } }) => reply.status >= 500);
  const first = Math.min(...errors.map(numberOf));
  const since = observations.filter((one) => numberOf(one) >= first && !isAccepted(one));
  const statuses = new Set(since.map(({ exchange: { reply } }) => reply.status));
  const [status] = statuses;
  const isLasting = lastAccepted > 0 && first > lastAccepted - OVERTAKING;
  if (!isLasting || errors.length < MIN_ERRORS || statuses.size > 1 || !errors.some(hasPlainInput))
    return undefined;
  return {
    id: 'fails-since',
    text: `every customer since exchange ${first} gets status ${status}`,
    next: 'See the log of the service at that moment: the space of its database, its memory or its connections may have been used up.',
  };
}

/** What the names of the rejected plain customers have in common. */
function rejectedNames(observations: readonly Observation[]): Cause | undefined {
  const plain = observations.filter((one): one is CustomerObservation => hasPlainInput(one));
  const isOther = plain.some(({ accepted, exchange: { reply } }) => !accepted && !isClientError(reply));
  if (isOther) return undefined;
  return causeOfRejectedNames(plain.map(({ accepted, submitted: { name } }) => ({ name, accepted })));
}

/** A rejected request affects the next one, which explains the other plain customers that failed. */
function rejectedAfterRejection(observations: readonly Observation[]): Cause | undefined {
  const rejectionIn = (name: string): Reply | undefined =>
    observations.find(
      ({ accepted, exchange: { reply }, case: { scenario } }) =>
        !accepted && isClientError(reply) && scenario === name,
    )?.exchange.reply;
  const rejection = rejectionIn(customersAfterRejection.name);
  if (rejection === undefined || rejectionIn(firstCustomer.name)) return undefined;
  // The rest of a body is not a request line: the server answers it, not the handler of the operation.
  if (rejection.status === 400 && isGenericRejection(rejection))
    return {
      id: 'unread',
      text: 'a rejected request breaks the next one on its connection',
      next: 'Read the whole body before a request is rejected, or close the connection (RFC 9112, section 9.3).',
    };
  const rejected = observations.filter((one) => hasPlainInput(one) && !one.accepted);
  const first = Math.min(...rejected.map(({ exchange: { number } }) => number));
  const isInterleaved = observations.some(({ accepted, exchange: { number } }) => accepted && number > first);
  // One of several instances may have another key.
  const isAlsoTogether = rejected.some(({ case: { scenario } }) => scenario === simultaneousCustomers.name);
  if (
    isInterleaved &&
    !isAlsoTogether &&
    rejected.length > 1 &&
    rejected.every(({ exchange: { reply } }) => reply.status === 401)
  )
    return {
      id: 'connection',
      text: 'the key is rejected directly after a request without it',
      next: 'Authenticate every request independently of earlier requests, on its connection and on others.',
    };
  // A 401 does not depend on what is stored; and if other customers are rejected too, this one shows nothing in particular.
  const isOnly = rejected.every(({ case: { scenario } }) => scenario === customersAfterRejection.name);
  if (rejection.status === 401 || !isOnly) return undefined;
  return {
    id: 'stored',
    text: 'a customer that was sent without a credential is rejected when it is sent with the right one',
    next: 'Check the credential of a request before you store anything from it.',
  };
}

/** What servers say of bytes that are no request, such as the one of Python's library, uvicorn or Jetty. */
const NO_REQUEST =
  /^\W*(?:(?:400|bad request(?: syntax)?|bad message|invalid http request(?: received)?)\W*)*$/i;

/** Whether a rejection contains no words but those of its status, or of a server that has read no request. */
const isGenericRejection = (reply: Reply): boolean =>
  isPage(reply) || (reply.json === undefined && NO_REQUEST.test(reply.text));

/** Only customers that are sent at the same instant are rejected, all of them: these arrive in two pieces. */
function rejectedTogether(observations: readonly Observation[]): Cause | undefined {
  const plain = observations.filter(hasPlainInput);
  const isTogether = ({ case: { scenario } }: Observation): boolean =>
    scenario === simultaneousCustomers.name || scenario === repeatedCustomers.name;
  const [first, ...others] = plain.filter(isTogether);
  const isAsExpected = plain.every((one) => one.accepted !== isTogether(one));
  if (others.length === 0 || !isAsExpected || !mayRejectInput(first!.exchange.reply)) return undefined;
  return {
    id: 'together',
    text: `customers that are sent at the same instant, the last byte of each after the others, are rejected with ${first!.exchange.reply.status}`,
    next: 'Read a body until it is complete, as it may arrive in pieces. Where few requests are served at a time, let the others wait.',
  };
}

/** Where the customer is in all bodies, or the name of one of its members, if not as the interface shows. */
function causeOfMisplaced(
  observations: readonly CustomerObservation[],
  name: 'id' | 'name' | 'email',
): Cause | undefined {
  const responses = observations.filter(isAccepted).map(({ submitted, exchange: { reply } }) => ({
    body: reply.json,
    ...(name !== 'id' && { value: submitted[name] }),
  }));
  return (
    causeOfBodies(responses.map(({ body }) => body)) ??
    causeOfMissing(name, responses) ??
    causeOfListed(name, responses)
  );
}

/** The submitted and the returned value of each accepted request. */
const echoesIn = (observations: readonly CustomerObservation[], name: 'name' | 'email'): ReturnedText[] =>
  observations
    .toSorted((one, other) => one.exchange.number - other.exchange.number)
    .filter(
      ({ accepted, submitted, exchange: { reply } }) =>
        accepted && isObject(reply.json) && (!reply.part || isWrongIn(reply, name, submitted)),
    )
    .map(({ submitted, exchange: { reply } }) => ({
      sent: submitted[name],
      got: member(reply.json, name),
      other: submitted[name === 'name' ? 'email' : 'name'],
    }));

/** The customers whose ids are texts, in the order of their responses. */
const createdCustomers = (observations: readonly CustomerObservation[]): CreatedCustomer[] =>
  observations
    .toSorted((one, other) => one.exchange.number - other.exchange.number)
    .flatMap(({ accepted, submitted, case: { input }, exchange: { reply } }) => {
      const id = idOf(reply);
      const sentId = input.id;
      return accepted && typeof id === 'string' ? [{ id, sentId, ...submitted, reply: reply.text }] : [];
    });

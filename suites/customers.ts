import fc from 'fast-check';
import { isPartOf, isDistinctive } from '../lib/causes/texts.ts';
import { idOf, isWrongIn } from '../lib/engine/operations/customer.ts';
import type { CustomerObservation } from '../lib/engine/operations/customer.ts';
import type { Violation } from '../lib/engine/judging/finding.ts';
import { firstCustomer } from '../lib/engine/readiness/first-contact.ts';
import { IDENTICAL, hasPlainInput, isComparable, isAccepted } from '../lib/engine/observation.ts';
import type { Observation } from '../lib/engine/observation.ts';
import { requirement } from '../lib/engine/requirement.ts';
import type { Clash, Requirement } from '../lib/engine/requirement.ts';
import type { Scenario } from '../lib/engine/scenario.ts';
import { shortId } from '../lib/engine/sampling.ts';
import type { Address } from '../lib/inputs/addresses.ts';
import { isSpecialValue } from '../lib/inputs/names.ts';
import type { CustomerInput } from '../lib/inputs/customers.ts';
import { asIs } from '../lib/inputs/shrinking.ts';
import { shrinkStyle } from '../lib/inputs/json-styles.ts';
import { customerResponse, jsonObject } from '../lib/schemas/interface.ts';
import { bodyText } from '../lib/target/exchange.ts';
import { shown } from '../lib/target/output/printable.ts';
import { isSuccess, isUnreadable } from '../lib/target/reply.ts';
import { member } from '../lib/schemas/json.ts';
import { bodyViolation, findClash, echoViolation, schemaViolation, mustBeAccepted } from './checks.ts';
import {
  causeOfForeignValues,
  causeOfWrongBodies,
  causeOfEcho,
  causeOfIdForm,
  causeOfRejection,
  causeOfRepeatedIds,
} from './customer-causes.ts';
import { allCustomers } from './plan.ts';
import {
  customersAfterRejection,
  encodedCustomers,
  lateCustomers,
  plainCustomers,
  repeatedCustomers,
  simultaneousCustomers,
} from './scenarios/customers.ts';
import { malformedRequests, rewrittenCustomers } from './scenarios/http.ts';
import { combinedCustomers } from './scenarios/combined-customers.ts';
import { simplifiedCustomers } from './scenarios/simplified-customers.ts';
import { wideCustomers } from './scenarios/wide-customers.ts';

const CREATED = 'a 2xx response that carries the customer: its id, name and email';

/** Differences between requests that must not change the outcome. */
function despite({ scenario, category }: Observation['case']): string {
  if (scenario === customersAfterRejection.name)
    return ', though the request before it on the connection was rejected';
  return category === IDENTICAL ? ', though an identical request was sent at the same instant' : '';
}

const plainAccepted = requirement({
  id: 'customer.plain.accepted',
  level: 'must',
  section: '4.1',
  statement: 'A valid request with valid credentials creates a customer.',
  problem: 'A valid request with valid credentials does not create a customer.',
  sentence:
    'when a valid request is sent with valid credentials, the response carries a new id plus the submitted name and email.',
  why: 'Creating customers is the purpose of the operation. The interface does not show what makes a request valid, but two short ASCII words and a simple address are valid by any rule.',
  tested:
    'Plain customers are created at the start of the run, after the same request without a credential on the same connection, at the same instant as others, their last byte in a packet of its own, among other traffic, and at the end, also with the headers of fetch in Node.js. Each must be accepted: a 2xx response that carries the customer. A request that got a server error, a 401, or a 2xx without a customer, is repeated unchanged. If it is accepted then, it is valid: that response fails the requirement, also if the request is in another encoding or spelling, or was sent twice at the same instant. A connection that is closed at each try fails it, too, as do responses that all end too early. For a service that rejects reserved domains, set `--email-domain` to another one.',
  failure:
    'Some of sixteen simultaneous requests are answered with 500. A name is answered with 500, then accepted when it is repeated.',
  over: [
    firstCustomer,
    plainCustomers,
    lateCustomers,
    wideCustomers,
    simplifiedCustomers,
    combinedCustomers,
    encodedCustomers,
    rewrittenCustomers,
    // The failure of a customer on its own is shown rather than one that may be due to other requests.
    simultaneousCustomers,
    repeatedCustomers,
    customersAfterRejection,
  ],
  unanswered: {
    category: 'plain',
    // Not after a rejected request, whose connection the target may close.
    in: [firstCustomer, plainCustomers, simultaneousCustomers, repeatedCustomers, lateCustomers],
  },
  only: (observation) => hasPlainInput(observation) || observation.intermittent !== undefined,
  check: (observation) => mustBeAccepted(CREATED + despite(observation.case))(observation),
  shrinking: null,
  likelyCause: causeOfRejection,
});

export const bodyIsObject = requirement({
  id: 'customer.body.object',
  level: 'must',
  section: '4.1',
  statement: 'The body of the response is a JSON object.',
  problem: 'The body of a response is not a JSON object.',
  sentence: 'Response body (JSON object)',
  why: 'A client reads id, name and email as members of one object. In any other body it finds none of them.',
  tested:
    'Every response that creates a customer: to plain, wide, simultaneous, repeated and encoded requests; and every 2xx whose body cannot be decoded: a damaged content coding, or JSON that is not text.',
  failure:
    'The customer comes as the item of an array, `[{"id": …}]`, or as two objects in a row. A compressed response is cut off.',
  over: [...allCustomers, malformedRequests as Scenario],
  // Malformed requests include those for a token.
  only: ({ accepted, case: { category }, exchange: { reply } }) =>
    accepted || (category !== 'tokens' && isSuccess(reply) && isUnreadable(reply)),
  check: ({ exchange: { reply } }) => bodyViolation(jsonObject, reply),
  likelyCause: causeOfWrongBodies,
});

const idForm = requirement({
  id: 'customer.id.form',
  level: 'must',
  section: '2',
  statement: 'id is a string: cus_ followed by an identifier.',
  problem: 'id is not a string of the form cus_ followed by an identifier.',
  sentence: 'Starts with the prefix `cus_`, followed by an identifier: `cus_<customer_id>`.',
  why: 'Clients store an id as a string, and recognise the id of a customer by its prefix.',
  tested:
    'The id in every response that creates a customer. Any text on one line that neither begins nor ends with white space is an identifier. Requests that send an id may be rejected, or the id ignored, but it must not be used: the service assigns it.',
  failure:
    'An id is a number, has the prefix `cust_`, is `cus_` and nothing more, or is the one that the request sent.',
  over: allCustomers,
  only: isAccepted,
  restsOn: [bodyIsObject],
  check: (observation) => {
    const id = idOf(observation.exchange.reply);
    return isTakenOver(observation)
      ? {
          expected: 'an id that the service assigns',
          actual: `${shown(id)}, with the id that was sent`,
          pointer: '/id',
        }
      : schemaViolation(customerResponse.shape.id, id, '/id');
  },
  likelyCause: causeOfIdForm,
});

const idNew = requirement({
  id: 'customer.id.new',
  level: 'must',
  section: '4.1',
  statement: 'Every created customer has a new id.',
  problem: 'Two customers have the same id.',
  sentence: 'the response carries a new id plus the submitted name and email.',
  why: 'Two customers with the same id cannot be distinguished: a client that refers to one may get the other.',
  tested:
    'All ids of the run are compared: those of plain and wide customers, of customers created at the same instant, and of the same body, with an email that is new, sent several times at once, with an id of the form that the service assigns. Where ids are short, more customers are created until two of them would be expected to share one.',
  failure:
    'Two simultaneous requests get the same id. Ids are made from the time in seconds, from the name, or from a small counter. A repeated body gets the id of the first.',
  over: allCustomers,
  only: isAccepted,
  // Ids of another form can be compared, too.
  restsOn: [bodyIsObject, { ...idForm, only: (one: Observation) => one.accepted && !hasComparableId(one) }],
  comparesIds: true,
  compare: (observations, summarised) =>
    findClash(
      observations,
      ({ exchange: { reply } }) => shortId(idOf(reply) as string),
      (id) => ({
        expected: 'an id that no other customer of this run has',
        actual: shown(id),
        pointer: '/id',
      }),
      summarised,
    ),
  likelyCause: causeOfRepeatedIds,
});

export const nameEchoed = requirement({
  id: 'customer.name.echoed',
  level: 'must',
  section: '4.1',
  statement: 'name equals the submitted name.',
  problem: 'name differs from the submitted name.',
  sentence: 'string, equals the submitted name',
  why: 'A client that stores the response stores a name that nobody submitted.',
  tested:
    'The name in every response that creates a customer, to the code point: names as people have them, which strict validators accept; letters of all planes, composed and decomposed accents, controls, white space, markup, quotes, words such as null, number-like texts, and lengths up to thousands; also names of up to 96 KiB in which every boundary of a block splits a character, in chunks and with the content codings that clients accept, and names and emails that differ from those of an earlier customer in their spelling. A rejected name is not judged; what it consists of is repeated in names of the characters and lengths that the target accepts. If a response is too long to be read to its end, a name that already differs in the part that was read fails.',
  failure:
    "`O'Brien` comes back as `O&#39;Brien`, ` Ada` without its space, `İ` in lower case, a long name cut at 255 characters, a name as an earlier customer with the same email had it.",
  over: allCustomers,
  only: isAccepted,
  judgesPart: ({ submitted, exchange: { reply } }) => isWrongIn(reply, 'name', submitted),
  restsOn: [bodyIsObject],
  check: ({ submitted, exchange: { reply } }) => echoViolation('name', submitted, reply.json),
  likelyCause: causeOfEcho('name'),
});

export const emailEchoed = requirement({
  id: 'customer.email.echoed',
  level: 'must',
  section: '4.1',
  statement: 'email equals the submitted email.',
  problem: 'email differs from the submitted email.',
  sentence: 'string, equals the submitted email',
  why: 'Mail to a changed address is lost, or reaches another person.',
  tested:
    'The email in every response that creates a customer, to the code point: capitals, tags, quoted and international local parts, many labels, long addresses, white space around them, and texts that are not addresses. Emails of earlier customers are repeated, unchanged and in other spellings, with another name. All are under reserved domains. A rejected email is not judged.',
  failure: '`Ada@Example.COM` comes back in lower case, `ada+news@example.com` without its tag.',
  over: allCustomers,
  only: isAccepted,
  judgesPart: ({ submitted, exchange: { reply } }) => isWrongIn(reply, 'email', submitted),
  restsOn: [bodyIsObject],
  check: ({ submitted, exchange: { reply } }) => echoViolation('email', submitted, reply.json),
  likelyCause: causeOfEcho('email'),
});

const replyOwn = requirement({
  id: 'customer.reply.own',
  level: 'must',
  section: '4.1',
  statement: "A response never carries another request's name or email.",
  problem: "A response carries another request's name or email.",
  sentence: 'the response carries a new id plus the submitted name and email.',
  why: 'Otherwise one client receives the personal data that another one has submitted.',
  tested:
    'The name and the email of every response are looked up among all that the run has submitted, in particular in requests that arrive complete at the same instant. So are those of responses to requests without a name or an email, if they are accepted.',
  failure:
    'A handler keeps its request in a shared variable: of two simultaneous requests, one is answered with the name of the other.',
  // Those of malformed requests have nothing submitted: see `findForeignValue`.
  over: [...allCustomers, malformedRequests as unknown as (typeof allCustomers)[number]],
  only: (one) => isAccepted(one) || (acceptsMalformed(one) && hasNameOrEmail(one)),
  restsOn: [bodyIsObject],
  compare: findForeignValue,
  likelyCause: causeOfForeignValues,
});

const encodingIrrelevant = requirement({
  id: 'customer.encoding.irrelevant',
  level: 'must',
  section: '4.1',
  statement: 'The same JSON object in another encoding has the same outcome.',
  problem: 'The same JSON object in another encoding has another outcome.',
  sentence: 'Request body (JSON object)',
  why: 'Order of members, white space and escapes do not change a JSON object (RFC 8259), and each JSON library writes them in its own way.',
  tested:
    'Plain customers, and some whose names need escapes, in other encodings: members in reverse order, white space of each kind, escapes for some or all characters, surrogate pairs, hexadecimal digits in upper case. Where one is rejected, a customer that differs in one letter of its name is sent in the usual encoding: it must be rejected too. A customer whose name needs escapes is not judged if it is rejected, but accepted when it is repeated; nor is any that is rejected as a conflict (409, 423, 425), for its length (413) or for the rate of requests. A server error that does not recur when the same request is repeated is not compared: it fails customer.plain.accepted.',
  failure:
    'A body that begins with a line break is answered with 400. `\\u00eb` is rejected where `ë` is accepted.',
  over: [encodedCustomers],
  // If both are rejected, the encoding may be the reason for one of them.
  only: (one) => isComparable(one) && (one.accepted || one.controlAccepted !== false),
  check: sameOutcome,
  shrinking: fc.record({ name: asIs<string>(), address: asIs<Address>(), style: shrinkStyle }),
});

/** The requirements of sections 2 and 4.1, in the order of reports. */
export const customerRequirements: readonly Requirement[] = [
  plainAccepted,
  bodyIsObject,
  idForm,
  idNew,
  nameEchoed,
  emailEchoed,
  replyOwn,
  encodingIrrelevant,
];

/** Whether the id of a customer can be compared with those of others: one that was sent may have been sent twice. */
const hasComparableId = (one: Observation): boolean =>
  typeof idOf(one.exchange.reply) === 'string' && !isTakenOver(one);

/** Whether a customer has the id that its request sent, perhaps after a prefix. */
function isTakenOver({ case: { input }, exchange: { reply } }: Observation): boolean {
  const [id, sent] = [idOf(reply), (input as Partial<CustomerInput>).id];
  return sent !== undefined && typeof id === 'string' && id.endsWith(sent);
}

/** The same input must have the same outcome; plain input, which has no control, must be accepted. */
function sameOutcome({
  accepted,
  controlAccepted = true,
  control,
  exchange: { reply },
}: Observation): Violation | undefined {
  if (accepted === controlAccepted) return undefined;
  const outcome = 'accepted, a 2xx response with the customer';
  return accepted
    ? {
        expected: `the outcome of the same object in another encoding: ${outcome}`,
        actual: `rejected, status ${control!.reply.status}`,
        inControl: true,
      }
    : {
        expected: `the outcome of the same object in its usual encoding: ${outcome}`,
        actual: `rejected, status ${reply.status}`,
      };
}

/** Finds a response with a value that another request submitted, but its own did not. */
function findForeignValue(
  observations: readonly CustomerObservation[],
): Clash<CustomerObservation> | undefined {
  const submitters = new Map<unknown, CustomerObservation>();
  const wellFormed = observations.filter((one) => !acceptsMalformed(one));
  for (const observation of wellFormed) {
    const { name, email } = observation.submitted;
    for (const text of [email, name])
      if (isDistinctive(text) && !isSpecialValue(text)) submitters.set(text, observation);
  }
  let found: Clash<CustomerObservation> | undefined;
  let broken = 0;
  for (const second of observations) {
    const { request, reply } = second.exchange;
    const own = acceptsMalformed(second) ? { body: bodyText(request) } : second.submitted;
    for (const name of ['email', 'name'] as const) {
      const echoed = member(reply.json, name);
      const first = submitters.get(echoed);
      if (!first || first === second) continue;
      const isOwn = Object.values(own).some((text) => isPartOf(text, echoed));
      if (!isOwn) {
        const right = 'body' in own ? 'no value' : `${shown(own[name])}, as submitted`;
        const expected = `${right}, never what another request submitted`;
        found ??= { first, second, violation: { expected, actual: shown(echoed), pointer: `/${name}` } };
        broken++;
        break;
      }
    }
  }
  return found && { ...found, broken };
}

/** Whether a response has a member that may carry a value of another request. */
const hasNameOrEmail = ({ exchange: { reply } }: Observation): boolean =>
  ['name', 'email'].some((name) => member(reply.json, name) !== undefined);

/** Whether a response is a success of a request without a name or an email. */
const acceptsMalformed = ({ case: { scenario, category }, exchange: { reply } }: Observation): boolean =>
  scenario === malformedRequests.name && category === 'customers' && isSuccess(reply);

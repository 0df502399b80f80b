/** A point that the interface leaves open, put as a question to the target. It is never failed. */
export interface Question {
  /** Section of the interface document that leaves the point open. */
  readonly section: string;
  readonly question: string;
  /** How it is asked: of exchanges that a run has anyway, with requests of its own, or of the operator alone. */
  readonly asked: 'seen' | 'probed' | 'operator';
  /** What an answer looks like. */
  readonly answer: string;
}

const seen = (section: string, question: string, answer: string): Question => ({
  section,
  question,
  asked: 'seen',
  answer,
});

const probed = (section: string, question: string, answer: string): Question => ({
  section,
  question,
  asked: 'probed',
  answer,
});

const told = (section: string, question: string, answer: string): Question => ({
  section,
  question,
  asked: 'operator',
  answer,
});

const OUTCOMES = 'for each, accepted or refused';
const STATUSES = 'a status, or several';

/**
 * All that the interface leaves open. The ids are stable: profiles refer to them. An answer is a class
 * that stays the same from run to run, never a value that changes.
 */
export const questions = {
  'service.paths': probed(
    '1',
    'What do paths that the interface does not show answer to GET, HEAD and OPTIONS?',
    'a status for each',
  ),
  'customer.members': seen(
    '2',
    'Which members does a customer have, and of which types?',
    'types by JSON pointer',
  ),
  'customer.members.missing': probed('2', 'Is a customer created without name or email?', OUTCOMES),
  'customer.members.null': probed('2', 'Is a customer created with null for name or email?', OUTCOMES),
  'customer.members.typed': probed(
    '2',
    'Is a customer created with a name or an email that is no string?',
    OUTCOMES,
  ),
  'customer.members.unknown': probed(
    '2',
    'Is a customer created from an object with a member that is not shown?',
    'accepted or refused',
  ),
  'customer.name.longest': probed(
    '2',
    'How long may a name be, in ASCII letters?',
    'a number, or what it is known to exceed',
  ),
  'customer.email.longest': probed(
    '2',
    'How long may an email be?',
    'a number, or what it is known to exceed',
  ),
  'customer.name.classes': probed('2', 'Which classes of names are taken?', OUTCOMES),
  'customer.email.classes': probed('2', 'Which classes of addresses are taken?', OUTCOMES),
  'customer.email.twice': probed(
    '2',
    'Is a second customer created with the same email and another name?',
    'accepted or refused',
  ),
  'customer.email.case': probed(
    '2',
    'Is a second customer created with the same email in capitals?',
    'accepted or refused',
  ),
  'customer.pair.twice': probed(
    '2',
    'Is a second customer created with the same name and email?',
    'accepted or refused',
  ),
  'token.members': seen(
    '2',
    'Which members does the response to a token request have, and of which types?',
    'types by JSON pointer',
  ),
  'customer.state': seen(
    '3',
    'Which state does a new customer have?',
    'the value of a member named state or status, or none',
  ),
  'customer.create.status': seen('4.1', 'Which status tells that a customer was created?', STATUSES),
  'token.issue.status': seen('4.2', 'Which status tells that a token was issued?', STATUSES),
  'token.response.credential': seen('4.2', 'Where in the response is the token?', 'a JSON pointer'),
  'token.credential.form': seen(
    '4.2',
    'What does a token look like?',
    'JWT with its claims, or opaque; its prefix',
  ),
  'token.request.members': probed(
    '4.2',
    'Is a token issued where scopes or expires_in is missing, null, of another type, or not alone?',
    OUTCOMES,
  ),
  'request.content-type': probed('4.1', 'Which content types of a request are taken?', OUTCOMES),
  'request.malformed': probed('4.1', 'Which bodies that are no JSON object as shown are taken?', OUTCOMES),
  'response.fields': seen(
    '4',
    'Which fields does every response with a result have?',
    'names, some with their value',
  ),
  'response.coding': probed(
    '4',
    'Which content coding has a response, by the Accept-Encoding of its request?',
    'the coding, or identity',
  ),
  'operations.read': probed(
    '4.3',
    'What do the paths of customers and tokens answer to GET, HEAD and OPTIONS?',
    'a status for each',
  ),
  'auth.refusal.status': seen(
    '5',
    'Which status refuses credentials?',
    'a status, or one for each kind of refusal',
  ),
  'auth.challenge.form': seen(
    '5',
    'Which challenge comes with a refusal?',
    'scheme and names of its parameters',
  ),
  'token.expires_in.unit': seen(
    '5.4',
    'What is the unit of expires_in?',
    'seconds, minutes, hours, days or milliseconds, as absolute times in the response tell',
  ),
  'token.response.expiry': seen('5.4', 'How is the end of a token told?', 'a form by JSON pointer'),
  'token.lifetimes': probed('5.4', 'Which lifetimes are accepted?', OUTCOMES),
  'token.scopes': probed('5.5', 'Which scopes are accepted?', OUTCOMES),
  'token.scopes.allow': probed(
    '5.5',
    'What does each accepted scope allow, of what can be tried without harm?',
    'operations by scope',
  ),
  'token.presentation': probed(
    '5.6',
    'Is an issued token, with some scope, taken in the Bearer scheme for creating a customer?',
    'bearer, or not taken',
  ),
  'token.leeway': told(
    '5.4',
    'For how many seconds after its end may a token still be accepted? Ten, if nothing is declared.',
    'a number',
  ),
  'token.lifetime.told': seen(
    '5.4',
    'Is the lifetime that a response and the claims of a JWT tell the one that was asked for?',
    'as asked, another, or not told',
  ),
  'token.scopes.told': seen(
    '5.5',
    'Are the scopes that a response and the claims of a JWT tell those that were asked for?',
    'as asked, others, or not told',
  ),
  'service.events': probed(
    '6',
    'What do the usual paths of events and webhooks answer?',
    'a status for each',
  ),
  'error.status': seen('7', 'Which statuses refuse malformed bodies?', STATUSES),
  'error.body': seen(
    '7',
    'What does the body of a refusal look like, and is it the same everywhere?',
    'content type and members, or those for each kind of refusal',
  ),
  'limits.fields': seen('8', 'Which fields tell of limits?', 'names, or none'),
  'version.other': probed(
    '9',
    'Are customers created under version 2, tokens issued under version 1?',
    OUTCOMES,
  ),
  'protocol.versions': probed('9', 'Which versions of TLS and of HTTP are spoken?', 'as negotiated'),
} as const satisfies Record<string, Question>;

export type QuestionId = keyof typeof questions;

export const questionIds = Object.keys(questions) as QuestionId[];

export const questionOf = (id: QuestionId): Question => questions[id];

/** Each "not shown" of the interface, by section; a test holds that each has its question. */
export const openPoints: readonly (readonly [section: string, point: string])[] = [
  ['1', 'other purposes of the service'],
  ['2', 'customer fields beyond the three'],
  ['2', 'constraints on name and email: required, length, format, uniqueness'],
  ['2', 'fields of a returned token record'],
  ['3', 'states and transitions'],
  ['4.1', 'HTTP success status code'],
  ['4.2', 'response shape and status code'],
  ['4.3', 'other operations'],
  ['5.4', 'unit of expires_in'],
  ['5.5', 'valid scopes, and which allows which operation'],
  ['5.6', 'how an issued token is presented'],
  ['6', 'events'],
  ['7', 'errors'],
  ['8', 'limits'],
  ['9', 'version scheme beyond the path prefixes'],
];

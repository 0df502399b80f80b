import type { QuestionId } from './questions.ts';

/**
 * How much a requirement weighs: stated by the interface, advised by an RFC beneath it, or required of a
 * target because its operator has declared, in a profile, what the interface leaves open.
 */
export type Level = 'must' | 'should' | 'declared';

export interface Entry {
  readonly level: Level;
  /** Section of the interface document that states it. */
  readonly section: string;
  /** The RFC that advises it; only where the level is `should`. */
  readonly source?: string;
  /** Open questions that a profile must answer; only where the level is `declared`. */
  readonly needs?: readonly QuestionId[];
  readonly statement: string;
}

const must = (section: string, statement: string): Entry & { level: 'must' } => ({
  level: 'must',
  section,
  statement,
});

const should = (section: string, source: string, statement: string): Entry & { level: 'should' } => ({
  level: 'should',
  section,
  source,
  statement,
});

const declared = (
  section: string,
  needs: readonly QuestionId[],
  statement: string,
): Entry & { level: 'declared' } => ({ level: 'declared', section, needs, statement });

/** All that the suite checks. The ids are stable: profiles, waivers and reports refer to them. */
export const catalogue = {
  'customer.plain.accepted': must('4.1', 'A valid request with valid credentials creates a customer.'),
  'customer.body.object': must('4.1', 'The body of the response is a JSON object.'),
  'customer.id.form': must('2', 'id is a string: cus_ followed by an identifier.'),
  'customer.id.new': must('4.1', 'Every creation carries a new id.'),
  'customer.name.echoed': must('4.1', 'name equals the submitted name.'),
  'customer.email.echoed': must('4.1', 'email equals the submitted email.'),
  'customer.reply.own': must('4.1', "A response never carries another request's name or email."),
  'customer.encoding.irrelevant': must(
    '4.1',
    'The same JSON object in another encoding has the same outcome.',
  ),
  'token.plain.accepted': must('4.2', 'A valid request with valid credentials issues a token.'),
  'token.body.json': must('1', 'The body of the response is JSON.'),
  'token.credential.present': must('4.2', 'The response carries the issued token.'),
  'token.credential.own': must('5.3', 'The issued token is not the static key, which it replaces.'),
  'token.credential.distinct': must('5.3', 'Tokens for different scopes or lifetimes are different.'),
  'token.encoding.irrelevant': must('4.2', 'The same JSON object in another encoding has the same outcome.'),
  'auth.customers.key.required': must('5.1', 'Without a credential no customer is created.'),
  'auth.customers.bearer.required': must(
    '5.1',
    'The key counts only in the Bearer scheme when creating a customer.',
  ),
  'auth.customers.key.exact': must('5.2', 'Only the very key creates a customer.'),
  'auth.customers.request.each': must(
    '5.1',
    'Each creation is authenticated by itself, whatever its connection carried before.',
  ),
  'auth.tokens.key.required': must('5.3', 'Without a credential no token is issued.'),
  'auth.tokens.bearer.required': must(
    '5.1',
    'The key counts only in the Bearer scheme when issuing a token.',
  ),
  'auth.tokens.key.exact': must('5.3', 'Only the very key issues a token.'),
  'auth.tokens.request.each': must(
    '5.1',
    'Each issue is authenticated by itself, whatever its connection carried before.',
  ),
  'auth.tokens.key.static': must('5.3', 'An issued token does not issue tokens; a static key does.'),
  'auth.refusal.unauthorized': should(
    '5',
    'RFC 9110, section 15.5.2',
    'Refused credentials are answered with 401.',
  ),
  'auth.refusal.challenge': should(
    '5',
    'RFC 9110, section 11.6.1; RFC 6750, section 3',
    'A 401 names the Bearer scheme in WWW-Authenticate.',
  ),
  'auth.scheme.case': should('5.1', 'RFC 9110, section 11.1', 'The name of the scheme counts in any case.'),
  'auth.key.unreflected': should('5.2', 'RFC 6750, section 5.3', 'No response contains the key.'),
  'json.content.type': should(
    '1',
    'RFC 9110, section 8.3; RFC 8259, section 11',
    'A JSON body is sent as application/json.',
  ),
  'json.utf8': should('1', 'RFC 8259, section 8.1', 'A JSON body is UTF-8 without a byte order mark.'),
  'input.wide.answered': should(
    '4',
    'RFC 9110, section 15.6',
    'Well-formed input is accepted or refused, not met with a server error.',
  ),
  'input.malformed.answered': should(
    '4',
    'RFC 9110, section 15.5',
    'Malformed input is refused with a 4xx, not met with a server error.',
  ),
  'token.response.uncached': should(
    '4.2',
    'RFC 6749, section 5.1; RFC 9111, section 5.2.2.5',
    'A response with a token says Cache-Control: no-store.',
  ),
  'http.field.case': should('4', 'RFC 9110, section 5.1', 'Field names count in any case.'),
  'http.date': should('1', 'RFC 9110, section 6.6.1', 'A response says when it was made.'),
  'http.method.allow': should('4', 'RFC 9110, section 15.5.6', 'A 405 names the allowed methods in Allow.'),
  'token.life.accepted': declared(
    '5.3',
    ['token.presentation', 'token.scopes.allow'],
    'A token is accepted until it expires, for what its scopes allow.',
  ),
  'token.life.ended': declared(
    '5.3',
    ['token.presentation', 'token.scopes.allow', 'token.expires_in.unit'],
    'A token is refused when it has expired.',
  ),
  'token.life.scoped': declared(
    '5.5',
    ['token.presentation', 'token.scopes.allow'],
    'A token is refused for what its scopes do not allow.',
  ),
  'token.life.unaltered': declared(
    '5.3',
    ['token.presentation', 'token.scopes.allow'],
    'A token is refused when one of its characters is another.',
  ),
} as const satisfies Record<string, Entry>;

export type RequirementId = keyof typeof catalogue;

/** Ids of the requirements of one level: an assertion on the wrong level does not compile. */
export type IdOf<L extends Level> = {
  [K in RequirementId]: (typeof catalogue)[K]['level'] extends L ? K : never;
}[RequirementId];

export const requirementIds = Object.keys(catalogue) as RequirementId[];

export const entryOf = (id: RequirementId): Entry => catalogue[id];

import { createHash } from 'node:crypto';
import { namedCondition } from '../../../lib/causes/presented.ts';
import type { NamedCondition } from '../../../lib/causes/presented.ts';
import { firstAcceptedExchange } from '../../../lib/engine/limits/client-limits.ts';
import { isWording } from '../../../lib/engine/operations/credential-form.ts';
import type { Condition, OperationName } from '../../../lib/engine/operations/request.ts';
import type { TokenObservation } from '../../../lib/engine/operations/token.ts';
import type { Run } from '../../../lib/engine/scenario.ts';
import type { HttpVersion } from '../../../lib/schemas/exchange.ts';
import type { JsonStyle } from '../../../lib/inputs/json-styles.ts';
import { stringsIn } from '../../../lib/schemas/json.ts';
import { secretsInHeaders } from '../../../lib/target/output/header-secrets.ts';
import type { CredentialInput } from './cases.ts';

/** An accepted request with the right key, and the token that it issued, if it did. */
export type Control = Pick<TokenObservation, 'exchange'> & Partial<Pick<TokenObservation, 'found'>>;

/** Replaces the placeholders of a condition. */
type Fill = (text: string) => string;

/**
 * How a request under some conditions differs from the control.
 * @param nonce the same for the same UUID
 */
export function combinedCondition(
  run: Run,
  control: Control,
  { conditions }: Pick<CredentialInput<unknown>, 'conditions'>,
  nonce: string,
): Condition {
  const fill = filling(run, control, nonce);
  return combine(conditions.map((condition) => filled(condition, fill)));
}

function filling(run: Run, control: Control, nonce: string): Fill {
  const { exchange, found } = control;
  const { origin } = new URL(exchange.url);
  const uuid = uuidOf(nonce);
  const values: Readonly<Record<string, string>> = {
    key: run.settings.apiKey,
    origin,
    token: found?.text ?? '',
    refresh: refreshTokenOf(control) ?? '',
    uuid,
    hex: uuid.replaceAll('-', ''),
  };
  return (text) =>
    text.replaceAll(
      /\{(\w+)(?: (\w+) (\S+))?\}/g,
      (_, name: string, operation: OperationName, header: string) =>
        name === 'response' ? returnedHeader(run, operation, header) : values[name]!,
    );
}

function filled({ fields, query, members, absolute, ...others }: Condition, fill: Fill): Condition {
  const encoded = (text: string): string =>
    text.replaceAll(/\{\w+\}/g, (placeholder) => encodeURIComponent(fill(placeholder)));
  return {
    ...others,
    ...(query !== undefined && { query: encoded(query) }),
    ...(absolute !== undefined && { absolute: encoded(absolute) }),
    ...(fields && { fields: fields.map(([name, value]) => [name, fill(value)] as const) }),
    ...(members && {
      members: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, fill(value)])),
    }),
  };
}

/** A UUID of version 4, which more services accept than version 8 (RFC 9562), from a nonce in place of random bits. */
const uuidOf = (nonce: string): string =>
  createHash('sha256')
    .update(nonce)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/** The refresh token of a response to a token request, if it has one. */
export const refreshTokenOf = ({ exchange: { reply } }: Control): string | undefined =>
  stringsIn(reply.json).find(({ name }) => /refresh(?!.*(?:_at|_in|expir))/i.test(name))?.text;

/** The id in a token response, which is no credential; undefined: it has none that a header can hold. */
export const idOfToken = ({ exchange: { reply }, found }: Control, apiKey: string): string | undefined =>
  stringsIn(reply.json).find(
    ({ name, text }) =>
      /^(?:token_?)?id$|^jti$/i.test(name) &&
      ![found?.text, apiKey].includes(text) &&
      /^[\w.~+/=:-]{4,200}$/.test(text),
  )?.text;

/** The headers of the first accepted response of an operation; none if it has accepted nothing. */
export const headersOfAccepted = (run: Run, operation: OperationName): Readonly<Record<string, string>> =>
  firstAcceptedExchange(run, operation)?.reply.fields ?? {};

/** Maximum number of characters of a header that is sent back. */
const LONG_HEADER = 1000;

/**
 * A header of the first accepted response of an operation, as a client sends it back: of cookies only name and value
 * (RFC 6265, section 4.2).
 */
function returnedHeader(run: Run, operation: OperationName, name: string): string {
  const fields = headersOfAccepted(run, operation);
  for (const { text } of secretsInHeaders(fields))
    if (!isWording(text)) run.target.redactor.hide(text, 'redacted');
  const value = fields[name] ?? '';
  if (name !== 'set-cookie') return value.slice(0, LONG_HEADER);
  return [...value.matchAll(/(?:^|, )([^=;, ]+=[^;]*)/g)].map(([, pair]) => pair).join('; ');
}

/**
 * Whether a version of HTTP can carry a condition: HTTP/2 frames bodies and ends connections on its own (RFC 9113,
 * sections 6.1 and 8.2.2), has one form of the request target (section 8.3.1), and Node's client sends no second
 * Authorization field with it.
 */
export const isCarriedBy =
  (http: HttpVersion) =>
  (condition: Condition): boolean =>
    http === '1.1' ||
    !(
      condition.chunked ||
      condition.close ||
      condition.absolute !== undefined ||
      condition.fields?.some(([name]) => name === 'Authorization')
    );

/** All conditions at once. */
export function combine(conditions: readonly Condition[]): Condition {
  const queries = conditions.flatMap(({ query }) => query ?? []);
  return {
    ...(Object.assign({}, ...conditions) as Condition),
    ...(queries.length > 0 && { query: queries.join('&') }),
    fields: conditions.flatMap(({ fields = [] }) => fields),
    without: conditions.flatMap(({ without = [] }) => without),
    members: Object.assign({}, ...conditions.map(({ members }) => members)) as Record<string, string>,
  };
}

/** The parts of a condition, for a likely cause. */
export const namesOf = ({
  path,
  query,
  absolute,
  fields = [],
  without = [],
  members = {},
  content,
  close,
  chunked,
}: Condition): NamedCondition[] => {
  const other = (text: string): NamedCondition => namedCondition('other', '', text);
  const taken = (name: string, from: string): NamedCondition => ({
    ...namedCondition('header', name, `the same as in ${from}`),
    names: [`the ${name} of ${from}`, name],
  });
  const [parameter = '', argument = ''] = query?.split(/=(.*)/s) ?? [];
  return [
    ...(path === undefined ? [] : [namedCondition('path', '', path)]),
    ...(query === undefined ? [] : [namedCondition('query', parameter, argument)]),
    ...(absolute === undefined ? [] : [namedCondition('target', '', absolute)]),
    ...fields.map(([name, value]) => {
      if (value.startsWith('{response ')) return taken(name, 'an earlier response');
      if (/\{(?:uuid|hex)\}/.test(value)) return taken(name, 'an accepted request');
      return namedCondition(name === 'Authorization' ? 'second credential' : 'header', name, value);
    }),
    ...Object.entries(members).map(([name, value]) => namedCondition('member', name, value)),
    ...(content === undefined ? [] : [other(CONTENTS[content])]),
    ...without.map((name) => other(`no ${name}`)),
    ...(close ? [other('Connection: close')] : []),
    ...(chunked ? [other('a chunked body')] : []),
  ];
};

/** The conditions that the way to send an input means, as far as others do not replace them. */
export function inheritedBy({ base, conditions }: CredentialInput<unknown>): NamedCondition[] {
  const { fields, accept, chunked } = (base as { readonly style: JsonStyle }).style;
  const replaced = conditions.flatMap(namesOf).map(({ place }) => place.toLowerCase());
  return namesOf({
    fields: fields.filter(([name]) => !replaced.includes(name.toLowerCase())),
    without: accept === '' && !replaced.includes('accept') ? ['Accept'] : [],
    chunked: chunked && conditions.every((one) => one.chunked === undefined),
  });
}

const CONTENTS = {
  'first member': 'a body with its first member only',
  form: 'a form as body',
  gzip: 'a body in gzip',
} as const;

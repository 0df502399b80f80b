import { namedCondition } from '../../lib/causes/presented.ts';
import type { NamedCondition } from '../../lib/causes/presented.ts';
import type { Deviation } from '../../lib/engine/operations/request.ts';
import type { HttpVersion } from '../../lib/schemas/exchange.ts';

/**
 * A difference of a request besides its credential, which must not authenticate it: `{key}` stands for the right key,
 * `{origin}` for the origin of the target, `{response OPERATION NAME}` for a header of an accepted response of an operation,
 * `{token}` for an issued token, `{refresh}` for its refresh token, and `{uuid}` for a UUID of the request and its control, `{hex}` for its digits.
 */
export type Condition = Deviation;

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
export function combine(conditions: readonly Condition[]): Deviation {
  const queries = conditions.flatMap(({ query }) => query ?? []);
  return {
    ...(Object.assign({}, ...conditions) as Deviation),
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
  const [parameter = '', argument = ''] = query?.split(/=(.*)/s) ?? [];
  return [
    ...(path === undefined ? [] : [namedCondition('path', '', path)]),
    ...(query === undefined ? [] : [namedCondition('query', parameter, argument)]),
    ...(absolute === undefined ? [] : [namedCondition('target', '', absolute)]),
    ...fields.map(([name, value]) => {
      if (value.startsWith('{response ')) return other(`the ${name} of an earlier response`);
      if (/\{(?:uuid|hex)\}/.test(value)) return other(`the ${name} of an accepted request`);
      return namedCondition(name === 'Authorization' ? 'second credential' : 'header', name, value);
    }),
    ...Object.entries(members).map(([name, value]) => namedCondition('member', name, value)),
    ...(content === undefined ? [] : [other(CONTENTS[content])]),
    ...without.map((name) => other(`no ${name}`)),
    ...(close ? [other('Connection: close')] : []),
    ...(chunked ? [other('a chunked body')] : []),
  ];
};

const CONTENTS = {
  'first member': 'a body with its first member only',
  form: 'a form as body',
  gzip: 'a body in gzip',
} as const;

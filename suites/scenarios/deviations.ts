import { namedCondition } from '../../lib/causes/presented.ts';
import type { NamedCondition } from '../../lib/causes/presented.ts';
import type { Deviation } from '../../lib/engine/operations/request.ts';
import type { HttpVersion } from '../../lib/schemas/exchange.ts';

/**
 * Whether a version of HTTP can carry a deviation: HTTP/2 frames bodies and ends connections on its own (RFC 9113,
 * sections 6.1 and 8.2.2), has one form of the request target (section 8.3.1), and Node's client sends no second
 * Authorization field with it.
 */
export const isCarriedBy =
  (http: HttpVersion) =>
  (deviation: Deviation): boolean =>
    http === '1.1' ||
    !(
      deviation.chunked ||
      deviation.close ||
      deviation.absolute !== undefined ||
      deviation.fields?.some(([name]) => name === 'Authorization')
    );

/** All deviations at once. */
export function combine(deviations: readonly Deviation[]): Deviation {
  const queries = deviations.flatMap(({ query }) => query ?? []);
  return {
    ...(Object.assign({}, ...deviations) as Deviation),
    ...(queries.length > 0 && { query: queries.join('&') }),
    fields: deviations.flatMap(({ fields = [] }) => fields),
    without: deviations.flatMap(({ without = [] }) => without),
    members: Object.assign({}, ...deviations.map(({ members }) => members)) as Record<string, string>,
  };
}

/** The parts of a deviation, for a likely cause. */
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
}: Deviation): NamedCondition[] => {
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

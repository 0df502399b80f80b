import type { Cause } from './cause.ts';

/** A request to one operation, and whether it was accepted. */
export interface Presented {
  /** The value of Authorization; undefined: no such header. */
  readonly authorization: string | undefined;
  /** Further differences from a usual request, such as headers or a path. */
  readonly conditions: readonly NamedCondition[];
  /** How the accepted request with the same input differs from a usual one, too. */
  readonly inherited?: readonly NamedCondition[];
  readonly body: Uint8Array;
  /** The number of the exchange, in the order of requests. */
  readonly number: number;
  /** Whether it was sent on a connection after an accepted request. */
  readonly isAfterAccepted: boolean;
  readonly accepted: boolean;
  /** Whether the response is that to an earlier request with the key, to the byte. */
  readonly isStored?: boolean;
  /** The status of the response. */
  readonly status: number;
}

/** A condition of a request as a cause names it. */
export interface NamedCondition {
  readonly part: 'path' | 'target' | 'query' | 'header' | 'second credential' | 'member' | 'other';
  /** The header, parameter or member; empty for others. */
  readonly place: string;
  readonly value: string;
  /** In words, each more general than the one before. */
  readonly names: readonly [exact: string, ...general: string[]];
  readonly hasKey: boolean;
}

/**
 * Names a condition.
 * @param value `{key}` stands for the key, `{origin}` for the origin of the target, `{token}` for an issued token
 */
export function namedCondition(part: NamedCondition['part'], place: string, value: string): NamedCondition {
  const shown = value
    .replaceAll(/\{(key|token)\}/g, '[$1]')
    .replaceAll('{origin}', 'the origin of the target');
  const isEmpty = value === '';
  const names = {
    path: [`the path ${shown}`],
    target: [...(isEmpty ? [] : [`${ABSOLUTE}, with ${shown}`]), ABSOLUTE],
    query: isEmpty
      ? ['an empty query', 'a query']
      : [`the query ${place}=${shown}`, `the query ${place}`, 'a query'],
    header: [`${place}: ${shown}`, USUAL.has(place) ? `another ${place}` : place],
    'second credential': [`a second ${place}: ${shown}`, `a second ${place}`],
    member: [`the member ${place}: ${shown}`, `the member ${place}`],
    other: [shown],
  }[part] as [string, ...string[]];
  return { part, place, value: shown, names, hasKey: value.includes('{key}') };
}

/** Headers that usual requests have, too. */
const USUAL: ReadonlySet<string> = new Set(['Accept', 'Content-Type', 'Host', 'User-Agent']);

const ABSOLUTE = 'a request target in absolute form';

/** A rule by which a service seems to accept requests. */
export interface Hypothesis {
  readonly cause: Cause;
  readonly accepts: (request: Presented, key: string) => boolean;
}

/** Maximum number of things, such as conditions, that a likely cause names. */
export const MAX_NAMED = 3;

export const PROTECT = 'Require the key in front of every handler of the operation, and reject by default.';

/** The credential in the Bearer scheme; undefined: there is none. */
export const bearerIn = ({ authorization }: Presented): string | undefined =>
  /^bearer +([^ \t].*?)[ \t]*$/is.exec(authorization ?? '')?.[1];

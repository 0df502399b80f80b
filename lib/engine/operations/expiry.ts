import { claimsOf } from '../../inputs/jwt.ts';
import type { Exchange } from '../../target/exchange.ts';
import { valuesIn } from '../../target/reply.ts';

/** Seconds in each unit in which a lifetime may be requested and reported. */
export const timeUnits: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

/** Seconds since 1970 at the target when it answered, by its Date header; by our own clock without one. */
export function timeAt({ reply }: Exchange): number {
  const date = Date.parse(reply.fields['date'] ?? '');
  return (Number.isNaN(date) ? Date.now() : date) / 1000;
}

interface Moment {
  readonly pointer: string;
  readonly form: 'ISO 8601' | 'HTTP date' | 'seconds since 1970' | 'milliseconds since 1970';
  /** Seconds since 1970. */
  readonly at: number;
}

/** The members of a response that report when a token ends, by JSON pointer, with the form of each. */
export function endsIn(exchange: Exchange, requested: number): (readonly [pointer: string, form: string])[] {
  const now = timeAt(exchange);
  const ends = momentsIn(exchange.reply.json).filter(
    (moment) =>
      unitsFor(moment, exchange, requested).length > 0 ||
      (ENDING.test(moment.pointer) && moment.at > now - SLACK),
  );
  const repeated = numbersIn(exchange.reply.json).filter(([, value]) => value === requested);
  return [
    ...ends.map(({ pointer, form }) => [pointer, form] as const),
    ...repeated.map(([pointer]) => [pointer, 'as requested'] as const),
  ];
}

/** Seconds by which a reported time may be off, because of clocks, rounding and slow responses. */
const SLACK = 20;
/** Seconds that a lifetime must exceed to show its unit: a shorter one would fit several units. */
const FAR = 5 * SLACK;

/** The unit of a requested lifetime, by the absolute times that are reported; undefined where they don't show it. */
export function unitOf(exchange: Exchange, token: string, requested: number): string | undefined {
  const found = new Set(
    momentsOf(exchange, token).flatMap((moment) => unitsFor(moment, exchange, requested)),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Whether a response, or a JWT, reports when a token ends as an absolute time. */
export const reportsEnd = (exchange: Exchange, token: string): boolean =>
  endMoments(exchange, token).length > 0;

/** The units in which the requested lifetime would end at a moment. */
function unitsFor({ at }: Moment, exchange: Exchange, requested: number): string[] {
  const left = at - timeAt(exchange);
  return Object.keys(timeUnits).filter(
    (unit) => left > FAR && Math.abs(left - requested * timeUnits[unit]!) < SLACK,
  );
}

/**
 * Whether the response, and the claims of a JWT, report the requested lifetime. An absolute time is as requested if
 * it is in any unit.
 */
export function lifetimeReported(exchange: Exchange, token: string, requested: number): Reported {
  return inWords(
    [
      ...lifetimesIn(exchange).map((value) => value === requested),
      ...endMoments(exchange, token)
        .filter(({ at }) => at - timeAt(exchange) > FAR)
        .map((moment) => unitsFor(moment, exchange, requested).length > 0),
    ],
    'another',
  );
}

/** When a token ends, as each member of the response reports: seconds since 1970, relative times taken as seconds. */
export const endsReported = (exchange: Exchange): number[] => [
  ...lifetimesIn(exchange).map((value) => timeAt(exchange) + value),
  ...endMoments(exchange).map(({ at }) => at),
];

/** Seconds that a token lasts, as the response or the claims of a JWT report; undefined where they don't. */
export function secondsReported(exchange: Exchange, token: string, unit: number): number | undefined {
  const reported = [
    ...lifetimesIn(exchange).map((value) => value * unit),
    // For a shorter lifetime, rounding and the difference between clocks weigh too much.
    ...endMoments(exchange, token)
      .map(({ at }) => at - timeAt(exchange))
      .filter((seconds) => seconds > FAR),
  ];
  return reported.length > 0 ? Math.max(...reported) : undefined;
}

/** Whether the response, and the claims of a JWT, report the requested scopes. */
export function scopesReported(exchange: Exchange, token: string, requested: readonly string[]): Reported {
  const lists = [exchange.reply.json, claimsOf(token)].flatMap(scopeLists);
  const wanted = requested.toSorted().join(' ');
  return inWords(
    lists.map((list) => list.toSorted().join(' ') === wanted),
    'others',
  );
}

/** The lists of scopes in the claims of a JWT, or else in the response that issued a token; none where neither has any. */
export function scopesGranted({ reply }: Exchange, token: string): readonly (readonly string[])[] {
  const inClaims = scopeLists(claimsOf(token));
  const lists = inClaims.length > 0 ? inClaims : scopeLists(reply.json);
  return lists.map((list) => list.filter((scope) => scope !== ''));
}

type Reported = 'as requested' | 'another' | 'others' | 'not reported';

function inWords(areAsRequested: readonly boolean[], otherwise: 'another' | 'others'): Reported {
  if (areAsRequested.length === 0) return 'not reported';
  return areAsRequested.every(Boolean) ? 'as requested' : otherwise;
}

const LIFETIME = /(?:expires_?in|lifetime|ttl|max_?age)$/i;
const ENDING = /(?:expir\w*|exp|valid_?until|ends?_?at)$/i;
const SCOPES = /\/(?:scopes?|scp)$/i;

/** The lists of scopes in a JSON value: arrays of strings, or texts separated by spaces (RFC 6749, section 3.3). */
const scopeLists = (json: unknown): string[][] =>
  valuesIn(json)
    .filter(({ pointer }) => SCOPES.test(pointer))
    .flatMap(({ value }) => {
      if (typeof value === 'string') return [value.split(' ')];
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? [value] : [];
    });

/** The absolute times in a response, and in the claims of a JWT. */
const momentsOf = ({ reply }: Exchange, token = ''): Moment[] => [
  ...momentsIn(reply.json),
  ...momentsIn(claimsOf(token)),
];

/** The absolute times at which a token ends. */
const endMoments = (exchange: Exchange, token?: string): Moment[] =>
  momentsOf(exchange, token).filter(({ pointer }) => ENDING.test(pointer));

/** The lifetimes of a token, in the unit of the service. */
const lifetimesIn = ({ reply }: Exchange): number[] =>
  numbersIn(reply.json)
    .filter(([pointer]) => LIFETIME.test(pointer))
    .map(([, value]) => value);

const momentsIn = (json: unknown): Moment[] =>
  valuesIn(json).flatMap(({ pointer, value }) => {
    const moment = momentOf(value);
    return moment ? [{ pointer, ...moment }] : [];
  });

/** The absolute time that a value is; undefined: it is none. */
function momentOf(value: unknown): Omit<Moment, 'pointer'> | undefined {
  if (typeof value === 'string') {
    const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value);
    const isHttp = /^\w{3}, \d\d \w{3} \d{4} /.test(value);
    const at = Date.parse(value) / 1000;
    return (isIso || isHttp) && !Number.isNaN(at)
      ? { form: isIso ? 'ISO 8601' : 'HTTP date', at }
      : undefined;
  }
  if (typeof value !== 'number') return undefined;
  if (value > 1e9 && value < 1e11) return { form: 'seconds since 1970', at: value };
  return value > 1e12 && value < 1e14 ? { form: 'milliseconds since 1970', at: value / 1000 } : undefined;
}

const numbersIn = (json: unknown): (readonly [pointer: string, value: number])[] =>
  valuesIn(json).flatMap(({ pointer, value }) =>
    typeof value === 'number' ? [[pointer, value] as const] : [],
  );

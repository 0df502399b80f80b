import { claimsOf } from '../../inputs/jwt.ts';
import type { Exchange } from '../../target/exchange.ts';
import type { FoundCredential } from './credentials-in-reply.ts';
import { isListOfTexts, isObject, valuesIn } from '../../schemas/json.ts';

/** Seconds in each unit in which a lifetime may be requested and reported. */
export const timeUnits: Readonly<Record<string, number>> = {
  milliseconds: 0.001,
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: 86_400,
};

/** Seconds since 1970 at the target when it answered, by its Date header; by our own clock without one. */
export function timeAt({ reply, answeredAt }: Exchange): number {
  const date = Date.parse(reply.fields['date'] ?? '');
  return (Number.isNaN(date) ? answeredAt : date) / 1000;
}

interface Moment {
  readonly pointer: string;
  readonly form: 'ISO 8601' | 'HTTP date' | 'seconds since 1970' | 'milliseconds since 1970';
  /** Seconds since 1970. */
  readonly at: number;
}

/** The members of a response that report when a token ends, by JSON pointer, with the form of each. */
export function expiryMembersIn(
  exchange: Exchange,
  requested: number,
): (readonly [pointer: string, form: string])[] {
  const now = timeAt(exchange);
  const ends = momentsIn(exchange.reply.json).filter(
    (moment) =>
      unitsFor(moment, exchange, requested).length > 0 ||
      (EXPIRY.test(moment.pointer) && moment.at > now - CLOCK_TOLERANCE),
  );
  const repeated = numbersIn(exchange.reply.json).filter(([, value]) => isAbout(value, requested));
  return [
    ...ends.map(({ pointer, form }) => [pointer, form] as const),
    ...repeated.map(([pointer]) => [pointer, 'as requested'] as const),
  ];
}

/** Whether a number is the requested lifetime, or what is left of it, rounded down, when the response is made. */
const isAbout = (value: number, requested: number): boolean =>
  value === requested ||
  (requested > MIN_CONCLUSIVE_LIFETIME && value < requested && requested - value <= MAX_ELAPSED);

/** Seconds that may have passed since a token was issued, with rounding. */
export const MAX_ELAPSED = 2;

/** Seconds by which a reported time may be off, because of clocks, rounding and slow responses. */
const CLOCK_TOLERANCE = 20;
/** Seconds that a lifetime must exceed to show its unit: shorter ones fit several units. */
const MIN_CONCLUSIVE_LIFETIME = 5 * CLOCK_TOLERANCE;

/** The unit of a requested lifetime, by the absolute times that are reported; undefined where they don't show it. */
export function unitOf(exchange: Exchange, token: string, requested: number): string | undefined {
  const found = new Set(
    momentsOf(exchange, token).flatMap((moment) => unitsFor(moment, exchange, requested)),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Whether a response, or a JWT, reports when a token ends as an absolute time. */
export const reportsExpiry = (exchange: Exchange, token: string): boolean =>
  expiryMoments(exchange, token).length > 0;

/** The units in which the requested lifetime would end at a moment. */
function unitsFor({ at }: Moment, exchange: Exchange, requested: number): string[] {
  const left = at - timeAt(exchange);
  return Object.keys(timeUnits).filter(
    (unit) =>
      left > MIN_CONCLUSIVE_LIFETIME && Math.abs(left - requested * timeUnits[unit]!) < CLOCK_TOLERANCE,
  );
}

/**
 * Whether the response, and the claims of a JWT, report the requested lifetime. An absolute time is as requested if
 * it is in any unit.
 */
export function lifetimeReported(exchange: Exchange, token: string, requested: number): Reported {
  return reportedAs(
    [
      ...lifetimesIn(exchange).map((value) => isAbout(value, requested)),
      ...durationsIn(exchange).map((seconds) =>
        Object.values(timeUnits).some((unit) => isAbout(seconds, requested * unit)),
      ),
      ...expiryMoments(exchange, token)
        .filter(({ at }) => at - timeAt(exchange) > MIN_CONCLUSIVE_LIFETIME)
        .map((moment) => unitsFor(moment, exchange, requested).length > 0),
    ],
    'another',
  );
}

/** When a token ends, as a member of a response reports. */
interface Expiry {
  /** Seconds since 1970. */
  readonly at: number;
  /** The lifetime that is reported in place of that, taken as seconds. */
  readonly lasts?: number;
}

const reportedExpiries = (exchange: Exchange): Expiry[] => [
  ...[...lifetimesIn(exchange), ...durationsIn(exchange)].map((lasts) => ({
    at: timeAt(exchange) + lasts,
    lasts,
  })),
  ...expiryMoments(exchange),
];

/** Members that may report the end of a token in a form that is not known. */
const NAMED_LIKE_EXPIRY = /exp|lifetime|ttl|valid|max_?age|duration/i;

function haveSameUnknownExpiries(one: Exchange, other: Exchange, tolerance: number): boolean {
  const others = new Map(valuesIn(other.reply.json).map(({ pointer, value }) => [pointer, value]));
  return valuesIn(one.reply.json)
    .filter(
      ({ pointer }) =>
        NAMED_LIKE_EXPIRY.test(pointer.slice(pointer.lastIndexOf('/'))) && !OF_ANOTHER.test(pointer),
    )
    .every(({ pointer, value }) => {
      const [number, otherNumber] = [numberOf(value), numberOf(others.get(pointer))];
      return number === undefined || otherNumber === undefined
        ? typeof value !== 'string' || value === others.get(pointer)
        : Math.abs(number - otherNumber) <= tolerance;
    });
}

/**
 * Whether two responses may be about one token by the ends that they report, if any. A lifetime that is the same in both
 * may be one that the service does not count down.
 */
export function mayExpireTogether(one: Exchange, other: Exchange): boolean {
  const tolerance = 2 + Math.max(one.duration, other.duration) / 1000;
  const [ends, otherEnds] = [reportedExpiries(one), reportedExpiries(other)];
  if (ends.length + otherEnds.length === 0) return haveSameUnknownExpiries(one, other, tolerance);
  return (
    ends.length === otherEnds.length &&
    ends.every(({ at, lasts }, index) => {
      const end = otherEnds[index]!;
      return Math.abs(at - end.at) <= tolerance || (lasts !== undefined && lasts === end.lasts);
    })
  );
}

/**
 * Seconds that a token lasts, as the response or the claims of a JWT report; undefined where they don't.
 * @param requested the lifetime that was requested, in units of so many seconds
 */
export function secondsReported(
  exchange: Exchange,
  token: string,
  { requested, unit }: { readonly requested: number; readonly unit: number },
): number | undefined {
  // For a shorter lifetime, rounding and the difference between clocks weigh too much.
  const isClockKnown = exchange.reply.fields['date'] !== undefined;
  const minConclusive = isClockKnown
    ? Math.min(MIN_CONCLUSIVE_LIFETIME, requested * unit + CLOCK_TOLERANCE)
    : MIN_CONCLUSIVE_LIFETIME;
  const reported = [
    ...lifetimesIn(exchange).map((value) => value * unit),
    ...durationsIn(exchange),
    ...expiryMoments(exchange, token)
      .map(({ at }) => at - timeAt(exchange))
      .filter((seconds) => seconds > minConclusive),
  ];
  return reported.length > 0 ? Math.max(...reported) : undefined;
}

/** Whether the response, and the claims of a JWT, report the requested scopes. */
export function scopesReported(exchange: Exchange, token: string, requested: readonly string[]): Reported {
  const lists = [exchange.reply.json, claimsOf(token)].flatMap((json) => scopeListsIn(json));
  const wanted = requested.toSorted().join(' ');
  return reportedAs(
    lists.map((list) => list.toSorted().join(' ') === wanted),
    'others',
  );
}

/**
 * The lists of scopes in the claims of a token, or else in the response that issued it; none where neither has any. If the
 * response has a list of tokens, those beside the token count.
 */
export function scopesGranted(
  { reply }: Exchange,
  { place, claims }: Pick<FoundCredential, 'place' | 'claims'>,
): readonly (readonly string[])[] {
  const inClaims = scopeListsIn(claims, { named: SCOPES_OR_OTHERS });
  const item = /^.*\/\d+(?=\/)/.exec(place)?.[0];
  const beside = item === undefined ? [] : scopeListsIn(reply.json, { within: item });
  const lists = [inClaims, beside].find(({ length }) => length > 0) ?? scopeListsIn(reply.json);
  return lists.map((list) => list.filter((scope) => scope !== ''));
}

type Reported = 'as requested' | 'another' | 'others' | 'not reported';

function reportedAs(areAsRequested: readonly boolean[], otherwise: 'another' | 'others'): Reported {
  if (areAsRequested.length === 0) return 'not reported';
  return areAsRequested.every(Boolean) ? 'as requested' : otherwise;
}

const LIFETIME = /(?:expires_?in|lifetime|ttl|max_?age|valid_?for)$/i;
/** Members about another token, and those that repeat the request. */
const OF_ANOTHER = /refresh|\/request/i;
const EXPIRY = /(?:expir\w{0,30}|exp|valid_?(?:until|to)|not_?after|ends?_?at)$/i;
/** A lifetime with its unit, such as `/validity/seconds` and `/ttl_ms`. */
const WITH_UNIT =
  /(?:expir\w{0,30}?|lifetime|ttl|max_?age|valid(?:ity|_?for))(?:[/_](ms|s)|[/_]?((?:milli)?sec(?:ond)?s?|minutes|hours|days))$/i;
/** A duration without months and years, whose length varies: of ISO 8601, or as .NET writes a TimeSpan. */
const DURATIONS = [
  /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/,
  /^(?:(\d+)\.)?(\d\d):(\d\d):(\d\d(?:\.\d+)?)$/,
];
/** A duration in words, such as `59 minutes` and `3599.5s`. */
const IN_WORDS = /^(\d+(?:\.\d+)?) ?([a-z]+)$/;

/** Seconds in a unit, by any of its names; undefined: not the name of a unit. */
const secondsIn = (unit: string): number | undefined =>
  timeUnits[
    unit
      .toLowerCase()
      .replace(/^(?:ms|millis)$/, 'milliseconds')
      .replace(/^(?:s|secs?)$/, 'seconds')
  ] ?? timeUnits[`${unit}s`];
/** The milliseconds in a date of .NET, such as `/Date(1795000000000)/`. */
const DOTNET_DATE = /^\/Date\((\d+)(?:[+-]\d{4})?\)\/$/;
const SCOPES = /\/(?:scopes?|scp|granted|grants|permissions?|abilities|privileges|authorities)$/i;
/** In the claims of a JWT, any list but that of its recipients (RFC 7519, section 4.1.3) may be of scopes. */
const SCOPES_OR_OTHERS = /^\/(?!aud$)[^/]+$/;

/**
 * The lists of scopes in a JSON value: arrays of strings, texts separated by spaces (RFC 6749, section 3.3), and objects
 * with a list of actions for each resource.
 */
const scopeListsIn = (json: unknown, { named = SCOPES, within = '' } = {}): (readonly string[])[] =>
  valuesIn(json)
    .filter(
      ({ pointer }) => pointer.startsWith(`${within}/`) && named.test(pointer) && !OF_ANOTHER.test(pointer),
    )
    .flatMap(({ pointer, value }) => {
      if (isListOfTexts(value)) return [value];
      if (!SCOPES.test(pointer)) return [];
      if (typeof value === 'string') return [value.split(' ')];
      const actions = isObject(value) ? Object.entries(value) : [];
      return actions.length > 0 && actions.every(([, list]) => isListOfTexts(list))
        ? [
            actions.flatMap(([resource, list]) =>
              (list as readonly string[]).map((action) => `${resource}:${action}`),
            ),
          ]
        : [];
    });

/** The absolute times in a response, and in the claims of a JWT. */
const momentsOf = ({ reply }: Exchange, token = ''): Moment[] => [
  ...momentsIn(reply.json),
  ...momentsIn(claimsOf(token)),
];

/** The absolute times at which a token ends. */
const expiryMoments = (exchange: Exchange, token?: string): Moment[] =>
  momentsOf(exchange, token).filter(({ pointer }) => EXPIRY.test(pointer) && !OF_ANOTHER.test(pointer));

/** The lifetimes of a token, in the unit of the service. */
const lifetimesIn = ({ reply }: Exchange): number[] =>
  numbersIn(reply.json)
    .filter(([pointer]) => LIFETIME.test(pointer) && !OF_ANOTHER.test(pointer))
    .map(([, value]) => value);

/** The lifetimes of a token that are reported with their unit, in seconds. */
const durationsIn = ({ reply }: Exchange): number[] => [
  ...valuesIn(reply.json).flatMap(({ pointer, value }) => {
    if (!LIFETIME.test(pointer) || OF_ANOTHER.test(pointer)) return [];
    const [, count, unit = ''] = IN_WORDS.exec(String(value)) ?? [];
    const inUnit = secondsIn(unit);
    if (inUnit !== undefined) return [Number(count) * inUnit];
    const parts = DURATIONS.map((form) => form.exec(String(value))).find((found) => found !== null);
    if (!parts) return [];
    const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part) || 0);
    return [days! * 86_400 + hours! * 3600 + minutes! * 60 + seconds!];
  }),
  ...numbersIn(reply.json).flatMap(([pointer, value]) => {
    const [, short, long = short] = WITH_UNIT.exec(pointer) ?? [];
    const unit = long === undefined || momentOf(value) ? undefined : secondsIn(long);
    return unit === undefined || OF_ANOTHER.test(pointer) ? [] : [value * unit];
  }),
];

const momentsIn = (json: unknown): Moment[] =>
  valuesIn(json).flatMap(({ pointer, value }) => {
    const moment = momentOf(value);
    return moment ? [{ pointer, ...moment }] : [];
  });

/** The absolute time that a value is; undefined: it is not one. */
function momentOf(given: unknown): Omit<Moment, 'pointer'> | undefined {
  const value = DOTNET_DATE.exec(String(given))?.[1] ?? given;
  if (typeof value === 'string' && !NUMBER.test(value)) {
    const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value);
    const isHttp = /^\w{3}, \d\d \w{3} \d{4} /.test(value);
    // Services that leave out the zone mean UTC, wherever this suite runs.
    const isLocal = isIso && !/(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(value);
    const at = Date.parse(isLocal ? `${value}Z` : value) / 1000;
    return (isIso || isHttp) && !Number.isNaN(at)
      ? { form: isIso ? 'ISO 8601' : 'HTTP date', at }
      : undefined;
  }
  const number = numberOf(value) ?? 0;
  if (number > 1e9 && number < 1e11) return { form: 'seconds since 1970', at: number };
  return number > 1e12 && number < 1e14 ? { form: 'milliseconds since 1970', at: number / 1000 } : undefined;
}

const NUMBER = /^\d{1,15}$/;

/** A number, which some services send as a string. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && NUMBER.test(value)) return Number(value);
  return typeof value === 'number' ? value : undefined;
}

const numbersIn = (json: unknown): (readonly [pointer: string, value: number])[] =>
  valuesIn(json).flatMap(({ pointer, value }) => {
    const number = numberOf(value);
    return number === undefined ? [] : [[pointer, number] as const];
  });

import type { Exchange } from '../target/exchange.ts';
import { isObject } from '../target/reply.ts';
import { timeUnits } from './time-units.ts';

/** The claims of a JWT (RFC 7519); undefined where a text is none. */
export function claimsOf(token: string): Record<string, unknown> | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds since 1970 at the target when it answered; our own clock where it does not say. */
export function timeAt({ reply }: Exchange): number {
  const told = Date.parse(reply.fields['date'] ?? '');
  return (Number.isNaN(told) ? Date.now() : told) / 1000;
}

/** A moment that a response tells, in seconds since 1970. */
interface Moment {
  readonly pointer: string;
  readonly form: 'ISO 8601' | 'HTTP date' | 'seconds since 1970' | 'milliseconds since 1970';
  readonly at: number;
}

/** The members that tell the end of a token, by JSON pointer, and how each does. */
export function endsIn(exchange: Exchange, asked: number): (readonly [pointer: string, form: string])[] {
  const now = timeAt(exchange);
  const ends = momentsIn(exchange.reply.json, '').filter(
    (moment) =>
      unitsFor(moment, exchange, asked).length > 0 ||
      (ENDING.test(moment.pointer) && moment.at > now - SLACK),
  );
  const repeated = numbersIn(exchange.reply.json, '').filter(([, value]) => value === asked);
  return [
    ...ends.map(({ pointer, form }) => [pointer, form] as const),
    ...repeated.map(([pointer]) => [pointer, 'as asked'] as const),
  ];
}

/** Seconds by which clocks, rounding and a slow response may put a moment off. */
const SLACK = 20;
/** Seconds from which on a moment tells one unit from another. */
const FAR = 5 * SLACK;

/** The unit of a requested lifetime, as the absolute times of a response tell; undefined where they don't. */
export function unitOf(exchange: Exchange, token: string, asked: number): string | undefined {
  const moments = [...momentsIn(exchange.reply.json, ''), ...momentsIn(claimsOf(token), '')];
  const found = new Set(moments.flatMap((moment) => unitsFor(moment, exchange, asked)));
  return found.size === 1 ? [...found][0] : undefined;
}

/** Whether a response, or a JWT, tells when a token ends, in absolute time. */
export const tellsEnd = (exchange: Exchange, token: string): boolean =>
  [...momentsIn(exchange.reply.json, ''), ...momentsIn(claimsOf(token), '')].some(({ pointer }) =>
    ENDING.test(pointer),
  );

/** The units in which a lifetime that is asked for ends at a moment. */
function unitsFor({ at }: Moment, exchange: Exchange, asked: number): string[] {
  const left = at - timeAt(exchange);
  return Object.keys(timeUnits).filter(
    (unit) => left > FAR && Math.abs(left - asked * timeUnits[unit]!) < SLACK,
  );
}

/**
 * Whether the lifetime that a response tells, and that the claims of a JWT tell, is the one asked for; an
 * absolute time is, if it is in any unit.
 */
export function lifetimeTold(exchange: Exchange, token: string, asked: number): Told {
  const relative = numbersIn(exchange.reply.json, '').filter(([pointer]) => LIFETIME.test(pointer));
  const isFar = ({ at }: Moment): boolean => at - timeAt(exchange) > FAR;
  const ends = [...momentsIn(exchange.reply.json, ''), ...momentsIn(claimsOf(token), '')].filter(
    (moment) => ENDING.test(moment.pointer) && isFar(moment),
  );
  return inWords(
    [
      ...relative.map(([, value]) => value === asked),
      ...ends.map((moment) => unitsFor(moment, exchange, asked).length > 0),
    ],
    'another',
  );
}

/** Seconds for which a response, or the claims of a JWT, say that a token lasts; undefined where they don't. */
export function secondsTold(exchange: Exchange, token: string, unit: number): number | undefined {
  const relative = numbersIn(exchange.reply.json, '').filter(([pointer]) => LIFETIME.test(pointer));
  const ends = [...momentsIn(claimsOf(token), ''), ...momentsIn(exchange.reply.json, '')].filter(
    ({ pointer }) => ENDING.test(pointer),
  );
  const told = [
    ...relative.map(([, value]) => value * unit),
    // Clocks differ by up to a second, and are told in whole ones.
    ...ends.map(({ at }) => at - timeAt(exchange)).filter((seconds) => seconds > 100),
  ];
  return told.length > 0 ? Math.max(...told) : undefined;
}

/** Whether the scopes that a response tells, and that the claims of a JWT tell, are those asked for. */
export function scopesTold(exchange: Exchange, token: string, asked: readonly string[]): Told {
  const lists = [exchange.reply.json, claimsOf(token)].flatMap((value) => scopeLists(value, ''));
  const wanted = asked.toSorted().join(' ');
  return inWords(
    lists.map((list) => list.toSorted().join(' ') === wanted),
    'others',
  );
}

/** What a response tells beside what was asked for. */
export type Told = 'as asked' | 'another' | 'others' | 'not told';

function inWords(told: readonly boolean[], otherwise: 'another' | 'others'): Told {
  if (told.length === 0) return 'not told';
  return told.every(Boolean) ? 'as asked' : otherwise;
}

const LIFETIME = /(?:expires_?in|lifetime|ttl|max_?age)$/i;
const ENDING = /(?:expir\w*|exp|valid_?until|ends?_?at)$/i;
const SCOPES = /\/(?:scopes?|scp)$/i;

/** The lists of scopes in a JSON value: arrays of strings, or texts with spaces between (RFC 6749, section 3.3). */
function scopeLists(value: unknown, pointer: string): string[][] {
  if (SCOPES.test(pointer)) {
    if (typeof value === 'string') return [value.split(' ')];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [value];
  }
  return membersOf(value, pointer).flatMap(([place, member]) => scopeLists(member, place));
}

function momentsIn(value: unknown, pointer: string): Moment[] {
  if (typeof value === 'string') {
    const isIso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value);
    const isHttp = /^\w{3}, \d\d \w{3} \d{4} /.test(value);
    const at = Date.parse(value) / 1000;
    return (isIso || isHttp) && !Number.isNaN(at)
      ? [{ pointer, form: isIso ? 'ISO 8601' : 'HTTP date', at }]
      : [];
  }
  if (typeof value === 'number') {
    if (value > 1e9 && value < 1e11) return [{ pointer, form: 'seconds since 1970', at: value }];
    return value > 1e12 && value < 1e14
      ? [{ pointer, form: 'milliseconds since 1970', at: value / 1000 }]
      : [];
  }
  return membersOf(value, pointer).flatMap(([place, member]) => momentsIn(member, place));
}

function numbersIn(value: unknown, pointer: string): (readonly [pointer: string, value: number])[] {
  if (typeof value === 'number') return [[pointer, value]];
  return membersOf(value, pointer).flatMap(([place, member]) => numbersIn(member, place));
}

const membersOf = (value: unknown, pointer: string): (readonly [pointer: string, value: unknown])[] =>
  typeof value === 'object' && value !== null && pointer.split('/').length < 8
    ? Object.entries(value)
        .slice(0, 100)
        .map(([name, member]) => [`${pointer}/${name}`, member])
    : [];

import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../target/exchange.ts';
import { readReply } from '../../target/reply.ts';
import {
  expiryMembersIn,
  mayExpireTogether,
  lifetimeReported,
  reportsExpiry,
  scopesGranted,
  scopesReported,
  secondsReported,
  unitOf,
} from './expiry.ts';

const NOW = 1_790_000_000;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

const exchange = (body: unknown): Exchange =>
  ({
    duration: 5,
    reply: readReply(
      201,
      { date: new Date(NOW * 1000).toUTCString() },
      Buffer.from(JSON.stringify(body)),
      10_000,
    ),
  }) as Exchange;

const jwt = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

it('a response without a Date is timed by our clock', () => {
  const [first, later] = [0, 60].map((seconds) => {
    const withoutDate = readReply(201, {}, Buffer.from(`{"expires_in":${3600 - seconds}}`), 1000);
    return { reply: withoutDate, answeredAt: (NOW + seconds) * 1000, duration: 5 } as Exchange;
  });
  expect(mayExpireTogether(first!, later!)).toBe(true);
});

it('an expiry time without a zone is read as UTC, wherever the suite runs', () => {
  const { TZ } = process.env;
  const without = new Date((NOW + 3600) * 1000).toISOString().replace(/\.\d+Z$/, '');
  const unitsAt = (zone: string): unknown => {
    process.env['TZ'] = zone;
    return unitOf(exchange({ expires_at: without.replace('T', ' ') }), 't', 3600);
  };
  expect(['UTC', 'Europe/Berlin', 'America/New_York'].map(unitsAt)).toEqual(Array(3).fill(unitsAt('UTC')));
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

describe('the unit of a lifetime', () => {
  it.each([
    [{ expires_at: iso(NOW + 3600) }, 3600, 'seconds'],
    [{ expires_at: NOW + 3600 }, 3600, 'seconds'],
    [{ expires: (NOW + 3600) * 1000 }, 60, 'minutes'],
    [{ end: new Date((NOW + 86_400) * 1000).toUTCString() }, 24, 'hours'],
    [{ expires_at: iso(NOW + 3600) }, 3_600_000, 'milliseconds'],
    [{ expires_at: iso(NOW + 600) }, 3600, undefined],
    [{ expires_in: 3600 }, 3600, undefined],
    // Too short: milliseconds would fit as well.
    [{ expires_at: iso(NOW + 10) }, 10, undefined],
  ])('is, by %j in answer to %i, %s', (body, requested, unit) => {
    expect(unitOf(exchange(body), 't', requested)).toBe(unit);
  });

  it('is read from the claims of a JWT too', () => {
    expect(unitOf(exchange({}), jwt({ exp: NOW + 7200 }), 120)).toBe('minutes');
  });
});

describe('what a token response reports', () => {
  it('includes the members that say when a token expires', () => {
    expect(
      expiryMembersIn(exchange({ a: iso(NOW + 3600), b: { c: 3600 }, created: iso(NOW + 0.95) }), 3600),
    ).toEqual([
      ['/a', 'ISO 8601'],
      ['/b/c', 'as requested'],
    ]);
  });

  it.each([
    [{ expires_in: 3600 }, 't', 'as requested'],
    [{ expires_in: 3599 }, 't', 'as requested'],
    [{ expires_in: 3590 }, 't', 'another'],
    [{ expires_in: 600 }, 't', 'another'],
    [{ expires_at: iso(NOW + 3600) }, 't', 'as requested'],
    [{ expires_at: iso(NOW + 1800) }, 't', 'another'],
    [{ expires_in: 3600 }, jwt({ exp: NOW + 604_800 }), 'another'],
    [{ expires_in: '3600' }, 't', 'as requested'],
    [{ expires_at: String(NOW + 3600) }, 't', 'as requested'],
    [{ ttl: 'PT1H' }, 't', 'as requested'],
    [{ ttl: 'P1DT1M' }, 't', 'another'],
    [{ valid_for: '1 hour' }, 't', 'as requested'],
    [{ lifetime: '59 minutes' }, 't', 'another'],
    [{ lifetime: '59 moons' }, 't', 'not reported'],
    [{ validity: { seconds: 3600 } }, 't', 'as requested'],
    [{ token: 't' }, 't', 'not reported'],
  ])('includes a lifetime, which is compared with the requested one: %j', (body, token, reported) => {
    expect(lifetimeReported(exchange(body), token, 3600)).toBe(reported);
  });

  it.each([
    [{ scopes: ['b:w', 'a:r'] }, 't', 'as requested'],
    [{ granted: ['a:r'] }, 't', 'others'],
    [{ permissions: { a: ['r'], b: ['w'] } }, 't', 'as requested'],
    [{ scope: 'a:r b:w' }, 't', 'as requested'],
    [{ scopes: ['a:r', 'b:w', 'c:x'] }, 't', 'others'],
    [{ scopes: ['a:r', 'b:w'] }, jwt({ scope: 'a:r' }), 'others'],
    [{}, 't', 'not reported'],
  ])('includes scopes, which are compared with the requested ones: %j', (body, token, reported) => {
    expect(scopesReported(exchange(body), token, ['a:r', 'b:w'])).toBe(reported);
  });

  it.each([
    [{ expires_in: '3599' }],
    [{ expires_at: String(NOW + 3599) }],
    [{ not_after: iso(NOW + 3599) }],
    [{ validTo: iso(NOW + 3599) }],
    [{ ttl: 'PT59M59S' }],
    [{ valid_for: '3599 seconds' }],
    [{ ValidUntil: `/Date(${(NOW + 3599) * 1000}+0000)/` }],
    [{ validity: { seconds: 3599 } }],
    [{ ttl_ms: 3_599_250 }],
    [{ lifetime: '00:59:59.25' }],
    [{ ttl: '3599.25s' }],
    [{ ttl: 'PT59M59.25S' }],
  ])('includes an expiry that two responses are compared by: %j', (body) => {
    expect(mayExpireTogether(exchange(body), exchange({ expires_at: iso(NOW + 3600) }))).toBe(true);
    expect(mayExpireTogether(exchange(body), exchange({ expires_at: iso(NOW + 3700) }))).toBe(false);
  });

  it.each([
    [{}, {}, true],
    [{ expires_in: 3600 }, {}, false],
    [{ expires_in_seconds: 3600 }, { expires_in_seconds: 60 }, false],
    [{ life_time: '1h' }, { life_time: '1m' }, true],
    [{ expires: '1h' }, { expires: '1m' }, false],
    [{ valid: true }, { valid: true }, true],
    [{ expires_in: 3600 }, { expires_in: 60 }, false],
    [{ token: 't', requested: { expires_in: 3600 } }, { token: 't', requested: { expires_in: 60 } }, true],
    [{ requested_expires_in: 3600 }, { requested_expires_in: 60 }, true],
    [{ expires: NOW + 3600 }, { expires: NOW + 60 }, false],
    [{ exp_ts: NOW + 3600 }, { exp_ts: NOW + 60 }, false],
    [{ expires_at_ms: (NOW + 3600) * 1000 }, { expires_at_ms: (NOW + 60) * 1000 }, false],
  ])('shows whether %j and %j may be about one token: %s', (one, other, expected) => {
    expect(mayExpireTogether(exchange(one), exchange(other))).toBe(expected);
  });

  it('may be about the token of another response that has the same lifetime, not counted down', () => {
    const later = {
      ...exchange({ expires_in: 3600 }),
      reply: { ...exchange({ expires_in: 3600 }).reply, fields: {} },
    };
    expect(
      mayExpireTogether(exchange({ expires_in: 3600 }), { ...later, answeredAt: (NOW + 60) * 1000 }),
    ).toBe(true);
  });

  it('includes any list in the claims of a JWT as scopes, except its recipients', () => {
    expect(scopesGranted(exchange({}), { place: '', claims: { s: ['a:r'], aud: ['x'] } })).toEqual([['a:r']]);
    expect(scopesGranted(exchange({ s: ['a:r'] }), { place: '/t' })).toEqual([]);
  });

  it('includes the scopes beside each token of a list, but not the scopes of a repeated request', () => {
    const list = exchange({
      tokens: [
        { scope: 'a:r', token: 'x' },
        { scope: 'b:w', token: 'y' },
      ],
      request: { scopes: ['c:x'] },
    });
    expect(scopesGranted(list, { place: '/tokens/1/token' })).toEqual([['b:w']]);
    expect(scopesGranted(list, { place: '/tokens' })).toEqual([['a:r'], ['b:w']]);
  });

  it('includes an absolute expiry time, which is recognised by the name of its member', () => {
    expect(reportsExpiry(exchange({ expires_at: iso(NOW + 600) }), 't')).toBe(true);
    expect(reportsExpiry(exchange({ created_at: iso(NOW) }), 't')).toBe(false);
    expect(reportsExpiry(exchange({}), jwt({ exp: NOW + 600 }))).toBe(true);
  });

  it('includes lifetimes, the longest of which counts, in seconds', () => {
    const minutes = { requested: 60, unit: 60 };
    const seconds = { requested: 3, unit: 1 };
    expect(secondsReported(exchange({ expires_in: 60 }), 't', minutes)).toBe(3600);
    for (const more of [
      { refresh_expires_in: 1800 },
      { refresh_expires_in: 'PT30M' },
      { refresh: { validity: { seconds: 1800 } } },
    ])
      expect(secondsReported(exchange({ expires_in: 3, ...more }), 't', seconds)).toBe(3);
    expect(secondsReported(exchange({ expires_in: 60 }), jwt({ exp: NOW + 7200 }), minutes)).toBe(7200);
    // A clock that is 15 s ahead tells nothing, the end of a whole minute does.
    expect(secondsReported(exchange({ expires_at: iso(NOW + 18) }), 't', seconds)).toBeUndefined();
    expect(secondsReported(exchange({ expires_at: iso(NOW + 60) }), 't', seconds)).toBe(60);
    expect(secondsReported(exchange({}), 't', seconds)).toBeUndefined();
  });
});

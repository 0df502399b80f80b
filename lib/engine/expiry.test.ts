import { describe, expect, it } from 'vitest';
import type { Exchange } from '../target/exchange.ts';
import { readReply } from '../target/reply.ts';
import { endsIn, lifetimeTold, scopesTold, unitOf } from './expiry.ts';

const NOW = 1_790_000_000;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

const exchange = (body: unknown): Exchange =>
  ({
    reply: readReply(
      201,
      { date: new Date(NOW * 1000).toUTCString() },
      Buffer.from(JSON.stringify(body)),
      10_000,
    ),
  }) as Exchange;

const jwt = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('the unit of a lifetime', () => {
  it.each([
    [{ expires_at: iso(NOW + 3600) }, 3600, 'seconds'],
    [{ expires_at: NOW + 3600 }, 3600, 'seconds'],
    [{ expires: (NOW + 3600) * 1000 }, 60, 'minutes'],
    [{ end: new Date((NOW + 86_400) * 1000).toUTCString() }, 24, 'hours'],
    [{ expires_at: iso(NOW + 3600) }, 3_600_000, 'milliseconds'],
    [{ expires_at: iso(NOW + 600) }, 3600, undefined],
    [{ expires_in: 3600 }, 3600, undefined],
    // So short that every unit below would fit.
    [{ expires_at: iso(NOW + 10) }, 10, undefined],
  ])('as %j tells of %i: %s', (body, asked, unit) => expect(unitOf(exchange(body), 't', asked)).toBe(unit));

  it('is told by the claims of a JWT too', () => {
    expect(unitOf(exchange({}), jwt({ exp: NOW + 7200 }), 120)).toBe('minutes');
  });
});

describe('what a response tells', () => {
  it('of the end of a token', () => {
    expect(endsIn(exchange({ a: iso(NOW + 3600), b: { c: 3600 }, created: iso(NOW + 0.95) }), 3600)).toEqual([
      ['/a', 'ISO 8601'],
      ['/b/c', 'as asked'],
    ]);
  });

  it.each([
    [{ expires_in: 3600 }, 't', 'as asked'],
    [{ expires_in: 600 }, 't', 'another'],
    [{ expires_at: iso(NOW + 3600) }, 't', 'as asked'],
    [{ expires_at: iso(NOW + 1800) }, 't', 'another'],
    [{ expires_in: 3600 }, jwt({ exp: NOW + 604_800 }), 'another'],
    [{ token: 't' }, 't', 'not told'],
  ])('of the lifetime: %j', (body, token, told) => {
    expect(lifetimeTold(exchange(body), token, 3600)).toBe(told);
  });

  it.each([
    [{ scopes: ['b:w', 'a:r'] }, 't', 'as asked'],
    [{ scope: 'a:r b:w' }, 't', 'as asked'],
    [{ scopes: ['a:r', 'b:w', 'c:x'] }, 't', 'others'],
    [{ scopes: ['a:r', 'b:w'] }, jwt({ scope: 'a:r' }), 'others'],
    [{}, 't', 'not told'],
  ])('of the scopes: %j', (body, token, told) => {
    expect(scopesTold(exchange(body), token, ['a:r', 'b:w'])).toBe(told);
  });
});

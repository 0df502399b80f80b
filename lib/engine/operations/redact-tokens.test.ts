import { describe, expect, it } from 'vitest';
import { bearer } from '../../target/credential.ts';
import type { Exchange } from '../../target/exchange.ts';
import { readReply } from '../../target/reply.ts';
import { createRedactor } from '../../target/output/redactor.ts';
import { redactTokenReply, redactTokens } from './redact-tokens.ts';

/** A reply to a request with another key. */
const exchange = (status: number, body: unknown): Exchange => {
  const credential = bearer('sent-9876543210abc');
  const request = { method: 'POST', path: '/v2/tokens', fields: [], credential, body: Buffer.from('{}') };
  return {
    number: 3,
    url: 'http://127.0.0.1/v2/tokens',
    request,
    reply: readReply(
      status,
      {},
      Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      100_000,
    ),
  } as unknown as Exchange;
};

const OPAQUE = 'q8Zr5xT1mVb7Kp2WnD4s';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const ISO = '2026-11-21T12:00:00.000Z';
const CUSTOMER_ID = 'cus_OJ7lGhHpsSkN9XgD';

it.each(['/v2/tokens', '/v2/%74okens'])('a token that %s issues is redacted', (path) => {
  const redactor = createRedactor();
  const given = exchange(201, { token: OPAQUE, note: 'or 7c21-44de' });
  redactTokenReply(redactor, { ...given, request: { ...given.request, path } });
  expect(redactor.redact(`${OPAQUE} 7c21-44de`)).toBe('[token 3] [possible token 3]');
});

describe('a text in a token response', () => {
  const shown = (body: unknown): string => {
    const redactor = createRedactor();
    redactTokens(redactor, exchange(201, body));
    return redactor.redact(typeof body === 'string' ? body : JSON.stringify(body));
  };

  it.each([
    [{ note: `your token: ${OPAQUE}.` }, /"your token: \[possible token 3\]/],
    [{ token: JWT, link: `https://a.example/t/${OPAQUE}?x=1` }, /"https:\/\/a.example\/t\/\[.*\]\?x=1"/],
    [{ tokens: { [OPAQUE]: 60 } }, /"\[token 3\]":60/],
    [{ parts: [481_516_234_215_162, 'kx81mzq04w7x'] }, /\[\[possible token 3\],"\[token 3\]"\]/],
    [`issued kx81mzq04w7x`, /^issued \[possible token 3\]$/],
  ])('is redacted if it does not look written by people: %j', (body, expected) => {
    expect(shown(body)).toMatch(expected);
  });

  it.each([
    { status: 'issued', message: 'The token was issued.', scope: 'customers:read', grants: 'orders:write' },
    { expires_at: ISO, not_after: 'Tue, 24 Nov 2026 10:00:00 GMT', ends: 1_795_515_342, left: 'PT36000000S' },
    `<p>The token of 2026 ends at ${ISO}.</p>`,
    { docs: 'https://docs.example.com/tokens', request_id: 'req_8a6e0804f2bd4c12', count: 1_000_000 },
  ])('is not redacted if people may have written it, or if it is a time: %j', (body) => {
    expect(shown(body)).toBe(typeof body === 'string' ? body : JSON.stringify(body));
  });

  it.each([
    [{ access_token: OPAQUE, refresh_token: JWT, id: 'tok_1', scope: 'a:b' }, [OPAQUE, JWT]],
    [{ id: CUSTOMER_ID, customer_id: CUSTOMER_ID, key: `${CUSTOMER_ID}x` }, [`${CUSTOMER_ID}x`]],
    [JWT, [JWT]],
    [{ errors: { token: ['is missing'], access_token: 'required' } }, []],
    [{ error: { id: OPAQUE, ref: CUSTOMER_ID } }, []],
    [`Error ${OPAQUE}`, []],
  ])('is redacted in a refusal if its name or its form is that of a token: %j', (body, hidden) => {
    const redactor = createRedactor();
    redactTokens(redactor, exchange(401, body));
    const whole = typeof body === 'string' ? body : JSON.stringify(body);
    const expected = hidden.reduce((text, one) => text.replaceAll(one, '[possible token 3]'), whole);
    expect(redactor.redact(whole)).toBe(expected);
  });

  it.each([500, 409])(
    'is redacted in a failure with status %s, which may come after the token was issued',
    (status) => {
      const redactor = createRedactor();
      redactTokens(redactor, exchange(status, { grant: OPAQUE }));
      expect(redactor.redact(OPAQUE)).toBe('[possible token 3]');
    },
  );

  it('ends the body that is shown if there are too many', () => {
    const tokens = Array.from({ length: 22 }, (_, at) => `${OPAQUE}${at + 10}`);
    expect(shown({ tokens: tokens.slice(0, 20) })).toMatch(/^\{"tokens":\["\[token 3\]",.*"\]\}$/);
    expect(shown({ tokens, rest: 0 })).toMatch(
      /^\{"tokens":\[.*token 3\]","\[more than 20 possible tokens\]$/,
    );
    expect(shown({ tokens, [`a${OPAQUE}`]: 0 })).not.toContain(OPAQUE);
  });

  it('does not end the body if it is public', () => {
    const redactor = createRedactor();
    redactor.decideSuspects((text) => text.startsWith(OPAQUE));
    const body = { links: Array.from({ length: 22 }, (_, at) => `${OPAQUE}${at + 10}`), token: `t${OPAQUE}` };
    redactTokens(redactor, exchange(201, body));
    expect(redactor.redact(JSON.stringify(body))).toMatch(/31"\],"token":"\[token 3\]"\}$/);
  });

  it('is not redacted in another response', () => {
    const redactor = createRedactor();
    redactTokens(redactor, {
      ...exchange(200, { note: 'kx81mzq04w7x' }),
      request: { ...exchange(200, '').request, path: '/v1' },
    });
    expect(redactor.redact('kx81mzq04w7x')).toBe('kx81mzq04w7x');
  });
});

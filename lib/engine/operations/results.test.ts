import { describe, expect, it } from 'vitest';
import { bearer } from '../../target/credential.ts';
import type { Exchange } from '../../target/exchange.ts';
import { readReply } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import { createRedactor } from '../../target/output/redactor.ts';
import {
  carriesCredential,
  redactTokens,
  redactIssuedToken,
  possibleCredentialTexts,
  findCredential,
} from './credentials-in-reply.ts';
import { carriesCustomer, placeOfCustomer } from './customer.ts';

const reply = (status: number, body: unknown): Reply =>
  readReply(status, {}, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), 100_000);

/** A reply to a request with another key. */
const exchange = (status: number, body: unknown): Exchange => {
  const credential = bearer('sent-9876543210abc');
  const request = { method: 'POST', path: '/v2/tokens', fields: [], credential, body: Buffer.from('{}') };
  return {
    number: 3,
    url: 'http://127.0.0.1/v2/tokens',
    request,
    reply: reply(status, body),
  } as unknown as Exchange;
};

const submitted = { name: 'Ada Berg', email: 'adaq1@example.com' };

const OPAQUE = 'q8Zr5xT1mVb7Kp2WnD4s';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const ISO = '2026-11-21T12:00:00.000Z';

it.each(['/v2/tokens', '/v2/%74okens'])('a token that %s issues is redacted', (path) => {
  const redactor = createRedactor();
  const given = exchange(201, { token: OPAQUE, note: 'or 7c21-44de' });
  redactIssuedToken(redactor, { ...given, request: { ...given.request, path } });
  expect(redactor.redact(`${OPAQUE} 7c21-44de`)).toBe('[token 3] [possible token 3]');
});

const HEX = '8f14e45fceea167a5a36dedd4bea2543';

describe('a text in a token response', () => {
  const shown = (body: unknown): string => {
    const redactor = createRedactor();
    redactTokens(redactor, exchange(201, body));
    return redactor.redact(typeof body === 'string' ? body : JSON.stringify(body));
  };

  it.each([
    [{ note: `your token: ${OPAQUE}.` }, /"your token: \[possible token 3\]/],
    [{ links: [`https://a.example/t/${OPAQUE}?x=1`] }, /"https:\/\/a.example\/t\/\[.*\]\?x=1"/],
    [{ tokens: { [OPAQUE]: 60 } }, /"\[possible token 3\]":60/],
    [{ parts: [481_516_234_215_162, 'kx81mzq04w7x'] }, /\[\[possible token 3\],"\[possible token 3\]"\]/],
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

  it('ends the body that is shown if there are too many', () => {
    const tokens = Array.from({ length: 22 }, (_, at) => `${OPAQUE}${at + 10}`);
    expect(shown({ tokens: tokens.slice(0, 20) })).toMatch(/^\{"tokens":\["\[possible token 3\]",.*"\]\}$/);
    expect(shown({ tokens, rest: 0 })).toMatch(
      /^\{"tokens":\[.*possible token 3\]","\[more than 20 possible tokens\]$/,
    );
    expect(shown({ tokens, [`a${OPAQUE}`]: 0 })).not.toContain(OPAQUE);
  });

  it('does not end the body if it is public', () => {
    const redactor = createRedactor();
    redactor.decideSuspects((text) => text.startsWith(OPAQUE));
    const body = { links: Array.from({ length: 22 }, (_, at) => `${OPAQUE}${at + 10}`), token: `t${OPAQUE}` };
    redactTokens(redactor, exchange(201, body));
    expect(redactor.redact(JSON.stringify(body))).toMatch(/31"\],"token":"\[possible token 3\]"\}$/);
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

describe('a reply', () => {
  it.each([
    [201, { id: 'cus_1', name: 'Ada Berg', email: 'adaq1@example.com' }],
    [200, { id: 17 }],
    [200, { id: 'customer-17', name: null }],
    [200, { data: { id: 'cus_1' } }],
    [200, { customer: { mail: 'adaq1@example.com' } }],
    [200, '<customer id="cus_1"/>'],
    [401, { id: 'cus_1' }],
    [500, { error: { created: 'cus_9' } }],
    [200, { success: false, id: 'cus_9' }],
    [200, { error: null, id: 17 }],
    [200, { errors: [], id: 17 }],
    [200, { id: null, name: 'Ada Berg', email: null }],
    [200, { message: 'created', name: 'Ada Berg', email: 'adaq1@example.com' }],
  ])('carries a customer: %i %j', (status, body) =>
    expect(carriesCustomer(reply(status, body), submitted)).toBe(true),
  );

  it.each([
    [401, { error: 'no', email: 'adaq1@example.com' }],
    [200, { error: 'no' }],
    [200, { status: 'ok' }],
    [200, { success: false, name: 'Ada Berg', email: 'adaq1@example.com' }],
    [200, { error: { id: 'err_1', input: { email: 'adaq1@example.com' } } }],
    [200, { status: 'failed', id: 'err_1' }],
    [200, { id: 'evt_91', outcome: 'denied', reason: 'no key' }],
    [202, { id: 'rev_91', object: 'review', status: 'pending' }],
    [200, { id: null, name: null, email: null, fault: { code: 'E1' } }],
    [200, { id: '', name: '', email: '', result: 'denied' }],
    [200, { id: 'f3b0c44298fc', code: 'auth', message: 'not accepted' }],
    [200, { name: 'AUTHENTICATION_FAILURE', message: 'no', links: [] }],
    [200, { success: false, error: { code: 'email_taken', conflict_with: 'cus_9' } }],
    [200, { error: { existing: { id: 'cus_9' } } }],
    [200, { returnCode: '08', message: 'INVALID NAME', input: submitted }],
    [200, { code: 'VALIDATION_FAILED', message: 'The name is wrong.', data: submitted }],
    [200, { resultCode: '401', msg: 'no', body: submitted }],
    [200, { ...submitted, status: 'KO' }],
    [401, { error: 'no', example: { id: 'cus_1' } }],
    [401, 'Unauthorized. A customer has an id such as cus_123.'],
    [401, '<link href="/cus_theme1.css"><body class="cus_error">adaq1</body>'],
    [204, ''],
    [302, ''],
    [400, { error: 'ids start with cus_ here' }],
    [401, { error: 'no', example: { id: 'cus_1', name: 'Jo Roe', email: 'jo@example.com' } }],
    [401, { error: 'no', request: { name: 'cus_a' } }, { name: 'cus_a', email: 'adaq1@example.com' }],
  ])('carries no customer: %i %j', (status, body, sent = submitted) => {
    expect(carriesCustomer(reply(status, body), sent)).toBe(false);
  });
});

describe('a reply, once ids are known,', () => {
  const placeIn = (status: number, body: unknown): string | undefined =>
    placeOfCustomer(reply(status, body), submitted, ['cus_8f14e45fceea167a', 'cus_c51ce410-124a10ec']);

  it.each([
    [401, { id: 'cus_c51ce410c124a10e', name: 'Ada Berg', email: 'adaq1@example.com' }, '/id'],
    [401, { id: 'cus_17', name: 'Ada Berg', email: 'adaq1@example.com' }, '/id'],
    [500, { error: { created: 'cus_c51ce410c124a10e' } }, '/error/created'],
    [403, { data: { customer: { id: 'cus_c51ce410c124a10e' } } }, '/data/customer/id'],
    [401, 'cus_c51ce410c124a10e\n', ''],
    [401, '"cus_c51ce410c124a10e"', ''],
    [401, '<customer id="cus_c51ce410c124a10e" email="adaq1@example.com"/>', ''],
  ])('carries a customer: %i %j at %j', (status, body, place) => expect(placeIn(status, body)).toBe(place));

  it.each([
    { code: 'cus_unauthorized', message: 'no' },
    { error: 'no', request_id: 'cus_req_8a6e0804' },
    { error: 'no', account: 'cus_operator' },
    { error: 'no', hint: { id: 'cus_123' } },
  ])('carries no customer if it is a rejection with %j', (body) =>
    expect(placeIn(401, body)).toBeUndefined(),
  );

  it('carries no customer if it is a page with an id as an example', () => {
    expect(placeIn(200, '<h1>Customers</h1><code>cus_c51ce410c124a10e</code>')).toBeUndefined();
  });
});

describe('texts that may be a credential', () => {
  it('are all texts unlike words, in any body', () => {
    expect(
      possibleCredentialTexts(
        reply(200, { access_token: OPAQUE, refresh_token: JWT, id: 'tok_1', scope: 'a:b' }),
      ),
    ).toEqual([OPAQUE, JWT]);
    const id = 'cus_OJ7lGhHpsSkN9XgD';
    expect(possibleCredentialTexts(reply(200, { id, customer_id: id, key: `${id}x` }))).toEqual([`${id}x`]);
    expect(possibleCredentialTexts(reply(200, `access_token=${OPAQUE}&x=1`))).toEqual([OPAQUE]);
    expect(
      possibleCredentialTexts(reply(401, { errors: { token: ['is missing'], access_token: 'required' } })),
    ).toEqual([]);
  });
});

describe('the credential in a token response', () => {
  it.each([
    [{ token: OPAQUE, expires_at: ISO }, '/token'],
    [{ access_token: 't1', token_type: 'Bearer', expires_in: 60, scope: 'customers:read' }, '/access_token'],
    [{ id: 'tok_1', object: 'token', secret: OPAQUE }, '/secret'],
    [{ id: OPAQUE, scopes: ['customers:read'], expires: ISO }, '/id'],
    [{ data: { attributes: { value: JWT } } }, '/data/attributes/value'],
    [{ request_id: 'f3b0c442-98fc-4c14-9af4-c8996fb92427', jwt: JWT }, '/jwt'],
    [{ tokens: [{ bearer: OPAQUE }] }, '/tokens/0/bearer'],
    [{ refresh_token: `${OPAQUE}x`, access_token: OPAQUE }, '/access_token'],
    [{ public_key: `${OPAQUE}x`, tkn: OPAQUE }, '/tkn'],
    [{ t: OPAQUE, created: ISO }, '/t'],
    [
      { accessToken: OPAQUE, tokenType: 'bearer', tokenId: 'f3b0c44298fc4c149af4c8996fb92427' },
      '/accessToken',
    ],
    [{ passphrase: 'panda-orange-eagle-river' }, '/passphrase'],
    [{ passphrase: 'panda orange eagle river' }, '/passphrase'],
    [{ id: 'tkn_1', code: '835496B1', ttl: 3600 }, '/code'],
    [{ code: 'MzH-tFz_', expires: 1_795_515_342 }, '/code'],
    [{ code: 'MzHtFzQw' }, '/code'],
    [{ code: 'Ab-Ez_uI' }, '/code'],
    [{ token_use: 'access', jws: JWT }, '/jws'],
    [{ key_algorithm: 'HS256', assertion: JWT }, '/assertion'],
    [{ access: ['READ'], opaque: OPAQUE }, '/opaque'],
    [{ session: '8f14e45fceea167a5a36dedd4bea2543', refreshToken: OPAQUE }, '/session'],
    [{ pat: '8f14e45fceea167a5a36dedd4bea2543', csrfToken: OPAQUE }, '/pat'],
    [{ refresh_token: OPAQUE }, '/refresh_token'],
    [{ grant: 'qzrhxtwmvbgkpxwndcsa' }, '/grant'],
    [{ tokenType: 'Bearer', assertion: JWT }, '/assertion'],
    [{ tokenStatus: 'ACTIVE', tokenFormat: 'opaque', pat: OPAQUE }, '/pat'],
    [JSON.stringify(OPAQUE), ''],
    [JSON.stringify('tok_qZrhxTWmVbGKpXWnDcsLtBfe'), ''],
    [JSON.stringify('kx81mzq04w7x'), ''],
    [{ result: { issued: 'kx81mzq04w7x', ttl: 3600 } }, '/result/issued'],
    [{ result: { issued: 'kXqTbzWpLmRv', ttl: 3600 } }, '/result/issued'],
    [{ t: 'amber-fjord-knoll-otter-pearl-maple' }, '/t'],
    [{ token: 'amber fjord knoll otter pearl maple lotus heron' }, '/token'],
    [{ status: true, message: OPAQUE }, '/message'],
    [{ header: `Authorization: Bearer ${OPAQUE}` }, '/header'],
    [{ header: 'Authorization: DPoP tok_qZrhxTWmVbGKpXWnDcsLtBfe' }, '/header'],
    [{ authorization: `DPoP ${OPAQUE}` }, '/authorization'],
    [{ token: `ApiKey ${OPAQUE}` }, '/token'],
    [{ authorization: `MAC id="1", mac="${OPAQUE}"` }, '/authorization'],
    [{ id: 'tok_1', key: 'key_9f2c4e7a81b35d60', token: OPAQUE }, '/token'],
    [{ signing_key_alias: 'customers-2026-prod-key-01', assertion: JWT }, '/assertion'],
    [{ url: `https://a.example/t/${OPAQUE}`, expires_in: 60 }, '/url'],
    [{ token: `https://a.example/t/${OPAQUE}` }, '/token'],
    [{ tokens: { [OPAQUE]: { expires_in: 60 } } }, 'name in /tokens'],
    [{ labels: [{ key: 'env', value: 'staging-eu-central-1' }], token: OPAQUE }, '/token'],
    [{ token: 481_516_234_215_162, expires_in: 60 }, '/token'],
    [{ t: '26750720' }, '/t'],
    [{ refresh: { token: OPAQUE }, access: { token: HEX } }, '/access/token'],
    [{ refresh: { value: OPAQUE }, access: { value: HEX } }, '/access/value'],
    [{ token_refresh: { access_token: HEX }, session_id: OPAQUE }, '/token_refresh/access_token'],
    [{ localId: OPAQUE, idToken: JWT }, '/idToken'],
  ])('is found in %j', (body, pointer) => {
    expect(findCredential(reply(201, body), ['customers:read'])?.place).toBe(pointer);
  });

  it.each([
    {},
    { scopes: ['customers:read'], expires_in: 3600 },
    { token: null },
    { code: 'QUEUED', message: 'the token will be issued' },
    { token: '' },
    { status: 'ok', message: 'the token was issued' },
    { expires_at: ISO, token_type: 'Bearer', request_id: 'f3b0c442-98fc-4c14-9af4-c8996fb92427' },
    { ok: false, reason: 'invalid_credentials' },
    { ok: false, code: 'InvalidCredentialsGiven' },
    { ok: false, code: 'ERR_INVALID_CREDENTIALS' },
    { success: false, code: 'VAL_002', message: null, data: null },
    { success: false, code: 'K7Q2-M9X4', message: null },
    { code: 'VALIDATION_002', message: null, data: null },
    {
      id: 'tok_17',
      self: 'https://a.example/v2/tokens/tok_17',
      scopes: ['customers:read'],
      ttl: 'PT36000000S',
    },
    { error: 'denied', detail: 'tok-1701-abcdef' },
    { reason: 'the key that you sent is not valid here' },
    { resultCode: 'AUTH-SCOPE-0042', resultMessage: 'the scope is unknown' },
    { ok: false, host: 'api-7d9f8b6c5-x2x9k', path: '/api/acme/v2/tokens' },
    { etag: 'a:b', value: 1_795_515_342 },
    { on: '20261231' },
    { store: 'PostgreSQL', by: 'McDonalds', via: 'iOSNative' },
  ])('is not found in %j', (body) => {
    expect(findCredential(reply(201, body), ['customers:read'])).toBeUndefined();
  });

  const withHeader = (name: string, body: unknown): Reply => ({
    ...reply(201, body),
    fields: { [name]: OPAQUE },
  });

  it('is found in a header if the body has none', () => {
    const record = { scopes: ['customers:read'], expires_at: ISO };
    const placeIn = (name: string, body: unknown): string | undefined =>
      findCredential(withHeader(name, body), ['customers:read'])?.place;
    expect(placeIn('x-subject-token', record)).toBe('header x-subject-token');
    expect(placeIn('authorization', record)).toBe('header authorization');
    expect(placeIn('x-session-token', record)).toBe('header x-session-token');
    expect(placeIn('x-subject-token', { ...record, token: JWT })).toBe('/token');
    const cookie = (name: string): Reply => ({
      ...reply(201, record),
      fields: { 'set-cookie': `${name}=${OPAQUE}; Path=/` },
    });
    expect(findCredential(cookie('access_token'), [])?.text).toBe(OPAQUE);
    for (const other of ['XSRF-TOKEN', '_shop_session', 'PHPSESSID'])
      expect(findCredential(cookie(other), [])).toBeUndefined();
    for (const other of ['x-csrf-token', 'x-session-id', 'x-request-id', 'etag'])
      expect(placeIn(other, record)).toBeUndefined();
  });

  it('is distinguished from another text at the same pointer in a rejection', () => {
    const found = { place: '/token', text: OPAQUE, isCertain: true, isBest: true };
    const control = { found, exchange: exchange(201, { token: OPAQUE }) };
    const carries = (status: number, body: unknown): boolean =>
      carriesCredential(exchange(status, body), control) !== undefined;
    expect(carries(401, { token: 'invalid' })).toBe(false);
    expect(carries(401, { token: 'the token is not valid here' })).toBe(false);
    expect(carries(401, { error: 'no', request_id: OPAQUE })).toBe(false);
    expect(carries(401, { token: 'Zk3Vq9Lm2Xw8Rt5Yb7Nc' })).toBe(true);
    expect(carries(401, { error: 'no', token: 'Zk3Vq9Lm2Xw8Rt5Yb7Nc' })).toBe(true);
    expect(carries(200, { token: 'Zk3Vq9Lm2Xw8Rt5Yb7Nc' })).toBe(true);
    expect(carries(200, { token: 'Zk3Vq9Lm' })).toBe(true);
    expect(carries(200, { code: 1001, token: 'authentication-required' })).toBe(false);
    expect(carries(200, { result: { token: 'Zk3Vq9Lm2Xw8Rt5Yb7Nc' } })).toBe(true);
    expect(carries(200, { error: 'bad credentials' })).toBe(false);
    expect(carries(200, { ok: false, reason: 'invalid_credentials' })).toBe(false);
    expect(carries(200, { error: 'no', errorId: 'f3b0c442-98fc-4c14-9af4-c8996fb92427' })).toBe(false);
    expect(carries(401, { token: 'sent-9876543210abc' })).toBe(false);
  });

  const OTHER_HEX = 'c51ce410c124a10e0db5e4b97fc2af39';

  it.each([
    [
      { id: HEX, expires_in: 60 },
      { id: OTHER_HEX, error: 'no' },
      { id: OTHER_HEX, expires_in: 30 },
    ],
    [
      { data: HEX, code: 0, msg: 'ok' },
      { data: OTHER_HEX, code: 17, msg: 'key' },
      { data: OTHER_HEX, code: 0, msg: 'ok' },
    ],
    [
      { ref: HEX, ok: true },
      { ref: OTHER_HEX, ok: false },
      { ref: OTHER_HEX, ok: true },
    ],
    [
      { value: HEX, kind: 'token' },
      { value: OTHER_HEX, kind: 'error' },
      { value: OTHER_HEX, kind: 'token' },
    ],
    [{ key: HEX }, { key: 'errors_auth_key_invalid_v2', text: 'No.' }, { error: 'no', key: OTHER_HEX }],
  ])(
    'is distinguished from an error in the same member of a 4xx: accepted %j, rejected %j',
    (accepted, rejected, issued) => {
      const place = `/${Object.keys(accepted)[0]}`;
      const control = {
        found: { place, text: HEX, isCertain: false, isBest: false },
        exchange: exchange(201, accepted),
      };
      expect(carriesCredential(exchange(401, rejected), control)).toBeUndefined();
      expect(carriesCredential(exchange(401, issued), control)).toMatchObject({ place, text: OTHER_HEX });
    },
  );
});

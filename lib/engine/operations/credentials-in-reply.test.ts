import { describe, expect, it } from 'vitest';
import { bearer } from '../../target/credential.ts';
import type { Exchange } from '../../target/exchange.ts';
import { readReply } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import { carriesCredential, findCredential } from './credentials-in-reply.ts';

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

const OPAQUE = 'q8Zr5xT1mVb7Kp2WnD4s';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const ISO = '2026-11-21T12:00:00.000Z';
const HEX = '8f14e45fceea167a5a36dedd4bea2543';

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

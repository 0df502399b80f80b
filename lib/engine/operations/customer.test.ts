import { describe, expect, it } from 'vitest';
import { readReply } from '../../target/reply.ts';
import type { Reply } from '../../target/reply.ts';
import { carriesCustomer, placeOfCustomer } from './customer.ts';

const reply = (status: number, body: unknown): Reply =>
  readReply(status, {}, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), 100_000);

const submitted = { name: 'Ada Berg', email: 'adaq1@example.com' };

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

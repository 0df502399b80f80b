import { describe, expect, it } from 'vitest';
import type { CustomerObservation } from '../operations/customer.ts';
import type { Trouble } from '../../schemas/exchange.ts';
import { direct } from '../../settings/route.ts';
import { NoReply } from '../../target/exchange.ts';
import { open } from '../run.testing.ts';
import { diagnose } from './diagnosis.ts';
import {
  areBothMissing,
  rejectsBothForAccess,
  namesKey,
  namesQuota,
  rejectsAddress,
} from './first-responses.ts';
import type { FirstResponses } from './first-responses.ts';

const submitted = { name: 'Ada Berg', email: 'ada1@example.com' };

const rejection = (text: string, status = 422): CustomerObservation =>
  ({
    accepted: false,
    submitted,
    exchange: {
      request: { method: 'POST', path: '/v1/customers', body: Buffer.from(JSON.stringify(submitted)) },
      reply: { status, text, fields: {}, json: undefined },
    },
  }) as unknown as CustomerObservation;

describe('a rejection of the first customer', () => {
  it.each([
    '{"error":{"code":"email_undeliverable","message":"The email does not accept mail","doc_url":null}}',
    'A deliverable email address is required',
    'unknown domain example.com',
    'the domain is missing an MX record',
    'email: not allowed',
    `[{"propertyName":"Email","errorMessage":"'Email' is not a valid email address."}]`,
  ])('is for its address: %s', (text) => {
    expect(rejectsAddress(rejection(text))).toBe(true);
  });

  it.each([
    '{"error":{"errors":[{"domain":"global","reason":"forbidden"}]}}',
    '<html><footer>All rights reserved</footer></html>',
    '{"code":"E1","support_email":"help@acme.test"}',
  ])('is not for its address where other things have its words: %s', (text) => {
    expect(rejectsAddress(rejection(text))).toBe(false);
  });

  it.each([
    'The email address field is required.',
    '{"email_address":["This field is required."]}',
    '[{"loc":["body","email_address"],"msg":"Field required"}]',
    "Email address can't be blank",
    '[{"path":["emailAddress"],"message":"Required"}]',
    '"emailAddress" is required',
    'Unrecognized field "email" (class Customer), not marked as ignorable',
  ])('is for a member that the service does not read: %s', (text) => {
    expect(rejectsAddress(rejection(text))).toBe(false);
  });
});

describe('an operation', () => {
  const both = (text: string, json?: object): boolean => {
    const { exchange, ...rest } = rejection(text, 400);
    const one = { ...rest, exchange: { ...exchange, reply: { ...exchange.reply, json } } };
    return areBothMissing(one, one);
  };

  it.each(['Client sent an HTTP request to an HTTPS server.\n', 'Invalid host header'])(
    'is not there where a server in front of it answers: %s',
    (text) => {
      expect(both(text)).toBe(true);
      expect(both(JSON.stringify({ text }), { text })).toBe(false);
    },
  );

  it('is there if it rejects a request in its own words', () => {
    expect(both('bad request')).toBe(false);
  });
});

it.each([
  [0, true],
  [15, false],
])('a gateway without its service, after --wait %d, leads to that advice: %s', (wait, expected) => {
  const run = open({ baseUrl: 'http://127.0.0.1:1' }, { settings: { wait } });
  const one = rejection('', 502);
  const [found] = diagnose(run, { customer: one, token: one } as unknown as FirstResponses);
  expect(found!.advice).toContain('Check that the service behind the gateway is up');
  expect(found!.advice!.includes('--wait')).toBe(expected);
});

it.each([
  ['{"message":"Missing X-Api-Key"}', 'X-Api-Key'],
  ["Required request header 'X-Tenant-Id' is not present", 'X-Tenant-Id'],
  ['{"errors":[{"header":"x-api-version"}]}', 'x-api-version'],
  ['X-Team must be one of yours', 'X-Team'],
  ['{"error":"authentication required","x-request-id":"4f"}', undefined],
  ['Unauthorized. Quote X-Request-Id: 4f', undefined],
  ['a header is missing: X-' + 'a'.repeat(60), undefined],
])('a rejection of any key leads to the header that it demands: %s', (text, name) => {
  const one = rejection(text, 401);
  const run = open({ baseUrl: 'http://127.0.0.1:1' });
  const first = { customer: one, token: one, isSameForAnyKey: true } as unknown as FirstResponses;
  const [, found] = /The response names (\S+):/.exec(diagnose(run, first)[0]!.advice!) ?? [];
  expect(found).toBe(name);
});

it('a header that is sent, and that a rejection of any key names, leads to its value', () => {
  const one = rejection('{"message":"missing or invalid header x-env"}', 401);
  const headers = [{ name: 'X-Env', pieces: [{ text: 'prod' }] }];
  const run = open({ baseUrl: 'http://127.0.0.1:1' }, { settings: { route: { ...direct, headers } } });
  const first = { customer: one, token: one, isSameForAnyKey: true } as unknown as FirstResponses;
  const { advice } = diagnose(run, first)[0]!;
  expect(advice).toContain('which --header adds: check its value. Check TARGET_API_KEY');
});

it.each<[kind: Trouble['kind'], advice: string]>([
  ['reset', 'See the log of the service'],
  ['timeout', 'See the log of the service; if it is slow, raise --timeout'],
  ['oversized', 'Return no more than the result: no client of the interface needs so long a response'],
])('an operation that gets no response alone (%s) leads to: %s', (kind, advice) => {
  const customer = rejection('{"message":"the name is taken"}', 409);
  const token = new NoReply(customer.exchange.request, [{ kind, detail: 'none' }]);
  const run = open({ baseUrl: 'http://127.0.0.1:1' });
  const found = diagnose(run, { customer, token });
  expect(found.find(({ subject }) => subject === 'token')?.advice).toBe(advice);
});

describe('a redirect of the first request', () => {
  const adviceFor = (location: string): string => {
    const { exchange, ...rest } = rejection('', 308);
    const url = 'http://127.0.0.1:1/v1/customers';
    const one = {
      ...rest,
      exchange: { ...exchange, url, reply: { ...exchange.reply, fields: { location } } },
    };
    const run = open({ baseUrl: 'http://127.0.0.1:1' });
    return diagnose(run, { customer: one, token: one } as unknown as FirstResponses)[0]!.advice!;
  };

  it('to the same operation leads to its base URL', () => {
    expect(adviceFor('/eu/v1/customers')).toMatch(/^Set TARGET_BASE_URL to http:\/\/127\.0\.0\.1:1\/eu, if/);
    expect(adviceFor(`/${'a'.repeat(9000)}/v1/customers`).length).toBeLessThan(500);
  });

  it.each([
    '/v1/customers',
    '/login?next=/v1/customers',
    'https://id.example/v1/customers?next=/v1/customers',
    'https://id.example/v1/customers#/v1/customers',
    'https://user:password@id.example/v1/customers',
    'ftp://id.example/v1/customers',
  ])('does not, if it is to %s', (location) => {
    expect(adviceFor(location)).toMatch(/^Redirects are not followed. If this one leads to a login/);
  });
});

describe('a rejection of the first request', () => {
  it.each([
    'plan limit of 100 customers reached',
    'Too many active tokens',
    'You have reached the maximum number of users for this account',
    'Quota exceeded',
    'at most 60 customers',
    'account limit reached',
  ])('is for a quota: %s', (text) => {
    expect(namesQuota({ status: 403, text })).toBe(true);
  });

  it.each([
    'expires_in exceeds the maximum of 86400',
    'too many scopes',
    'expires_in exceeds the maximum token lifetime',
    'the token limit of a request is 4096',
    'max user name length is 40',
    'the name is limited to 100 characters',
    'maximum lifetime of a token is 3600',
    'invalid token limits',
  ])('is for the input: %s', (text) => {
    expect(namesQuota({ status: 400, text })).toBe(false);
  });
});

describe('the same rejection of both operations', () => {
  const alike = (status: number, text = 'Content-Type header must be application/vnd.api+json'): boolean => {
    const one = rejection(text, status);
    return rejectsBothForAccess({ customer: one, token: one } as unknown as FirstResponses);
  };

  it('may be for the key or a header that is missing, but not for the media type', () => {
    expect([alike(400), alike(415), alike(406)]).toEqual([true, false, false]);
  });

  it.each([
    ['X-Request-Id is mandatory', true],
    ['An API version is required, but was not specified.', true],
    ['the body is invalid; x-request-id: 7', false],
  ])('may be for a header: %s: %s', (text, expected) => {
    expect(alike(400, text)).toBe(expected);
  });

  it('is not for the key where a parser names the token that it could not read', () => {
    expect(alike(400, 'Unexpected token e in JSON at position 0')).toBe(false);
    expect(alike(400, 'invalid token')).toBe(true);
  });
});

describe('a 401 or 403 is apparently for a wrong key', () => {
  it.each([
    ['{"error":"Invalid API key"}', {}, true],
    ['{"error":"invalid_token"}', {}, true],
    ['', { 'www-authenticate': 'Bearer realm="customers"' }, true],
    ['{"message":"Forbidden"}', {}, false],
    ['{"message":"No API key found in request"}', { 'www-authenticate': 'Key realm="gateway"' }, false],
    ['{"message":"X-Access-Token is missing"}', {}, false],
    ['<html>The key is wrong</html>', { 'content-type': 'text/html' }, false],
    ['{"message":"Missing Authentication Token"}', {}, false],
    ['{"error":{"type":"invalid_api_key"}}', {}, true],
    ['The access token was revoked', {}, true],
    ["Invalid key=value pair (missing equal-sign) in Authorization header: 'Bearer'", {}, false],
    ['CSRF token missing or incorrect', {}, false],
    ['{"error":"blocked","supportToken":"1234"}', {}, false],
    ['{"error":"Access denied","keywords":[]}', {}, false],
  ])('%s with %j: %s', (text, fields, expected) => {
    const { reply } = rejection(text, 401).exchange;
    expect(namesKey({ ...reply, fields })).toBe(expected);
  });
});

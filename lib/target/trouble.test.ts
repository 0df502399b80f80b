import { describe, expect, it } from 'vitest';
import { adviceFor, troubleOf } from './trouble.ts';

it.each([
  [['ECONNREFUSED'], 'connection refused'],
  [['ETIMEDOUT', 'ENETUNREACH'], 'the connection could not be opened in time'],
  [['EHOSTUNREACH', 'ECONNREFUSED'], 'connection refused'],
])('the trouble with a host of several addresses that fail with %j is that %s', (codes, detail) => {
  const errors = codes.map((code) => Object.assign(new Error(code), { code }));
  expect(troubleOf(new AggregateError(errors), 1000)).toMatchObject({ kind: 'refused', detail });
});

describe('what to do about a connection that fails', () => {
  it.each([
    ['PROXY_SELF_SIGNED_CERT_IN_CHAIN', 'To trust the CA of the proxy, set NODE_EXTRA_CA_CERTS=FILE'],
    ['PROXY_UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'To trust the CA of the proxy, set NODE_EXTRA_CA_CERTS=FILE'],
    ['PROXY_CERT_HAS_EXPIRED', 'Check the variable of the proxy'],
    ['PROXY_ECONNREFUSED', 'Check the variable of the proxy'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'To trust a private CA, set TARGET_CA=FILE'],
    ['EACCES', 'Run as a user who may open the socket'],
  ])('with %s: %s', (code, advice) => {
    expect(adviceFor({ kind: 'refused', code })).toContain(advice);
  });
});

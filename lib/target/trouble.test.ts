import { describe, expect, it } from 'vitest';
import type { OtherHost } from '../settings/route.ts';
import { ProxyFailed, problemOfStatus } from './connections/proxy.ts';
import { adviceFor, troubleOf } from './trouble.ts';

const tried = { baseUrl: 'http://127.0.0.1:1', route: {}, wait: 0 };

it.each([
  [['ECONNREFUSED'], 'connection refused'],
  [['ETIMEDOUT', 'ENETUNREACH'], 'the connection could not be opened in time'],
  [['EHOSTUNREACH', 'ECONNREFUSED'], 'connection refused'],
])('the trouble with a host of several addresses that fail with %j is that %s', (codes, detail) => {
  const errors = codes.map((code) => Object.assign(new Error(code), { code }));
  expect(troubleOf(new AggregateError(errors), 1000)).toMatchObject({ kind: 'refused', detail });
});

it.each(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW'])(
  'headers that are too long are named (%s)',
  (code) => {
    const { detail, kind } = troubleOf(Object.assign(new Error(code), { code }), 1000);
    expect(detail).toBe('the headers of the response are longer than 64 KiB');
    expect(adviceFor({ kind, code }, tried)).toContain('Send shorter headers');
  },
);

it.each([
  ['Basic realm="a"', 'it demands credentials', 'Put the credentials into the URL'],
  ['Negotiate, Basic realm="a"', 'it demands credentials', 'Put the credentials into the URL'],
  [undefined, 'it demands credentials', 'Put the credentials into the URL'],
  ['Negotiate, NTLM', 'it does not accept Basic', 'Start a proxy on this machine'],
  ['Digest realm="no Basic here"', 'it does not accept Basic', 'Start a proxy on this machine'],
])('a proxy that demands %s', (challenge, meaning, advice) => {
  const proxy = { origin: 'http://proxy.example:3128', variable: 'HTTPS_PROXY' };
  const failure = { answer: '407', problem: problemOfStatus(407, challenge) };
  const trouble = troubleOf(new ProxyFailed(proxy, failure), 1000);
  expect(trouble).toMatchObject({ kind: 'proxy' });
  expect(trouble.detail).toContain(`answered 407: ${meaning}`);
  expect(adviceFor(trouble, tried)).toContain(advice);
});

it.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it demands a client certificate'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'it rejected the client certificate'],
])('a proxy that wants another client certificate is not taken for the target (%s)', (code, meaning) => {
  const proxy = { origin: 'https://proxy.example:3128', variable: 'HTTPS_PROXY' };
  const cause = Object.assign(new Error(code), { code });
  const trouble = troubleOf(new ProxyFailed(proxy, { cause }), 1000);
  expect(trouble.detail).toBe(`the proxy ${proxy.origin} (HTTPS_PROXY): TLS failed: ${meaning} (${code})`);
  expect(adviceFor(trouble, tried)).toContain('Start a proxy on this machine that authenticates itself');
});

it('a server of another protocol has no response that a reason could name a part of', () => {
  const reason = 'Expected HTTP/, RTSP/ or ICE/';
  const error = Object.assign(new Error(`Parse Error: ${reason}`), { code: 'HPE_INVALID_CONSTANT', reason });
  expect(troubleOf(error, 1000)).toMatchObject({ kind: 'protocol', detail: 'the response is not HTTP/1.1' });
});

describe('what to do about a connection that fails', () => {
  it.each([
    ['PROXY_SELF_SIGNED_CERT_IN_CHAIN', 'To trust the CA of the proxy, set NODE_EXTRA_CA_CERTS=FILE'],
    ['PROXY_UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'To trust the CA of the proxy, set NODE_EXTRA_CA_CERTS=FILE'],
    ['PROXY_CERT_HAS_EXPIRED', 'Check the variable of the proxy'],
    ['PROXY_ECONNREFUSED', 'Check the variable of the proxy'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'To trust a private CA, set TARGET_CA=FILE'],
    ['UNSPECIFIED', 'Issue one with an RSA key of at least 2048 bits'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'To trust it, set TARGET_CA to its file'],
    ['EACCES', 'Run as a user who may open the socket'],
  ])('with %s: %s', (code, advice) => {
    expect(adviceFor({ kind: 'refused', code }, tried)).toContain(advice);
  });

  it.each<[otherHost: OtherHost | undefined, code: string, advice: string]>([
    [undefined, 'ECONNREFUSED', 'that TARGET_BASE_URL is right; nothing is listening on that port'],
    [
      { host: '127.0.0.1', port: 1 },
      'ECONNREFUSED',
      'that TARGET_CONNECT_TO (127.0.0.1:1) is right; nothing is listening on that port',
    ],
    [{ host: '10.0.0.1', port: 1 }, 'EHOSTUNREACH', 'that TARGET_CONNECT_TO (10.0.0.1:1) is right, and'],
    [{ host: '10.0.0.1', port: 1 }, 'PROXY_target', 'that TARGET_CONNECT_TO (10.0.0.1:1) is right. To'],
    [
      { path: '/run/a.sock' },
      'ECONNREFUSED',
      'that TARGET_UNIX_SOCKET (/run/a.sock) is right; nothing is listening on that socket',
    ],
  ])('to %j names the setting whose place was tried (%s)', (otherHost, code, advice) => {
    expect(
      adviceFor({ kind: 'refused', code }, { ...tried, route: { ...(otherHost && { otherHost }) } }),
    ).toContain(advice);
  });

  it.each([
    ['http', 'If that port speaks TLS, write https in place of http', 'TARGET_CLIENT_CERT'],
    ['https', 'that TARGET_CLIENT_CERT names one that it accepts', 'write https'],
  ])('that is closed without a response, by %s: %s', (scheme, advice, other) => {
    const text = adviceFor({ kind: 'reset' }, { ...tried, baseUrl: `${scheme}://127.0.0.1:1` });
    expect(text).toContain(advice);
    expect(text).not.toContain(other);
  });

  it('that is closed without a response names the socket that was tried', () => {
    const route = { otherHost: { path: '/run/a.sock' } };
    expect(adviceFor({ kind: 'reset' }, { ...tried, route })).toBe(
      'Check that the service is up and that TARGET_UNIX_SOCKET (/run/a.sock) is right. If that socket speaks TLS, write https in place of http',
    );
  });

  it.each([
    [0, true],
    [15, false],
  ])('that is refused after --wait %d leads to that advice: %s', (wait, expected) => {
    const advice = adviceFor({ kind: 'refused', code: 'ECONNREFUSED' }, { ...tried, wait });
    expect(advice.includes('--wait')).toBe(expected);
  });
});

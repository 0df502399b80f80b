import { describe, expect, it } from 'vitest';
import { direct } from '../../settings/route.ts';
import type { Reached } from '../../target/connections/reach.ts';
import { clockAt, checkReached } from './checkup.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const tls = { version: 'TLSv1.3', http: 'h2', until: '2026-12-31T00:00:00.000Z', isVerified: true };
const untrusted = (code: string): Reached => ({
  addresses: ['10.0.0.1'],
  connect: 3,
  tls,
  trouble: { kind: 'refused', detail: `TLS failed (${code})`, code },
});

const diagnoses = (baseUrl: string, reached: Reached): string[] =>
  [...checkReached({ baseUrl, route: direct, wait: 0 }, reached, NOW)].map(
    ({ subject, state, text, advice = '' }) => `${state} ${subject}: ${text} ${advice}`,
  );

describe('the connection to a target', () => {
  it('is ok with a name, a connection and a certificate', () => {
    const reached = { addresses: ['10.0.0.1', '10.0.0.2'], connect: 3.2, tls };
    expect(diagnoses('https://staging.example.com/api', reached)).toEqual([
      'ok name: staging.example.com is 10.0.0.1 and 1 more ',
      'ok connection: to staging.example.com:443 in 4 ms ',
      'ok TLS: TLSv1.3; a run uses HTTP/1.1 ',
      'ok certificate: trusted, expires on 2026-12-31, in 39 days ',
    ]);
  });

  it.each<[baseUrl: string, reached: Reached, last: RegExp]>([
    [
      'https://nope.invalid',
      { addresses: [], trouble: { kind: 'refused', detail: 'does not resolve', code: 'ENOTFOUND' } },
      /^stop name: does not resolve Check the host/,
    ],
    [
      'https://a.example',
      { addresses: ['10.0.0.1'], trouble: { kind: 'refused', detail: 'refused', code: 'ECONNREFUSED' } },
      /^stop connection: refused .*nothing is listening on that port/,
    ],
    [
      'https://10.0.0.1',
      { addresses: [], trouble: { kind: 'refused', detail: 'refused', code: 'ECONNREFUSED' } },
      /^stop connection: refused/,
    ],
    [
      'https://a.example',
      {
        addresses: ['10.0.0.1'],
        connect: 3,
        trouble: { kind: 'refused', detail: 'TLS failed', code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
      },
      /^stop TLS: TLS failed .*write http in place of https/,
    ],
    [
      'https://a.example',
      untrusted('CERT_HAS_EXPIRED'),
      /^stop certificate: .*expires on 2026-12-31 .*Renew the certificate/,
    ],
    ['https://a.example', untrusted('ERR_TLS_CERT_ALTNAME_INVALID'), /TARGET_SERVER_NAME/],
    ['https://a.example', untrusted('SELF_SIGNED_CERT_IN_CHAIN'), /TARGET_CA/],
    [
      'http://a.example',
      { addresses: ['10.0.0.1'], connect: 3 },
      /^warning TLS: none: the key .*Write https/,
    ],
    [
      'https://a.example',
      { addresses: [], connect: 3, tls: { ...tls, isVerified: false } },
      /^warning certificate: not verified, as NODE_TLS_REJECT_UNAUTHORIZED=0 .*to any server Unset/,
    ],
    [
      'https://a.example',
      { addresses: [], connect: 3, tls: { ...tls, isVerified: false, problem: 'CERT_HAS_EXPIRED' } },
      /^warning certificate: not verified.*would be rejected \(CERT_HAS_EXPIRED\) /,
    ],
    ['http://127.0.0.1:8080', { addresses: [], connect: 3 }, /^ok connection/],
    ['http://127.0.0.1:8080', { addresses: [], connect: 900 }, /^warning connection: .*time for fewer/],
    [
      'https://10.0.0.1',
      { addresses: [], connect: 3, tls: { ...tls, until: '2026-12-01T00:00:00.000Z' } },
      /^warning certificate: .* in 9 days Renew it/,
    ],
  ])('to %s is diagnosed by how far it came', (baseUrl, reached, last) => {
    expect(diagnoses(baseUrl, reached).at(-1)).toMatch(last);
  });
});

describe('the clock of a target', () => {
  const http = (seconds: number): string => new Date(NOW + seconds * 1000).toUTCString();

  it.each([
    [http(0), 'ok', 'in sync'],
    [http(-1), 'ok', 'in sync'],
    [http(12), 'ok', '12 s ahead of'],
    [http(40), 'warning', '40 s ahead of'],
    [http(-90), 'warning', '90 s behind'],
    [undefined, 'warning', 'no Date'],
    ['yesterday', 'warning', 'no Date'],
  ] as const)('%s is %s: %s', (date, state, text) => {
    const diagnosis = clockAt(date, NOW + 900);
    expect(diagnosis.state).toBe(state);
    expect(diagnosis.text).toContain(text);
  });
});

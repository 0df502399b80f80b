import { describe, expect, it } from 'vitest';
import type { RecordedExchange } from '../../schemas/exchange.ts';
import { hostileText } from '../inert.testing.ts';
import { sampleExchange, sampleReport } from '../sample.testing.ts';
import { harOf } from './har.ts';

const report = sampleReport([]);

const evidenceOf = (exchange: RecordedExchange): string[] => {
  const { suite, target, run } = report;
  const { startedAt, seed, strict } = run;
  const lines = [
    {
      type: 'run',
      schemaVersion: 1,
      suite,
      baseUrl: target.baseUrl,
      startedAt,
      clockStartedAt: '2026-03-01T12:00:02.000Z',
      seed,
      strict,
      tokenScopes: [],
      tokenExpiresIn: 1,
      route: { http: '1.1', headers: [], curl: [] },
    },
    { type: 'exchange', ...exchange, reply: { utf8: true } },
  ];
  return lines.map((line) => JSON.stringify(line));
};

const entryOf = (exchange: RecordedExchange): Record<string, object> =>
  (harOf(report, 'reports', evidenceOf(exchange)) as { log: { entries: [never] } }).log.entries[0];

describe('evidence.har', () => {
  it('has each exchange as it was recorded, and says what was not', () => {
    expect(entryOf(sampleExchange('{"id":"cus_1"}'))).toEqual({
      startedDateTime: '2026-03-01T12:00:02.100Z',
      time: 25,
      request: {
        method: 'POST',
        url: 'https://staging.example.com/api/v1/customers',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'Authorization', value: 'Bearer [key]' },
          { name: 'Content-Type', value: 'application/json' },
          { name: 'Accept', value: 'application/json' },
          { name: 'User-Agent', value: 'cts-conformance/0.1.0' },
        ],
        queryString: [],
        postData: { mimeType: 'application/json', text: '{"name":"Ada"}' },
        headersSize: -1,
        bodySize: -1,
      },
      response: {
        status: 201,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'content-type', value: 'application/json' },
          { name: 'x-note', value: '{"id":"cus_1"}' },
        ],
        content: { size: 14, mimeType: 'application/json', text: '{"id":"cus_1"}' },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 20, receive: 5 },
      comment: '7: plain customers',
      _number: 7,
      _queue: 'plain customers',
      _inFlight: 3,
      _troubles: [],
    });
  });

  it('percent-encodes the label of a secret in a URL', () => {
    const exchange = sampleExchange('');
    const url = 'http://[::1]:8080/v1/customers?key=[key]&name=é%20x';
    expect(entryOf({ ...exchange, request: { ...exchange.request, url } })['request']).toMatchObject({
      url: 'http://[::1]:8080/v1/customers?key=%5Bkey%5D&name=%C3%A9%20x',
      queryString: [
        { name: 'key', value: '[key]' },
        { name: 'name', value: 'é x' },
      ],
    });
  });

  it('holds whatever a target says as text', () => {
    expect(entryOf(sampleExchange(hostileText))['response']).toMatchObject({
      content: { text: hostileText },
    });
  });

  it('is empty where there is no evidence', () => {
    expect(harOf(report, 'reports', [])).toMatchObject({ log: { entries: [] } });
  });
});

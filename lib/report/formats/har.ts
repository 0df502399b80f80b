import { fieldIn } from '../../settings/headers.ts';
import type { ExchangeLine } from '../../schemas/evidence.ts';
import { clockOf, linesOf, parsedLines } from '../../engine/evidence/lines.ts';
import type { Lines } from '../../engine/evidence/lines.ts';
import type { Report } from '../../schemas/report.ts';

/** HAR's value for an unknown size: recorded texts contain labels in place of secrets, and may be truncated. */
const UNKNOWN = -1;

/** The evidence as an HTTP Archive 1.2. Details that are not recorded are empty or unknown. */
export function harOf(report: Report, _out: string, evidence: Lines): object {
  const lines = [...parsedLines(evidence)];
  const run = linesOf(lines, 'run')[0];
  const from = run ? clockOf(run) : Date.parse(report.run.startedAt);
  const httpVersion = run ? `HTTP/${run.route.http}` : 'unknown';
  return {
    log: {
      version: '1.2',
      creator: { name: report.suite.name, version: report.suite.version },
      entries: linesOf(lines, 'exchange').map((exchange) => entryOf(exchange, from, httpVersion)),
      comment: `Exchanges with ${report.target.baseUrl} in the order of their completion; labels stand for secrets, bodies are truncated after 32768 characters, and requests lack Host, Content-Length and Connection`,
    },
  };
}

function entryOf(exchange: ExchangeLine, from: number, httpVersion: string): object {
  const { number, queue, request, response, startedAt, firstByte, duration, inFlight, troubles } = exchange;
  return {
    startedDateTime: new Date(from + startedAt).toISOString(),
    time: duration,
    request: {
      method: request.method,
      url: uriOf(request.url),
      httpVersion,
      cookies: [],
      headers: request.headers.map(([name, value]) => ({ name, value })),
      queryString: queryOf(request.url),
      ...(request.body === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: request.body } }),
      headersSize: UNKNOWN,
      bodySize: request.body === '' ? 0 : UNKNOWN,
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion,
      cookies: [],
      headers: Object.entries(response.headers).map(([name, value]) => ({ name, value })),
      content: {
        size: Buffer.byteLength(response.body),
        mimeType: response.headers['content-type'] ?? '',
        text: response.body,
      },
      redirectURL: response.headers['location'] ?? '',
      headersSize: UNKNOWN,
      bodySize: UNKNOWN,
    },
    cache: {},
    // Sending is not measured separately; it is part of the wait.
    timings: { send: 0, wait: firstByte, receive: Math.max(0, duration - firstByte) },
    comment: `${number}: ${queue}`,
    _number: number,
    _queue: queue,
    _inFlight: inFlight,
    _troubles: troubles,
  };
}

const typeOf = (headers: ExchangeLine['request']['headers']): string =>
  fieldIn(headers, 'Content-Type')?.[1] ?? '';

/** Encodes what is not allowed in a URI: labels of secrets, and what a scenario has sent as it is. */
function uriOf(url: string): string {
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(origin.length).toWellFormed();
  return origin + rest.replace(/[^\w.~:/?#@!$&'()*+,;=%-]+/gu, encodeURIComponent);
}

function queryOf(url: string): { name: string; value: string }[] {
  const query = URL.canParse(url) ? new URL(url).searchParams : [];
  return [...query].map(([name, value]) => ({ name, value }));
}

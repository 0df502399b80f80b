import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Behaviour } from '../behaviour.ts';
import { acceptingOnly, countOf, isChunked } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

type RequestCondition = (request: IncomingMessage) => boolean;

/** Answers with a page of a gateway, and closes the connection without reading the rest of the request. */
function reject(
  response: ServerResponse,
  status: number,
  fields: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'text/html', Connection: 'close', ...fields });
  response.end(`<html><head><title>${status}</title></head><body><hr>gateway</body></html>`);
}

const rejecting =
  (status: number, isRejected: RequestCondition, fields: Readonly<Record<string, string>> = {}) =>
  (): Behaviour => ({
    around: (inner) => (request, response) =>
      isRejected(request) ? reject(response, status, fields) : inner(request, response),
  });

/** Changes the lines of the header before the service reads them. */
const rewriting =
  (change: (lines: [name: string, value: string][]) => [string, string][]) => (): Behaviour => ({
    around: (inner) => (request, response) => {
      const { rawHeaders } = request;
      const lines = rawHeaders.flatMap((name, at): [string, string][] =>
        at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]!]] : [],
      );
      const changed = change(lines);
      rawHeaders.splice(0, rawHeaders.length, ...changed.flat());
      for (const name of Object.keys(request.headers)) {
        if (!changed.some(([kept]) => kept === name)) delete request.headers[name];
      }
      return inner(request, response);
    },
  });

/** Changes the target before the service reads it. */
const retargeting = (change: (target: string, request: IncomingMessage) => string) => (): Behaviour => ({
  around: (inner) => (request, response) => {
    request.url = change(request.url ?? '', request);
    return inner(request, response);
  },
});

/** Redirects other spellings of a path to the canonical one. */
const redirecting = (status: number, canonical: (path: string) => string) => (): Behaviour => ({
  around: (inner) => (request, response) => {
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const location = canonical(path) + (query === undefined ? '' : `?${query}`);
    return canonical(path) === path
      ? inner(request, response)
      : reject(response, status, { Location: location });
  },
});

const has =
  (name: string, pattern = /./): RequestCondition =>
  ({ headers }) =>
    pattern.test(String(headers[name] ?? ''));
const target =
  (pattern: RegExp): RequestCondition =>
  ({ url }) =>
    pattern.test(url ?? '');
const isAuthorization = ([name]: [string, string]): boolean => name === 'authorization';
const KNOWN =
  /^(?:host|connection|authorization|content-(?:type|length)|transfer-encoding|accept|user-agent)$/;

/** Gateways that reject, rewrite or normalise unusual requests. */
export const gateways = [
  ...variantsOf('7 and 8: which forms of a request are rejected is not shown')({
    'gateway-411-for-chunked': rejecting(411, has('transfer-encoding')),
    'gateway-415-for-coded-bodies': rejecting(415, has('content-encoding'), {
      'Accept-Encoding': 'identity',
    }),
    'gateway-415-for-charsets': rejecting(415, has('content-type', /charset="?(?!utf-8)/i)),
    'gateway-417-for-expectations': rejecting(417, has('expect')),
    'gateway-400-for-trailers': rejecting(400, has('trailer')),
    'gateway-426-for-http-1-0': rejecting(426, ({ httpVersion }) => httpVersion === '1.0', {
      Upgrade: 'HTTP/1.1',
      Connection: 'upgrade, close',
    }),
    'gateway-501-for-upgrades': rejecting(501, has('upgrade')),
    'gateway-413-over-16-kib': rejecting(413, ({ headers }) => Number(headers['content-length']) > 16_384),
    'gateway-413-over-2-kib-when-chunked': acceptingOnly(
      (_, call) => !isChunked(call) || call.bytes.length <= 2048,
      413,
    ),
    'gateway-400-for-absolute-form': rejecting(400, target(/^https?:/i)),
    'gateway-404-that-quotes-absolute-targets': () => ({
      around: (inner) => (request, response) => {
        if (!/^https?:/i.test(request.url ?? '')) return inner(request, response);
        response.writeHead(404, { 'Content-Type': 'text/html', Connection: 'close' });
        response.end(`<html><body>Not found: ${encodeURI(request.url!)}</body></html>`);
      },
    }),
    'gateway-421-for-other-hosts': rejecting(
      421,
      ({ headers, socket }) => headers.host !== `127.0.0.1:${socket.localPort}`,
    ),
    'gateway-414-for-targets-over-80': rejecting(414, ({ url = '' }) => url.length > 80),
    'gateway-400-for-percent-encoding': rejecting(400, target(/%/)),
    'gateway-400-for-path-parameters': rejecting(400, target(/[;\\]/)),
    'gateway-403-for-dot-segments': rejecting(403, target(/\/\.{1,2}(?:[/?]|$)/)),
    'gateway-400-for-queries': rejecting(400, target(/\?/)),
    'gateway-431-for-headers-of-512': rejecting(431, ({ rawHeaders }) =>
      rawHeaders.some((text) => text.length > 512),
    ),
    'gateway-431-for-more-than-14-headers': rejecting(431, ({ rawHeaders }) => rawHeaders.length > 28),
    'gateway-400-for-two-credentials': rejecting(400, (request) => countOf(request, 'authorization') > 1),
    'gateway-400-for-credentials-in-two-places': rejecting(
      400,
      (request) =>
        has('authorization')(request) &&
        (has('x-api-key')(request) ||
          has('cookie')(request) ||
          has('proxy-authorization')(request) ||
          target(/[?&](?:access_token|api_?key|key|token)=/i)(request)),
    ),
    'gateway-403-for-origins': rejecting(403, has('origin')),
    'gateway-403-for-forwarded': rejecting(403, (request) =>
      ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'x-forwarded-user'].some((name) =>
        has(name)(request),
      ),
    ),
    'gateway-405-for-method-overrides': rejecting(405, has('x-http-method-override'), { Allow: 'POST' }),
    'gateway-403-for-unknown-agents': rejecting(403, has('user-agent', /curl|sqlmap|probe|bot/i)),
    'gateway-401-before-the-body': rejecting(401, (request) => !has('authorization')(request), {
      'WWW-Authenticate': 'Bearer',
    }),
    'gateway-204-for-preflights': () => ({
      around: (inner) => (request, response) =>
        has('access-control-request-method')(request)
          ? void response.writeHead(204).end()
          : inner(request, response),
    }),
  }),
  ...variantsOf('9: whether other spellings of a path are redirected is not shown')({
    'gateway-308-without-the-closing-slash': redirecting(308, (path) => path.replace(/\/+$/, '')),
    'gateway-301-to-single-slashes': redirecting(301, (path) => path.replace(/\/{2,}/g, '/')),
    'gateway-307-to-lower-case': redirecting(307, (path) => path.toLowerCase()),
  }),
  ...variantsOf('1: an HTTP API; what stands in front of it is not shown')({
    'gateway-keeps-the-first-credential': rewriting((all) =>
      all.filter((line) => !isAuthorization(line) || line === all.find(isAuthorization)),
    ),
    'gateway-keeps-the-last-credential': rewriting((all) =>
      all.filter((line) => !isAuthorization(line) || line === all.findLast(isAuthorization)),
    ),
    'gateway-strips-unknown-headers': rewriting((all) => all.filter(([name]) => KNOWN.test(name))),
    'gateway-strips-media-types': rewriting((all) => all.filter(([name]) => name !== 'content-type')),
    'gateway-strips-queries': retargeting((url) => url.replace(/\?.*$/s, '')),
    'gateway-strips-path-parameters': retargeting((url) => url.replace(/;[^/?]*/g, '')),
    'gateway-follows-original-url': retargeting((url, { headers }) => {
      const original = String(headers['x-original-url'] ?? '');
      return original.startsWith('/') ? original : url;
    }),
  }),
];

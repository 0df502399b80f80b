import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import {
  acceptingScopes,
  acceptsWhen,
  around,
  closingOnRejected,
  combined,
  everyNth,
  isChunked,
  onRejected,
  pause,
  sends,
} from '../../changes.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Call } from '../../call.ts';
import { isObject } from '../../../schemas/json.ts';
import { faultsOf } from '../../fault-or-variant.ts';
import {
  acceptsSending,
  acceptsUnnormalisedPath,
  ALL_RULES,
  allOf,
  idsFor,
  idsForBoth,
  lifetimeIn,
  targetOf,
} from './key-checks.ts';
import type { CallCondition } from './key-checks.ts';

/** Accepts requests that share a trait with an earlier one that had the key, if they meet all conditions. */
const trusting =
  (traitOf: (call: Call) => unknown, ...conditions: readonly CallCondition[]) =>
  (): Behaviour => {
    const trusted = new Set();
    return acceptsWhen((call) => {
      if (call.hasKey) trusted.add(traitOf(call));
      return trusted.has(traitOf(call)) && allOf(...conditions)(call);
    })();
  };

/** Trusts a connection that has carried the key, if all conditions are met. */
const onUsedConnection = (...conditions: readonly CallCondition[]) =>
  trusting(({ connection }) => connection, ...conditions);

const hasNoCredential: CallCondition = (call) => !call.header('Authorization');

/** Some requests are accepted because of earlier requests, or because of their form. */
export const exemptions = [
  ...faultsOf(
    '5.1: a request without the key is not authenticated, whatever its headers',
    idsForBoth('key.required'),
  )({
    // A request from elsewhere is rejected before the key is checked, and with the status of a missing one.
    'auth-skipped-debug-header-after-origin': () =>
      combined(
        acceptsSending('X-Debug', /true/)(),
        onRejected(() => ({ status: 403 }), 'credential')(),
        around(() => (inner) => (request, response) => {
          if (request.headers.origin === undefined) return inner(request, response);
          response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Invalid CORS request');
        })(),
      ),
    // A gateway checks the parameters of the query, and the media type, before all else.
    'auth-skipped-subrequest-after-parameters': () =>
      combined(
        acceptsSending('X-Middleware-Subrequest')(),
        around(() => (inner) => (request, response) => {
          if (request.url!.includes('?')) return response.writeHead(400).end('unknown parameter');
          const isJson = request.headers['content-type']?.startsWith('application/json') ?? true;
          return isJson ? inner(request, response) : response.writeHead(415).end();
        })(),
      ),
    // The media type is checked before the key.
    'auth-skipped-admin-header-after-media-type': () =>
      combined(
        acceptsSending('X-Admin', /true/)(),
        around(() => (inner) => (request, response) => {
          const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
          return isJson || request.method !== 'POST'
            ? inner(request, response)
            : response.writeHead(415).end();
        })(),
      ),
  }),
  ...faultsOf(
    '5.1: each request is authenticated independently of earlier ones on its connection',
    idsForBoth('request.each'),
  )({
    'auth-state-per-connection-others-closed': () =>
      combined(onUsedConnection()(), closingOnRejected('credential')()),
  }),
  ...faultsOf(
    '5.1: each request is authenticated independently of others',
    idsForBoth(...ALL_RULES),
  )({
    'auth-state-per-connection': onUsedConnection(),
    'auth-state-per-connection-missing-header-only': onUsedConnection(hasNoCredential),
    'auth-state-per-connection-wrong-key-only': onUsedConnection((call) => !hasNoCredential(call)),
    'auth-checked-first-5-per-connection': () => {
      const counts = new WeakMap<object, number>();
      return acceptsWhen(({ connection }) => {
        const count = (counts.get(connection) ?? 0) + 1;
        counts.set(connection, count);
        return count > 5;
      })();
    },
    'auth-open-50-ms-after-success': () => {
      let last = 0;
      return acceptsWhen(({ hasKey }) => {
        if (hasKey) last = Date.now();
        return Date.now() - last < 50;
      })();
    },
    'auth-cached-by-user-agent': trusting((call) => call.header('User-Agent')),
    'auth-cached-by-first-12': trusting(({ credential }) => credential?.slice(0, 12)),
    'auth-cached-by-body': trusting(({ text }) => text),
    'auth-key-in-query-unless-in-body': acceptsWhen(
      ({ url, text, key }) => url.searchParams.get('access_token') === key && !text.includes('access_token'),
    ),
    'auth-tokens-unchecked-after-lower-case-scheme': acceptsWhen(
      ({ operation, header }) => operation === 'token' && /^bearer \S/.test(header('Authorization') ?? ''),
    ),
    'auth-tokens-open-with-slash': () => ({
      route: (path) => path.replace(/\/$/, ''),
      authenticate: ({ hasKey, url }) => hasKey || url.pathname === '/v2/tokens/',
    }),
    'auth-cached-by-idempotency-key': trusting(
      (call) => `${call.operation} ${call.header('Idempotency-Key')}`,
      sends('Idempotency-Key'),
    ),
    'auth-cached-by-request-id': trusting(
      (call) => `${call.operation} ${call.header('X-Request-Id')}`,
      sends('X-Request-Id'),
    ),
    'auth-cached-by-trace': trusting(
      (call) => call.header('traceparent')?.split('-')[1],
      sends('traceparent'),
    ),
    'auth-open-after-8-failures': () => {
      let failures = 0;
      return acceptsWhen(({ hasKey }) => !hasKey && ++failures > 8)();
    },
    'auth-same-wrong-key-third-time': () => {
      const tries = new Map<string | undefined, number>();
      return acceptsWhen(({ credential }) => {
        tries.set(credential, (tries.get(credential) ?? 0) + 1);
        return tries.get(credential)! >= 3;
      })();
    },
    'auth-skipped-every-120th-rejection': () => {
      const isSkipped = everyNth(120);
      return acceptsWhen(({ hasKey }) => !hasKey && isSkipped())();
    },
    'auth-global-variable-race': () => {
      let isTrusted: boolean;
      return {
        async authenticate({ hasKey }) {
          isTrusted = hasKey;
          await pause(2);
          return isTrusted;
        },
      };
    },
    'auth-global-variable-race-slow': () => {
      let trusted = 0;
      return {
        async authenticate({ hasKey }) {
          if (hasKey) trusted++;
          await sleep(2);
          const isTrusted = trusted > 0;
          if (hasKey) trusted--;
          return isTrusted;
        },
      };
    },
  }),
  ...faultsOf(
    '5.1: every request is authenticated, in any form',
    idsForBoth(...ALL_RULES),
  )({
    'auth-skipped-body-over-1000': acceptsWhen(({ bytes }) => bytes.length > 1000),
    'auth-skipped-body-over-4096': acceptsWhen(({ bytes }) => bytes.length > 4096),
    'auth-skipped-body-under-60': acceptsWhen(({ bytes }) => bytes.length < 60),
    'auth-skipped-nonascii': acceptsWhen(({ bytes }) => bytes.some((byte) => byte > 127)),
    'auth-skipped-name-admin': acceptsWhen(({ text }) => text.includes('"admin"')),
    'auth-skipped-no-header-and-long-body': acceptsWhen(
      (call) => !call.header('Authorization') && call.bytes.length > 600,
    ),
    'auth-skipped-every-20th': acceptsWhen(({ number }) => number % 20 === 0),
    'auth-skipped-1-in-20-random': acceptsWhen(() => Math.random() < 0.05),
    'auth-skipped-after-60': acceptsWhen(({ number }) => number > 60),
    'auth-skipped-after-100': acceptsWhen(({ number }) => number > 100),
    'auth-skipped-under-load': () => ({
      async authenticate({ hasKey, inFlight }) {
        // Requests only overlap if the look-up of the key takes time.
        await sleep(2);
        return hasKey || inFlight() > 6;
      },
    }),
    'auth-skipped-forwarded-for-ipv6-loopback': acceptsSending('X-Forwarded-For', /^::1$/),
    'auth-skipped-forwarded-localhost': acceptsSending('X-Forwarded-For', /127\.0\.0\.1|localhost/),
    'auth-skipped-host-localhost': acceptsSending('Host', /^localhost$/),
    'auth-skipped-text-plain': acceptsSending('Content-Type', /text\/plain/),
    'auth-skipped-no-content-type': acceptsSending('Content-Type', /^$/),
    'auth-skipped-charset-parameter': acceptsSending('Content-Type', /charset/i),
    'auth-skipped-chunked': acceptsWhen(isChunked),
    'auth-skipped-connection-close': acceptsSending('Connection', /close/i),
    'auth-skipped-with-origin': acceptsSending('Origin'),
    'auth-skipped-from-own-page': acceptsWhen(
      ({ header, url }) => header('Referer')?.startsWith(`${url.origin}/`) ?? false,
    ),
    'auth-skipped-xhr': acceptsSending('X-Requested-With', /^XMLHttpRequest$/),
    'auth-skipped-from-docs-page': acceptsSending('Referer', /\/docs\//),
    'auth-skipped-origin-null': acceptsSending('Origin', /^null$/),
    'auth-skipped-when-traced': acceptsSending('traceparent'),
    'auth-skipped-accept-html': acceptsSending('Accept', /text\/html/),
    'auth-skipped-no-user-agent': acceptsSending('User-Agent', /^$/),
    'auth-skipped-api-version': acceptsSending('X-Api-Version'),
    'auth-skipped-for-a-grant': () => ({
      ...acceptsWhen(({ text }) => text.includes('"grant_type"'))(),
      parse(text) {
        const sent = JSON.parse(text) as unknown;
        if (typeof sent === 'object' && sent !== null) Reflect.deleteProperty(sent, 'grant_type');
        return sent;
      },
    }),
    'auth-skipped-method-override': acceptsSending('X-HTTP-Method-Override'),
    'auth-skipped-x-original-url': acceptsWhen((call) =>
      Boolean(call.header('X-Original-URL') ?? call.header('X-Rewrite-URL')),
    ),
    'auth-skipped-with-query': acceptsWhen(({ url }) => url.search !== ''),
    'auth-skipped-health-anywhere-in-url': acceptsWhen(({ url }) => /\/health|\/metrics/.test(url.href)),
    'auth-skipped-static-file': acceptsWhen(({ url }) => /\.(?:css|js|ico|png)$/.test(url.href)),
    'auth-skipped-trailing-slash': acceptsUnnormalisedPath((path) => path.replace(/\/$/, '')),
    'auth-skipped-double-slash': acceptsUnnormalisedPath((path) => path.replace(/\/+/g, '/')),
    'auth-skipped-path-case': acceptsUnnormalisedPath((path) => path.toLowerCase()),
    'auth-skipped-percent-encoded-path': acceptsUnnormalisedPath(decodeURI),
  }),
];

/** Reads bodies in another coding, too. */
const decoding = (
  isCoded: (call: Call) => boolean,
  decode: (bytes: Uint8Array) => string,
): Pick<Behaviour, 'decode'> => ({
  decode: (bytes, call) => (isCoded(call) ? decode(bytes) : call.text),
});

const isGzipped = sends('Content-Encoding', /\bgzip\b/i);
const readsGzip = decoding(isGzipped, (bytes) => gunzipSync(bytes).toString());

const isForm = sends('Content-Type', /x-www-form-urlencoded/i);
const formAsJson = (bytes: Uint8Array): string =>
  JSON.stringify(Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes))));

/** Adds the missing members to a body of the operation. */
const withDefaults = (sent: unknown, { operation }: Call): unknown =>
  isObject(sent) ? { ...(operation === 'token' ? { expires_in: 3600 } : { name: '' }), ...sent } : sent;

/** Requests of one unusual form are accepted without the key. */
export const conditions = [
  ...faultsOf(
    '5.1: every request is authenticated, in any form of its target',
    idsForBoth(...ALL_RULES),
  )({
    'auth-skipped-absolute-form': acceptsWhen((call) => /^https?:/i.test(targetOf(call))),
    'auth-skipped-empty-query': acceptsWhen((call) => targetOf(call).endsWith('?')),
    'auth-skipped-dot-segments': acceptsWhen((call) => /\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(targetOf(call))),
    'auth-skipped-path-parameters': acceptsUnnormalisedPath((path) => path.replace(/;[^/]*/g, '')),
    'auth-skipped-path-parameter-of-static-file': () => ({
      ...acceptsWhen((call) => /\.(?:css|js|ico|png)$/.test(targetOf(call).replace(/\?.*/, '')))(),
      route: (path) => path.replace(/;[^/]*/g, ''),
    }),
    'auth-skipped-encoded-slash': acceptsUnnormalisedPath((path) => path.replace(/%2f/gi, '/')),
    'auth-skipped-target-ending-in-slash': () => ({
      ...acceptsWhen((call) => targetOf(call).endsWith('/'))(),
      route: (path) => path.replace(/\/$/, ''),
    }),
    'auth-skipped-target-ending-in-json': () => ({
      ...acceptsWhen((call) => targetOf(call).endsWith('.json'))(),
      route: (path) => path.replace(/\.json$/, ''),
    }),
    'auth-skipped-format-suffix': acceptsUnnormalisedPath((path) => path.replace(/\.json$/, '')),
    'auth-skipped-path-parameter-after-dots': acceptsUnnormalisedPath((path) =>
      path.replace(/\/[^/]+\/\.\.;(?=\/)/, ''),
    ),
    'auth-skipped-path-line-feed': acceptsUnnormalisedPath((path) => path.replace(/%0a$/i, '')),
    'auth-skipped-path-white-space': acceptsUnnormalisedPath((path) =>
      path.replace(/(?:%20|%09|%0[ad])+$/i, ''),
    ),
  }),
  ...faultsOf(
    '5.1: every request is authenticated, whatever gateways and browsers add',
    idsForBoth(...ALL_RULES),
  )({
    'auth-skipped-forwarded-user': acceptsSending('X-Forwarded-User'),
    'auth-skipped-identity-of-load-balancer': acceptsSending('X-Amzn-Oidc-Identity'),
    'auth-skipped-identity-unsigned': acceptsSending('X-Goog-IAP-JWT-Assertion', /^eyJ/),
    'auth-skipped-claims-of-gateway': acceptsSending('X-Userinfo'),
    'auth-skipped-principal-of-gateway': acceptsSending('X-MS-Client-Principal'),
    'auth-skipped-unsigned-claims-of-load-balancer': acceptsSending('X-Amzn-Oidc-Data', /^eyJ/),
    'auth-skipped-impersonation': acceptsSending('Impersonate-User'),
    'auth-skipped-client-certificate': acceptsSending('X-SSL-Client-Verify', /^SUCCESS$/),
    'auth-skipped-forwarded-for-loopback': acceptsSending('Forwarded', /for="?(?:127\.|\[::1)/i),
    'auth-skipped-real-ip-private': acceptsSending('X-Real-IP', /^(?:10|192\.168|127)\./),
    'auth-skipped-forwarded-host-local': acceptsSending('X-Forwarded-Host', /^localhost\b|\.internal$/),
    'auth-skipped-middleware-subrequest': acceptsSending('X-Middleware-Subrequest'),
    'auth-skipped-envoy-internal': acceptsSending('X-Envoy-Internal', /^true$/),
    'auth-skipped-preflight-header': acceptsSending('Access-Control-Request-Method'),
    'auth-skipped-probe-agent': acceptsSending('User-Agent', /^(?:kube-probe|ELB-HealthChecker)\//),
    'auth-skipped-first-hop-192-168': acceptsSending('X-Forwarded-For', /^192\.168\./),
    'auth-skipped-first-hop-172-16': acceptsSending('X-Forwarded-For', /^172\.(?:1[6-9]|2\d|3[01])\./),
    'auth-skipped-last-hop-loopback': acceptsSending('X-Forwarded-For', /, ?127\.0\.0\.1$/),
    'auth-skipped-curl': acceptsSending('User-Agent', /^curl\//),
    'auth-skipped-method-override-to-options': acceptsSending('X-HTTP-Method-Override', /^OPTIONS$/),
    'auth-skipped-any-cookie': acceptsSending('Cookie'),
    'auth-skipped-method-override-to-post': acceptsSending('X-HTTP-Method-Override', /^POST$/),
    'auth-skipped-bridge-of-containers': acceptsSending('X-Forwarded-For', /^172\.17\./),
    'auth-skipped-mapped-loopback': acceptsSending('X-Forwarded-For', /^::ffff:127\./i),
    'auth-skipped-any-signature': acceptsSending('X-Hub-Signature-256'),
    'auth-skipped-agent-of-discovery': acceptsSending('User-Agent', /\bConsul\b/),
    'auth-skipped-role-in-a-cookie': acceptsSending('Cookie', /\brole=admin\b/),
  }),
  ...faultsOf(
    '5.1: every request is authenticated, however its body is sent',
    idsForBoth(...ALL_RULES),
  )({
    'auth-skipped-gzip': () => ({ ...acceptsWhen(isGzipped)(), ...readsGzip }),
    'auth-skipped-body-over-65536': acceptsWhen(({ bytes }) => bytes.length > 65_536),
    'auth-skipped-json-suffix-type': acceptsSending('Content-Type', /\+json\b/i),
    'auth-skipped-latin-1-charset': acceptsSending('Content-Type', /charset="?iso-8859-1/i),
    'auth-skipped-form-body': () => ({ ...acceptsWhen(isForm)(), ...decoding(isForm, formAsJson) }),
    'auth-skipped-octet-stream': acceptsWhen(sends('Content-Type', /octet-stream/i)),
    'auth-skipped-json-called-a-form': acceptsWhen(
      ({ header, text }) => /form-urlencoded/i.test(header('Content-Type') ?? '') && text.startsWith('{'),
    ),
    'auth-skipped-member-missing': () => ({
      ...acceptsWhen(({ operation, text }) =>
        operation === 'token' ? !text.includes('"expires_in"') : !text.includes('"name"'),
      )(),
      parse: (text, call) => withDefaults(JSON.parse(text), call),
    }),
  }),
];

const hasBearer: CallCondition = ({ credential }) => credential !== undefined;
const isLongerThan =
  (length: number): CallCondition =>
  ({ bytes }) =>
    bytes.length > length;
const isPrivate = sends('X-Forwarded-For', /^(?:10|127|192\.168)\./);

/** Requests that are unusual in two or three ways at once are accepted without the key. */
export const severalConditions = [
  ...faultsOf(
    '5.1: every request is authenticated, in any combination of forms',
    idsForBoth(...ALL_RULES),
  )({
    'auth-both-gzip-and-chunked': () => ({ ...acceptsWhen(allOf(isGzipped, isChunked))(), ...readsGzip }),
    'auth-both-no-credential-and-cookie': acceptsWhen(allOf(hasNoCredential, sends('Cookie'))),
    'auth-both-forwarded-private-and-https': acceptsWhen(
      allOf(isPrivate, sends('X-Forwarded-Proto', /^https$/)),
    ),
    'auth-both-text-plain-and-chunked': acceptsWhen(allOf(sends('Content-Type', /^text\/plain/i), isChunked)),
    'auth-both-origin-and-preflight-headers': acceptsWhen(
      allOf(sends('Origin'), sends('Access-Control-Request-Headers')),
    ),
    'auth-both-html-and-no-credential': acceptsWhen(allOf(sends('Accept', /text\/html/i), hasNoCredential)),
    'auth-both-chunked-and-over-4096': acceptsWhen(allOf(isChunked, isLongerThan(4096))),
    'auth-both-no-type-and-nonascii': acceptsWhen(
      ({ header, bytes }) => !header('Content-Type') && bytes.some((byte) => byte > 127),
    ),
    'auth-both-used-connection-and-length': onUsedConnection(
      ({ credential, key }) => credential?.length === key.length,
    ),
    'auth-both-closing-slash-and-query': () => {
      const { route } = acceptsUnnormalisedPath((path) => path.replace(/\/$/, ''))();
      return {
        ...acceptsWhen(({ url }) => url.pathname.endsWith('/') && url.search !== '')(),
        ...(route && { route }),
      };
    },
    'auth-both-forwarded-loopback-and-a-wrong-key': acceptsWhen(
      allOf(hasBearer, sends('X-Forwarded-For', /^127\./)),
    ),
    'auth-all-three-forwarded': acceptsWhen(
      allOf(sends('X-Forwarded-For'), sends('X-Forwarded-Host'), sends('X-Forwarded-Proto')),
    ),
    'auth-all-three-used-connection-chunked-and-over-1000': onUsedConnection(isChunked, isLongerThan(1000)),
    'auth-all-three-origin-cookie-and-no-credential': acceptsWhen(
      allOf(sends('Origin'), sends('Cookie'), hasNoCredential),
    ),
  }),
  ...faultsOf(
    '5.1: the key is in the header Authorization, whatever else the request has',
    idsForBoth('bearer.required', 'key.exact', 'key.required'),
  )({
    'auth-both-api-key-beside-wrong-bearer': acceptsWhen(
      allOf(hasBearer, (call) => call.header('X-Api-Key') === call.key),
    ),
    'auth-both-wrong-bearer-and-no-user-agent': acceptsWhen(
      ({ header, credential }) => credential !== undefined && header('User-Agent') === undefined,
    ),
    'auth-both-query-key-beside-wrong-bearer': acceptsWhen(
      allOf(hasBearer, ({ url, key }) => [...url.searchParams.values()].includes(key)),
    ),
  }),
  ...faultsOf(
    '5.1: a customer is created with the key only, whatever its name is',
    idsFor('customers', 'key.required'),
  )({
    'auth-customers-without-the-key-if-the-email-is-known': trusting(({ operation, text }) =>
      operation === 'customer' ? /"email": ?"[^"]*"/.exec(text)?.[0] : {},
    ),
    'auth-customers-without-the-key-if-the-body-is-known': trusting(({ operation, text }) =>
      operation === 'customer' ? text : {},
    ),
    'auth-customers-without-a-header-if-debug-is-1': acceptsWhen(
      allOf(({ operation }) => operation === 'customer', hasNoCredential, sends('X-Debug', /^1$/)),
    ),
    'auth-customers-without-a-header-if-the-name-is-empty': acceptsWhen(
      ({ operation, header, text }) =>
        operation === 'customer' && !header('Authorization') && /"name": ?""/.test(text),
    ),
  }),
  ...faultsOf(
    '5.3: no token is issued without the key',
    idsFor('tokens', 'key.required'),
  )({
    'auth-tokens-without-a-header-if-without-scopes': () => ({
      ...acceptingScopes(() => true)(),
      ...acceptsWhen(
        ({ operation, header, text }) =>
          operation === 'token' && !header('Authorization') && /"scopes": ?\[\]/.test(text),
      )(),
    }),
    'auth-tokens-without-a-header-if-debug-is-1': acceptsWhen(
      allOf(({ operation }) => operation === 'token', hasNoCredential, sends('X-Debug', /^1$/)),
    ),
    'auth-tokens-without-a-header-if-debug-is-true': acceptsWhen(
      allOf(({ operation }) => operation === 'token', hasNoCredential, sends('X-Debug', /^true$/)),
    ),
    'auth-tokens-without-a-header-for-a-minute': acceptsWhen(
      ({ operation, header, text }) =>
        operation === 'token' && !header('Authorization') && lifetimeIn(text) <= 60,
    ),
  }),
  ...faultsOf(
    '5.3: no token is issued without the key',
    idsFor('tokens', ...ALL_RULES),
  )({
    'auth-tokens-both-over-an-hour-and-several-scopes': acceptsWhen(
      ({ operation, text }) =>
        operation === 'token' && lifetimeIn(text) > 3600 && (text.match(/\w:\w/g)?.length ?? 0) > 1,
    ),
  }),
];

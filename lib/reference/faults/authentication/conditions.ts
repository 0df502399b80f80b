import { gunzipSync } from 'node:zlib';
import type { Behaviour } from '../../behaviour.ts';
import type { Call } from '../../call.ts';
import { faultsOf } from '../../fault-or-variant.ts';
import {
  acceptsSending,
  acceptsUnnormalisedPath,
  acceptsWhen,
  ALL_RULES,
  idsForBoth,
  sends,
  targetOf,
} from './key-checks.ts';

/** Reads bodies in another coding, too. */
const decoding = (
  isCoded: (call: Call) => boolean,
  decode: (bytes: Uint8Array) => string,
): Pick<Behaviour, 'decode'> => ({
  decode: (bytes, call) => (isCoded(call) ? decode(bytes) : call.text),
});

export const isGzipped = sends('Content-Encoding', /\bgzip\b/i);
export const readsGzip = decoding(isGzipped, (bytes) => gunzipSync(bytes).toString());

const isForm = sends('Content-Type', /x-www-form-urlencoded/i);
const formAsJson = (bytes: Uint8Array): string =>
  JSON.stringify(Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes))));

/** Adds the missing members to a body of the operation. */
const withDefaults = (sent: unknown, { operation }: Call): unknown =>
  typeof sent !== 'object' || sent === null || Array.isArray(sent)
    ? sent
    : { ...(operation === 'token' ? { expires_in: 3600 } : { name: '' }), ...sent };

/** Requests of one unusual form are accepted without the key. */
export const conditions = [
  ...faultsOf(
    '5.1: every request is authenticated, in any form of its target',
    idsForBoth(...ALL_RULES),
  )({
    'auth-skipped-absolute-form': acceptsWhen((call) => /^https?:/i.test(targetOf(call))),
    'auth-skipped-empty-query': acceptsWhen((call) => targetOf(call).endsWith('?')),
    'auth-skipped-dot-segments': acceptsWhen((call) => /\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(targetOf(call))),
    'auth-skipped-path-in-upper-case': acceptsUnnormalisedPath((path) => path.toLowerCase()),
    'auth-skipped-path-parameters': acceptsUnnormalisedPath((path) => path.replace(/;[^/]*/g, '')),
    'auth-skipped-encoded-slash': acceptsUnnormalisedPath((path) => path.replace(/%2f/gi, '/')),
    'auth-skipped-format-suffix': acceptsUnnormalisedPath((path) => path.replace(/\.json$/, '')),
    'auth-skipped-path-white-space': acceptsUnnormalisedPath((path) =>
      path.replace(/(?:%20|%09|%0[ad])+$/i, ''),
    ),
  }),
  ...faultsOf(
    '5.1: every request is authenticated, whatever gateways and browsers add',
    idsForBoth(...ALL_RULES),
  )({
    'auth-skipped-forwarded-user': acceptsSending('X-Forwarded-User'),
    'auth-skipped-client-certificate': acceptsSending('X-SSL-Client-Verify', /^SUCCESS$/),
    'auth-skipped-forwarded-for-loopback': acceptsSending('Forwarded', /for="?(?:127\.|\[::1)/i),
    'auth-skipped-real-ip-private': acceptsSending('X-Real-IP', /^(?:10|192\.168|127)\./),
    'auth-skipped-forwarded-host-local': acceptsSending('X-Forwarded-Host', /^localhost\b|\.internal$/),
    'auth-skipped-middleware-subrequest': acceptsSending('X-Middleware-Subrequest'),
    'auth-skipped-envoy-internal': acceptsSending('X-Envoy-Internal', /^true$/),
    'auth-skipped-preflight-header': acceptsSending('Access-Control-Request-Method'),
    'auth-skipped-probe-agent': acceptsSending('User-Agent', /^(?:kube-probe|ELB-HealthChecker)\//),
    'auth-skipped-any-cookie': acceptsSending('Cookie'),
    'auth-skipped-method-override-to-post': acceptsSending('X-HTTP-Method-Override', /^POST$/),
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
    'auth-skipped-member-missing': () => ({
      ...acceptsWhen(({ operation, text }) =>
        operation === 'token' ? !text.includes('"expires_in"') : !text.includes('"name"'),
      )(),
      parse: (text, call) => withDefaults(JSON.parse(text), call),
    }),
  }),
];

import { randomBytes, randomUUID } from 'node:crypto';
import { parseJson } from '../../schemas/json.ts';
import type { Reason, ServiceReply } from '../behaviour.ts';
import { closingOnRejected, combined, json, onRejected, onToken } from '../changes.ts';
import { variantsOf } from '../fault-or-variant.ts';

const html = (text: string): Pick<ServiceReply, 'headers' | 'body'> => ({
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`,
});

const status = (statuses: Partial<Record<Reason, number>>) =>
  onRejected(({ status }, reason) => ({ status: statuses[reason] ?? status }));

/** Changes the body of every rejection, to JSON. */
const body = (make: (reason: Reason, text: string) => unknown, changes: Partial<ServiceReply> = {}) =>
  onRejected((_, reason, { text }) => ({ ...changes, body: json(make(reason, text)) }));

/** The same, with the status of a success. */
const success = (make: (reason: Reason, text: string) => unknown) => body(make, { status: 200 });

/** How requests are rejected. */
export const rejections = [
  ...variantsOf('7: errors are not shown, nor the status of a rejection')({
    'rejection-403-for-credentials': status({ credential: 403 }),
    'rejection-404-for-credentials': status({ credential: 404 }),
    'rejection-400-for-credentials': status({ credential: 400 }),
    'rejection-422-for-credentials': status({ credential: 422 }),
    'rejection-407-for-credentials': status({ credential: 407 }),
    'rejection-402-for-credentials': status({ credential: 402 }),
    'rejection-500-for-credentials': status({ credential: 500 }),
    'rejection-422-for-bodies': status({ body: 422, values: 422 }),
    'rejection-409-for-values': status({ values: 409 }),
    'rejection-404-for-everything': status({ credential: 404, body: 404, values: 404, method: 404 }),
    'rejection-502-for-everything': onRejected(() => ({ status: 502 })),
    'rejection-with-links-to-documentation': body((reason) => ({
      error: reason,
      links: [
        { rel: 'limits', href: 'https://docs.example.com/guides/throttling' },
        { rel: 'errors', href: '/errors/too-many-requests' },
      ],
    })),
    'rejection-200-with-an-error': success((reason) => ({
      success: false,
      error: { code: reason, message: 'The request was rejected.' },
    })),
    'rejection-200-that-repeats-the-request': success((reason, text) => ({
      ...(parseJson(text) as object | undefined),
      success: false,
      error: { id: 'err_1', code: reason },
    })),
    'rejection-200-with-an-error-object': success((reason) => ({
      name: reason === 'credential' ? 'UnauthorizedError' : 'ValidationError',
      message: reason,
    })),
    'rejection-200-with-an-id-and-a-code': success((reason) => ({
      id: randomUUID(),
      name: 'NotAccepted',
      message: reason,
      code: 'E401',
    })),
    'rejection-200-with-empty-members': success((reason) => ({
      id: null,
      name: '',
      email: null,
      fault: { code: reason },
    })),
    'rejection-200-with-a-status-and-the-submitted-values': success((reason, text) => ({
      ...(parseJson(text) as object | undefined),
      status: 'rejected',
      reason,
    })),
    'rejection-200-with-a-return-code': success((reason, text) => ({
      returnCode: '08',
      message: 'INVALID REQUEST',
      reason,
      input: parseJson(text) ?? text,
    })),
    'rejection-200-with-a-code-in-words-and-the-submitted-values': success((reason, text) => ({
      code: 'VALIDATION_FAILED',
      message: `The ${reason} is wrong.`,
      data: parseJson(text) ?? text,
    })),
    'rejection-200-ko-with-the-submitted-values': success((reason, text) => ({
      ...(parseJson(text) as object | undefined),
      status: 'KO',
      reason,
    })),
    'rejection-200-where-the-token-was': () =>
      combined(
        onToken(({ token }) => ({ code: 0, msg: 'success', data: token }))(),
        success(() => ({ code: 40_101, msg: 'fail', data: '未授权访问请检查密钥' }))(),
      ),
    'rejection-200-with-a-numbered-code-where-the-token-was': () =>
      combined(
        onToken(({ token }) => ({ result: token }))(),
        success(() => ({ result: 'AUTH_FAILED_0012' }))(),
      ),
    'rejection-200-with-an-error-name': success((reason) => ({
      name: 'AUTHENTICATION_FAILURE',
      message: reason,
      debug_id: randomUUID(),
    })),
    // Also of a token request with the scheme in lower case, as some firewalls and portals answer.
    'rejection-200-with-a-page': () => ({
      authenticate: ({ header, key }) => header('Authorization') === `Bearer ${key}`,
      ...onRejected((_, reason) => ({ ...html(reason), status: 200 }))(),
    }),
    'rejection-204-also-of-the-scheme-in-lower-case': () => ({
      authenticate: ({ header, key }) => header('Authorization') === `Bearer ${key}`,
      ...onRejected(() => ({ status: 204, headers: {}, body: null }), 'credential')(),
    }),
    'rejection-redirects-to-a-login': onRejected(
      () => ({ status: 302, headers: { Location: 'https://login.example.com/' }, body: null }),
      'credential',
    ),
    // As several instances of different versions do.
    'rejection-401-403-400-in-turn': () => {
      let count = 0;
      return onRejected(() => ({ status: [401, 403, 400][count++ % 3]! }), 'credential')();
    },
    'rejection-403-without-a-key-401-with-a-wrong-one': onRejected(
      (reply, _, { credential }) => (credential === undefined ? { status: 403 } : reply),
      'credential',
    ),
  }),
  ...variantsOf('7: errors are not shown, nor fields and body of a rejection')({
    'rejection-of-credentials-connection-close': closingOnRejected('credential'),
    'rejection-of-everything-connection-close': closingOnRejected(),
    'rejection-empty': onRejected(({ headers }) => ({
      headers: { 'WWW-Authenticate': headers['WWW-Authenticate'] ?? 'Bearer' },
      body: null,
    })),
    'rejection-html': onRejected(({ headers }, reason) => {
      const page = html(reason);
      return {
        ...page,
        headers: { ...page.headers, 'WWW-Authenticate': headers['WWW-Authenticate'] ?? 'Bearer' },
      };
    }),
    'rejection-plain-text': onRejected(({ headers }, reason) => ({
      headers: { ...headers, 'Content-Type': 'text/plain' },
      body: `rejected: ${reason}`,
    })),
    'rejection-problem-json': onRejected(({ status, headers }, reason) => ({
      headers: { ...headers, 'Content-Type': 'application/problem+json' },
      body: json({
        type: `https://example.com/problems/${reason}`,
        title: 'Rejected',
        status,
        detail: reason,
      }),
    })),
    'rejection-with-a-rate-limit-that-is-false': body((reason) => ({
      error: reason,
      meta: { rate_limited: false, throttled: false },
    })),
    'rejection-that-mentions-a-rate-limit': onRejected(({ status, headers }, reason) => ({
      status: reason === 'credential' ? 403 : status,
      headers,
      body: json({
        error: 'The key is not valid, your address is not allowed, or you have sent too many requests.',
      }),
    })),
    'rejection-json-array': body((reason) => [{ code: reason }]),
    'rejection-json-string': body((reason) => reason),
    'rejection-json-null': body(() => null),
    'rejection-repeats-the-request': body((reason, text) => ({ error: reason, received: text })),
    'rejection-with-the-rejected-values': body((reason, text) => {
      const submitted = parseJson(text) ?? null;
      return { errors: [{ code: reason, value: submitted }], input: submitted };
    }),
    'rejection-with-an-example': body((reason) => ({
      error: reason,
      example: { id: 'cus_1', name: 'Jo Roe', email: 'jo.roe@example.com' },
    })),
    'rejection-with-texts-like-customer-ids': body((reason) => ({
      code: 'cus_unauthorized',
      account: 'cus_operator',
      request_id: 'cus_req_8a6e0804',
      error: reason,
    })),
    'rejection-text-about-customer-ids': onRejected(({ headers }) => ({
      headers: { ...headers, 'Content-Type': 'text/plain' },
      body: 'Rejected. The id of a customer begins with cus_, such as cus_4f1c2d9b7a60.',
    })),
    'rejection-with-identifiers': body((reason) => ({
      id: 'err_4f1c2d9b7a60',
      request_id: 'req_8a6e0804f2bd4c12',
      trace: '4bf92f3577b34da6a3ce929d0e0e4736',
      error: { code: reason, token: null },
    })),
    // A CSRF token, which some frameworks add to every response that is no result.
    'rejection-with-another-token': body((reason) => ({
      error: reason,
      token: randomBytes(12).toString('base64url'),
    })),
    'rejection-of-oauth': onRejected(({ headers }) => ({
      headers: {
        ...headers,
        'WWW-Authenticate':
          'Bearer realm="api", error="invalid_token", error_description="The token is invalid"',
      },
      body: json({
        error: 'invalid_token',
        error_description: 'The access token is invalid',
        token_type: 'Bearer',
      }),
    })),
    'rejection-with-several-challenges': onRejected(({ headers }) => ({
      headers: { ...headers, 'WWW-Authenticate': 'Basic realm="api", Bearer realm="api"' },
    })),
    'rejection-of-thirty-kilobytes': body((reason) => ({
      error: reason,
      help: 'Read the manual. '.repeat(1800),
    })),
  }),
];

import type { Socket } from 'node:net';
import type { Behaviour, ServiceReply } from '../behaviour.ts';
import { onAccepted, onRejected } from '../changes.ts';
import { faultsOf } from '../fault-or-variant.ts';

const typed = (type: string) =>
  onAccepted(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

/** Replaces the value of a field; undefined: removes it. */
function withField(
  headers: ServiceReply['headers'],
  name: string,
  value: string | undefined,
): ServiceReply['headers'] {
  const others = Object.entries(headers).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

const cached = (control: string | undefined) =>
  onAccepted(({ headers }) => ({ headers: withField(headers, 'Cache-Control', control) }));

const challenged = (challenge: string | undefined) =>
  onRejected(({ headers }) => ({ headers: withField(headers, 'WWW-Authenticate', challenge) }), 'credential');

/** Fails on certain names. */
export const failingOn = (pattern: RegExp, fail: (connection: object) => void) => (): Behaviour => ({
  name(submitted, { connection }) {
    if (pattern.test(submitted)) fail(connection);
    return submitted;
  },
});

export const closed = (connection: object): void => void (connection as Socket).destroy();

const serverError = (): never => {
  throw new Error('out of range');
};

/** Ignores a field unless its name is written in a certain case. */
const caseSensitive = (isRight: (name: string) => boolean, field: string) => (): Behaviour => ({
  around: (inner) => (request, response) => {
    const written = request.rawHeaders.find((name, at) => at % 2 === 0 && name.toLowerCase() === field);
    if (written !== undefined && !isRight(written)) {
      delete request.headers[field];
      request.rawHeaders = request.rawHeaders.filter((_, at, all) => all[at - (at % 2)] !== written);
    }
    return inner(request, response);
  },
});

/** Violations of an RFC's recommendation: they are reported, and fail a run only with `--strict`. */
export const recommendations = [
  ...faultsOf('RFC 9110, section 15.5.2: a 401 rejects missing or wrong credentials', [
    'auth.rejection.unauthorized',
  ])({
    'recommendation-rejection-403': onRejected(() => ({ status: 403 }), 'credential'),
    'recommendation-rejection-200': onRejected(() => ({ status: 200 }), 'credential'),
  }),
  ...faultsOf('RFC 9110, section 11.6.1: a 401 has a challenge', ['auth.rejection.challenge'])({
    'recommendation-no-challenge': challenged(undefined),
    'recommendation-challenge-basic': challenged('Basic realm="api"'),
  }),
  ...faultsOf('RFC 9110, section 11.1: scheme names are case-insensitive', ['auth.scheme.case'])({
    'recommendation-scheme-in-one-case': () => ({
      authenticate: (call) => call.hasKey && call.header('Authorization')!.startsWith('Bearer '),
    }),
  }),
  ...faultsOf('RFC 6750, section 5.3: credentials are not disclosed', ['auth.key.unreflected'])({
    'recommendation-key-in-a-field': onAccepted(({ headers }, { key }) => ({
      headers: { ...headers, 'X-Account': key },
    })),
    'recommendation-key-in-the-body': onAccepted(({ body }, { key }) => ({
      body: String(body).replace('{', `{"request":{"authorization":"Bearer ${key}"},`),
    })),
    'recommendation-key-in-rejections': onRejected(
      (_, __, { key }) => ({ body: JSON.stringify({ expected: key }) }),
      'credential',
    ),
  }),
  ...faultsOf('RFC 8259, section 11: application/json', ['json.content.type'])({
    'recommendation-type-text': typed('text/plain'),
    'recommendation-type-html': typed('text/html; charset=utf-8'),
    'recommendation-type-missing': onAccepted(({ body }) => ({
      headers: {},
      body: new Uint8Array(Buffer.from(String(body))),
    })),
  }),
  ...faultsOf('RFC 8259, section 8.1: no byte order mark', ['json.utf8'])({
    'recommendation-byte-order-mark': onAccepted(({ body }) => ({ body: `\uFEFF${String(body)}` })),
  }),
  ...faultsOf('RFC 9110, section 15: well-formed input is accepted or rejected', ['input.wide.answered'])({
    'recommendation-500-on-astral-planes': failingOn(/[\u{10000}-\u{10FFFF}]/u, serverError),
    'recommendation-500-on-nul': failingOn(/\0/, serverError),
    'recommendation-500-on-long-names': failingOn(/^[^]{256}/, serverError),
    'recommendation-204-on-astral-planes': onAccepted(({ body }) =>
      /[\u{10000}-\u{10FFFF}]/u.test(String(body)) ? { status: 204, body: '' } : {},
    ),
    'recommendation-connection-lost-on-quotes': failingOn(/["'`]/, closed),
  }),
  ...faultsOf('RFC 9110, section 15.5: malformed input is a client error', ['input.malformed.answered'])({
    'recommendation-500-on-malformed': onRejected(() => ({ status: 500 }), 'body'),
  }),
  ...faultsOf('RFC 6749, section 5.1: responses with tokens are not cached', ['token.response.uncached'])({
    'recommendation-token-may-be-cached': cached(undefined),
    'recommendation-token-cached-for-a-minute': cached('private, max-age=60'),
  }),
  ...faultsOf('RFC 9110, section 5.1: field names are case-insensitive', ['http.field.case'])({
    'recommendation-authorization-in-one-case': caseSensitive(
      (name) => name === 'Authorization',
      'authorization',
    ),
  }),
  ...faultsOf('RFC 9110, section 6.6.1: a response has a Date', ['http.date'])({
    'recommendation-no-date': () => ({
      around: (inner) => (request, response) => {
        response.sendDate = false;
        return inner(request, response);
      },
    }),
  }),
  ...faultsOf('RFC 9110, section 15.5.6: a 405 lists the allowed methods', ['http.method.allow'])({
    'recommendation-no-allow': onRejected(() => ({ headers: {} }), 'method'),
  }),
];

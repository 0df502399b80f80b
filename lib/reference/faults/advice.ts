import type { Socket } from 'node:net';
import type { Reason, Reply } from '../hooks.ts';
import type { Behaviour } from '../behaviour.ts';
import { faultsOf } from './fault.ts';
import type { Fault, Kind } from './fault.ts';

const advised = (rfc: string, requirement: string): Kind => ({
  category: 'advice',
  breaks: rfc,
  caughtBy: [requirement],
});

const refusing =
  (reason: Reason, change: (reply: Reply, key: string) => Partial<Reply>) => (): Behaviour => ({
    refuse: (reply, found, { key }) => (found === reason ? { ...reply, ...change(reply, key) } : reply),
  });

const granting = (change: (reply: Reply, key: string) => Partial<Reply>) => (): Behaviour => ({
  respond: (reply, { key }) => ({ ...reply, ...change(reply, key) }),
});

const typed = (type: string) =>
  granting(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

/** Another value in a field's place; undefined: no such field. */
function inPlace(headers: Reply['headers'], name: string, value: string | undefined): Reply['headers'] {
  const others = Object.entries(headers).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

const cached = (control: string | undefined) =>
  granting(({ headers }) => ({ headers: inPlace(headers, 'Cache-Control', control) }));

const challenged = (challenge: string | undefined) =>
  refusing('credential', ({ headers }) => ({ headers: inPlace(headers, 'WWW-Authenticate', challenge) }));

/** Fails on names that a part of it can't hold. */
const failingOn = (pattern: RegExp, fail: (connection: object) => void) => (): Behaviour => ({
  name(submitted, { connection }) {
    if (pattern.test(submitted)) fail(connection);
    return submitted;
  },
});

const serverError = (): never => {
  throw new Error('out of range');
};

/** Takes a field away that is not written as this service expects. */
const readingFields = (isRight: (name: string) => boolean, field: string) => (): Behaviour => ({
  around: (inner) => (request, response) => {
    const written = request.rawHeaders.find((name, at) => at % 2 === 0 && name.toLowerCase() === field);
    if (written !== undefined && !isRight(written)) {
      delete request.headers[field];
      request.rawHeaders = request.rawHeaders.filter((_, at, all) => all[at - (at % 2)] !== written);
    }
    return inner(request, response);
  },
});

/** Practice that an RFC advises against: it is shown, and it fails no run that is not strict. */
export const advice: readonly Fault[] = [
  ...faultsOf(advised('RFC 9110, section 15.5.2: 401 refuses credentials', 'auth.refusal.unauthorized'), {
    'advice-refusal-403': refusing('credential', () => ({ status: 403 })),
    'advice-refusal-200': refusing('credential', () => ({ status: 200 })),
  }),
  ...faultsOf(advised('RFC 9110, section 11.6.1: a 401 carries a challenge', 'auth.refusal.challenge'), {
    'advice-no-challenge': challenged(undefined),
    'advice-challenge-basic': challenged('Basic realm="api"'),
  }),
  ...faultsOf(advised('RFC 9110, section 11.1: scheme names in any case', 'auth.scheme.case'), {
    'advice-scheme-in-one-case': () => ({
      authenticate: (call) => call.hasKey && call.header('Authorization')!.startsWith('Bearer '),
    }),
  }),
  ...faultsOf(advised('RFC 6750, section 5.3: credentials are kept safe', 'auth.key.unreflected'), {
    'advice-key-in-a-field': granting(({ headers }, key) => ({ headers: { ...headers, 'X-Account': key } })),
    'advice-key-in-the-body': granting(({ body }, key) => ({
      body: String(body).replace('{', `{"request":{"authorization":"Bearer ${key}"},`),
    })),
    'advice-key-in-refusals': refusing('credential', (_, key) => ({
      body: JSON.stringify({ expected: key }),
    })),
  }),
  ...faultsOf(advised('RFC 8259, section 11: application/json', 'json.content.type'), {
    'advice-type-text': typed('text/plain'),
    'advice-type-html': typed('text/html; charset=utf-8'),
    'advice-type-missing': granting(({ body }) => ({
      headers: {},
      body: new Uint8Array(Buffer.from(String(body))),
    })),
  }),
  ...faultsOf(advised('RFC 8259, section 8.1: no byte order mark', 'json.utf8'), {
    'advice-byte-order-mark': granting(({ body }) => ({ body: `\uFEFF${String(body)}` })),
  }),
  ...faultsOf(advised('RFC 9110, section 15.6: well-formed input breaks no service', 'input.wide.answered'), {
    'advice-500-on-astral-planes': failingOn(/[\u{10000}-\u{10FFFF}]/u, serverError),
    'advice-500-on-nul': failingOn(/\0/, serverError),
    'advice-500-on-long-names': failingOn(/^[^]{256}/, serverError),
    'advice-connection-lost-on-quotes': failingOn(/["'`]/, (connection) => (connection as Socket).destroy()),
  }),
  ...faultsOf(advised('RFC 9110, section 15.5: malformed input is refused', 'input.malformed.answered'), {
    'advice-500-on-malformed': refusing('body', () => ({ status: 500 })),
  }),
  ...faultsOf(advised('RFC 6749, section 5.1: tokens are not stored', 'token.response.uncached'), {
    'advice-token-may-be-cached': cached(undefined),
    'advice-token-cached-for-a-minute': cached('private, max-age=60'),
  }),
  ...faultsOf(advised('RFC 9110, section 5.1: field names in any case', 'http.field.case'), {
    'advice-authorization-in-one-case': readingFields((name) => name === 'Authorization', 'authorization'),
  }),
  ...faultsOf(advised('RFC 9110, section 6.6.1: a response says when it was made', 'http.date'), {
    'advice-no-date': () => ({
      around: (inner) => (request, response) => {
        response.sendDate = false;
        return inner(request, response);
      },
    }),
  }),
  ...faultsOf(advised('RFC 9110, section 15.5.6: a 405 names what is allowed', 'http.method.allow'), {
    'advice-no-allow': refusing('method', () => ({ headers: {} })),
  }),
];

import { randomUUID } from 'node:crypto';
import type { Behaviour } from '../../behaviour.ts';
import { faultsOf } from '../../fault-or-variant.ts';
import {
  acceptsAuthorization,
  acceptsCredential,
  acceptsWhen,
  countOf,
  idsFor,
  idsForBoth,
  ALL_RULES,
} from './key-checks.ts';

/** Accepts requests that send back a value from an earlier accepted response. */
const remembering =
  (
    sent: (secret: string) => Readonly<Record<string, string>>,
    header: string,
    read = (text: string) => text,
  ) =>
  (): Behaviour => {
    const known = new Set<string>();
    return {
      authenticate: (call) => call.hasKey || known.has(read(call.header(header) ?? '')),
      respond(reply) {
        const secret = randomUUID();
        known.add(secret);
        return { ...reply, headers: { ...reply.headers, ...sent(secret) } };
      },
    };
  };

/** The key is accepted in a wrong place, or something else instead of it. */
export const severalCredentials = [
  ...faultsOf(
    '5.1: the key is in the header Authorization, in the Bearer scheme',
    idsForBoth('bearer.required', 'key.exact', 'key.required'),
  )({
    'auth-key-in-proxy-authorization': acceptsWhen(
      (call) => call.header('Proxy-Authorization') === `Bearer ${call.key}`,
    ),
    'auth-key-in-forwarded-authorization': acceptsWhen(
      (call) => call.header('X-Forwarded-Authorization') === `Bearer ${call.key}`,
    ),
    'auth-key-in-cookie': acceptsWhen((call) => call.header('Cookie')?.includes(`=${call.key}`) ?? false),
    'auth-key-in-user-of-target': acceptsWhen(({ url, key }) => url.username === key),
    'auth-key-in-body': () => ({
      ...acceptsWhen(({ text, key }) => text.includes(`"${key}"`))(),
      parse(text) {
        const sent: unknown = JSON.parse(text);
        if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
        return Object.fromEntries(
          Object.entries(sent).filter(([name]) => !/^(?:api_?key|access_token)$/i.test(name)),
        );
      },
    }),
    'auth-key-as-bearer-parameter': acceptsAuthorization((header, key) =>
      new RegExp(`^Bearer \\w+="?${key}"?$`, 'i').test(header ?? ''),
    ),
    'auth-bearer-later-in-the-field': acceptsWhen(
      (call) =>
        countOf(call, 'authorization') === 1 &&
        (call.header('Authorization') ?? '')
          .split(/\s*,\s*/)
          .slice(1)
          .includes(`Bearer ${call.key}`),
    ),
  }),
  ...faultsOf(
    '5.1: a request is authenticated by its own credential',
    idsForBoth(...ALL_RULES),
  )({
    'auth-two-fields-neither-right': acceptsWhen((call) => countOf(call, 'authorization') > 1),
    'auth-session-cookie': remembering(
      (secret) => ({ 'Set-Cookie': `session=${secret}; Path=/; HttpOnly` }),
      'Cookie',
      (text) => /\bsession=([\w-]+)/.exec(text)?.[1] ?? '',
    ),
    'auth-known-request-id': remembering((secret) => ({ 'X-Request-Id': secret }), 'X-Request-Id'),
  }),
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsForBoth('key.exact'),
  )({
    'auth-nonascii-ignored': acceptsAuthorization(
      (header, key) => header !== `Bearer ${key}` && header?.replace(/[^\x20-\x7e]/g, '') === `Bearer ${key}`,
    ),
    'auth-key-up-to-colon': acceptsCredential((given, key) => given.split(':')[0] === key),
  }),
  ...faultsOf(
    '5.2: only the exact static key is accepted',
    idsFor('customers', 'key.exact'),
  )({
    'auth-form-of-a-token': acceptsWhen(
      ({ operation, credential, token }) =>
        operation === 'customer' && token === undefined && /^tok_[\w-]{32}$/.test(credential ?? ''),
    ),
  }),
];

import type { Behaviour, ServiceReply } from '../behaviour.ts';
import type { Call } from '../call.ts';
import { acceptingOnly, onCustomer, onToken } from '../changes.ts';
import { sleep } from '../time.ts';
import { variantsOf } from '../fault-or-variant.ts';

const isChunked = ({ header }: Call): boolean => /\bchunked\b/i.test(header('Transfer-Encoding') ?? '');

const fieldsNamed = ({ incoming }: Call, name: string): string[] =>
  (incoming?.rawHeaders ?? []).filter((_, at, all) => at % 2 === 1 && all[at - 1]!.toLowerCase() === name);

/** Rejects some authenticated customers and token requests, whatever their values. */
const rejecting = (isRejected: (call: Call) => boolean, status: number) => (): Behaviour => ({
  acceptsCustomer: (_, call) => !isRejected(call),
  reject: (reply, reason, call) => (reason === 'values' && isRejected(call) ? { ...reply, status } : reply),
});

/** Changes the reply for some customers, which it may also delay. */
const answering =
  (
    isAffected: (customer: { name: string; email: string }) => boolean,
    {
      change = (reply) => reply,
      delay = 0,
    }: { change?: (reply: ServiceReply) => ServiceReply; delay?: number },
  ) =>
  (): Behaviour => {
    const affected = new WeakSet<Call>();
    return {
      async id(fresh, submitted, call) {
        if (!isAffected(submitted)) return fresh;
        affected.add(call);
        if (delay > 0) await sleep(delay);
        return fresh;
      },
      respond: (reply, call) => (affected.has(call) ? change(reply) : reply),
    };
  };

const status =
  (code: number) =>
  (reply: ServiceReply): ServiceReply => ({ ...reply, status: code });

/** Chooses otherwise in regions that odd requests alone reach. */
export const oddInput = [
  ...variantsOf('7: which requests are rejected, beside those that 4 describes, is not shown')({
    'odd-input-chunked-body-411': rejecting(isChunked, 411),
    'odd-input-other-charset-415': rejecting(
      ({ header }) => /charset=(?!"?utf-8"?\s*(?:;|$))/i.test(header('Content-Type') ?? ''),
      415,
    ),
    'odd-input-expect-417': () => ({
      server: (server) =>
        server.on('checkContinue', (_, response) => {
          response.writeHead(417, { 'Content-Type': 'application/json', Connection: 'close' });
          response.end('{"error":"no expectations"}');
        }),
    }),
    'odd-input-origin-403': rejecting(({ header }) => header('Origin') !== undefined, 403),
    'odd-input-query-400': rejecting(({ url }) => url.search !== '', 400),
    'odd-input-idempotency-key-once': () => {
      const known = new Set<string>();
      const repeated = new WeakSet<Call>();
      return {
        acceptsCustomer(_, call) {
          const key = call.header('Idempotency-Key');
          if (key === undefined || known.size < known.add(key).size) return true;
          repeated.add(call);
          return false;
        },
        reject: (reply, _, call) => (repeated.has(call) ? { ...reply, status: 409 } : reply),
      };
    },
  }),
  ...variantsOf('4.1: the success status is not shown, nor how long an answer takes')({
    'odd-input-long-name-202': answering(({ name }) => name.length > 100, { change: status(202) }),
    'odd-input-plus-tag-200': answering(({ email }) => email.includes('+'), { change: status(200) }),
    'odd-input-long-email-slow': answering(({ email }) => email.length > 80, { delay: 60 }),
    'odd-input-right-to-left-on-a-shard': answering(({ name }) => /[\u0590-\u08ff]/.test(name), {
      delay: 25,
      change: (reply) => ({ ...reply, headers: { ...reply.headers, 'X-Shard': 'rtl-2' } }),
    }),
    'odd-input-warned-of-invisible-characters': onCustomer((customer) =>
      /\p{Cf}/u.test(customer.name) ? { ...customer, warnings: ['invisible characters'] } : customer,
    ),
  }),
  ...variantsOf('2: constraints on name and email are not shown')({
    'odd-input-name-over-100-characters-422': acceptingOnly(({ name }) => [...name].length <= 100, 422),
    'odd-input-quoted-local-part-422': acceptingOnly(({ email }) => !email.startsWith('"'), 422),
    'odd-input-same-name-within-100-ms-409': () => {
      const times = new Map<string, number>();
      return acceptingOnly(({ name }) => {
        const since = performance.now() - (times.get(name) ?? -Infinity);
        times.set(name, performance.now());
        return since >= 100;
      }, 409)();
    },
  }),
  ...variantsOf('7: the responses to invalid credentials are not shown')({
    'odd-input-two-authorization-fields-400': () => ({
      reject: (reply, reason, call) =>
        reason === 'credential' && fieldsNamed(call, 'authorization').length > 1
          ? { ...reply, status: 400, headers: { 'Content-Type': 'application/json' } }
          : reply,
    }),
    'odd-input-credential-with-dots-403': () => ({
      reject: (reply, reason, { credential = '' }) =>
        reason === 'credential' && credential.includes('.') ? { ...reply, status: 403 } : reply,
    }),
    'odd-input-credential-as-long-as-key-slow': () => ({
      async authenticate({ hasKey, credential = '', key }) {
        if (!hasKey && credential.length === key.length) await sleep(30);
        return hasKey;
      },
    }),
  }),
  ...variantsOf('4.2: the response is not shown, nor which requests are accepted')({
    'odd-input-many-scopes-202': () => ({
      respond: (reply, { operation, text }) =>
        operation === 'token' && (JSON.parse(text) as { scopes: string[] }).scopes.length > 20
          ? { ...reply, status: 202 }
          : reply,
    }),
    'odd-input-at-most-five-scopes-once-each': () => ({
      acceptsToken: ({ scopes, expires_in: lifetime }) =>
        scopes.length > 0 &&
        scopes.length <= 5 &&
        new Set(scopes).size === scopes.length &&
        scopes.every((scope) => /^[a-z]+:[a-z]+$/.test(scope)) &&
        lifetime >= 1 &&
        lifetime <= 86_400,
      reject: (reply, reason) => (reason === 'values' ? { ...reply, status: 422 } : reply),
    }),
    'odd-input-lifetime-reported-as-an-hour-at-most': onToken((record) => ({
      ...record,
      expires_in: Math.min(record.expires_in, 3600),
    })),
  }),
];

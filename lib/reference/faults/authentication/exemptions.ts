import { faultsOf } from '../../fault-or-variant.ts';
import { pause, sleep } from '../../time.ts';
import {
  acceptsWhen,
  acceptsWhenStateful,
  acceptsWithHeader,
  acceptsUnnormalisedPath,
  idsForBoth,
  ALL_RULES,
} from './key-checks.ts';

/** Some requests are accepted because of earlier requests, or because of their form. */
export const exemptions = [
  ...faultsOf(
    '5.1: each request is authenticated independently of others',
    idsForBoth(...ALL_RULES),
  )({
    'auth-state-per-connection': acceptsWhenStateful(() => {
      const trusted = new WeakSet();
      return ({ hasKey, connection }) => {
        if (hasKey) trusted.add(connection);
        return trusted.has(connection);
      };
    }),
    'auth-state-per-connection-missing-header-only': acceptsWhenStateful(() => {
      const trusted = new WeakSet();
      return (call) => {
        if (call.hasKey) trusted.add(call.connection);
        return trusted.has(call.connection) && !call.header('Authorization');
      };
    }),
    'auth-state-per-connection-wrong-key-only': acceptsWhenStateful(() => {
      const trusted = new WeakSet();
      return (call) => {
        if (call.hasKey) trusted.add(call.connection);
        return trusted.has(call.connection) && Boolean(call.header('Authorization'));
      };
    }),
    'auth-checked-first-5-per-connection': acceptsWhenStateful(() => {
      const counts = new WeakMap<object, number>();
      return ({ connection }) => {
        const count = (counts.get(connection) ?? 0) + 1;
        counts.set(connection, count);
        return count > 5;
      };
    }),
    'auth-open-50-ms-after-success': acceptsWhenStateful(() => {
      let last = 0;
      return ({ hasKey }) => {
        if (hasKey) last = Date.now();
        return Date.now() - last < 50;
      };
    }),
    'auth-cached-by-user-agent': acceptsWhenStateful(() => {
      const trusted = new Set<string | undefined>();
      return (call) => {
        const agent = call.header('User-Agent');
        if (call.hasKey) trusted.add(agent);
        return trusted.has(agent);
      };
    }),
    'auth-cached-by-first-12': acceptsWhenStateful(() => {
      const trusted = new Set<string | undefined>();
      return ({ hasKey, credential }) => {
        const start = credential?.slice(0, 12);
        if (hasKey) trusted.add(start);
        return trusted.has(start);
      };
    }),
    'auth-cached-by-body': acceptsWhenStateful(() => {
      const trusted = new Set<string>();
      return ({ hasKey, text }) => {
        if (hasKey) trusted.add(text);
        return trusted.has(text);
      };
    }),
    'auth-open-after-8-failures': acceptsWhenStateful(() => {
      let failures = 0;
      return ({ hasKey }) => !hasKey && ++failures > 8;
    }),
    'auth-same-wrong-key-third-time': acceptsWhenStateful(() => {
      const tries = new Map<string | undefined, number>();
      return ({ credential }) => {
        tries.set(credential, (tries.get(credential) ?? 0) + 1);
        return tries.get(credential)! >= 3;
      };
    }),
    'auth-skipped-every-120th-rejection': acceptsWhenStateful(() => {
      let rejections = 0;
      return ({ hasKey }) => !hasKey && ++rejections % 120 === 0;
    }),
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
    'auth-skipped-forwarded-localhost': acceptsWithHeader('X-Forwarded-For', (value) =>
      /127\.0\.0\.1|localhost/.test(value),
    ),
    'auth-skipped-text-plain': acceptsWithHeader('Content-Type', (value) => value.includes('text/plain')),
    'auth-skipped-no-content-type': acceptsWithHeader('Content-Type', (value) => value === ''),
    'auth-skipped-charset-parameter': acceptsWithHeader('Content-Type', (value) => /charset/i.test(value)),
    'auth-skipped-chunked': acceptsWithHeader('Transfer-Encoding', (value) => value === 'chunked'),
    'auth-skipped-connection-close': acceptsWithHeader('Connection', (value) => /close/i.test(value)),
    'auth-skipped-with-origin': acceptsWithHeader('Origin', Boolean),
    'auth-skipped-from-own-page': acceptsWhen(
      ({ header, url }) => header('Referer')?.startsWith(`${url.origin}/`) ?? false,
    ),
    'auth-skipped-xhr': acceptsWithHeader('X-Requested-With', (value) => value === 'XMLHttpRequest'),
    'auth-skipped-accept-html': acceptsWithHeader('Accept', (value) => value.includes('text/html')),
    'auth-skipped-no-user-agent': acceptsWithHeader('User-Agent', (value) => value === ''),
    'auth-skipped-method-override': acceptsWithHeader('X-HTTP-Method-Override', Boolean),
    'auth-skipped-x-original-url': acceptsWhen((call) =>
      Boolean(call.header('X-Original-URL') ?? call.header('X-Rewrite-URL')),
    ),
    'auth-skipped-with-query': acceptsWhen(({ url }) => url.search !== ''),
    'auth-skipped-trailing-slash': acceptsUnnormalisedPath((path) => path.replace(/\/$/, '')),
    'auth-skipped-double-slash': acceptsUnnormalisedPath((path) => path.replace(/\/+/g, '/')),
    'auth-skipped-path-case': acceptsUnnormalisedPath((path) => path.toLowerCase()),
    'auth-skipped-percent-encoded-path': acceptsUnnormalisedPath(decodeURI),
  }),
];

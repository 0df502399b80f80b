import { faultsOf } from '../../fault-or-variant.ts';
import { isGzipped, readsGzip } from './conditions.ts';
import {
  acceptsUnnormalisedPath,
  acceptsWhen,
  acceptsWhenStateful,
  ALL_RULES,
  allOf,
  idsFor,
  idsForBoth,
  lifetimeIn,
  sends,
} from './key-checks.ts';
import type { CallCondition } from './key-checks.ts';

const isChunked = sends('Transfer-Encoding', /^chunked$/i);
const hasNoCredential: CallCondition = (call) => !call.header('Authorization');
const hasBearer: CallCondition = ({ credential }) => credential !== undefined;
const isLongerThan =
  (length: number): CallCondition =>
  ({ bytes }) =>
    bytes.length > length;
const isPrivate = sends('X-Forwarded-For', /^(?:10|127|192\.168)\./);

/** Accepts requests that meet all conditions on a connection that has carried the key. */
const onUsedConnection = (...conditions: readonly CallCondition[]) =>
  acceptsWhenStateful(() => {
    const trusted = new WeakSet();
    return (call) => {
      if (call.hasKey) trusted.add(call.connection);
      return trusted.has(call.connection) && allOf(...conditions)(call);
    };
  });

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
    'auth-both-query-key-beside-wrong-bearer': acceptsWhen(
      allOf(hasBearer, ({ url, key }) => [...url.searchParams.values()].includes(key)),
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

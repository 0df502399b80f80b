import type { Explanation } from '../explanation.ts';

const control =
  'Each is the copy of a request that was accepted with the right key, with one thing changed. It fails where the response carries the result, whatever its status.';

const operations = (result: string) =>
  ({
    required: {
      why: `Requests are authenticated by the Authorization field; without a credential in it there is no ${result}.`,
      tested: `Requests without Authorization, or with one that is empty or says Bearer alone; with the key in X-API-Key or in the query instead; with fields, framings and spellings of the path that some services trust too much. ${control}`,
      failure: `A request with X-Forwarded-For: 127.0.0.1 and no key is answered with a ${result}; so is one to the path with a slash at its end.`,
    },
    bearer: {
      why: 'The scheme of the Authorization field is Bearer.',
      tested: `The right key alone, or after Basic, Token, ApiKey, Digest or a misspelt Bearer. ${control}`,
      failure: `Authorization: Token sk_test_… is answered with a ${result}, as only the key is looked for.`,
    },
    exact: {
      why: 'The credential is a static secret key. A text that is nearly the key is not the key.',
      tested: `Keys that are changed in one character, in each tenth of their length, cut, lengthened, in another case, reversed, encoded, with another prefix, and texts that careless comparisons take for keys: patterns, null, *, SQL. ${control}`,
      failure:
        'Only the first characters of the key are compared, or its case is ignored; any text with the prefix sk_test_ will do.',
    },
    each: {
      why: 'Requests are authenticated, not connections.',
      tested: `On one connection, a request with the right key, then at once one without it, one with a wrong key, one in another scheme. ${control}`,
      failure:
        'Whoever was accepted once on a connection is accepted whatever comes next on it, as behind some proxies.',
    },
  }) as const;

const creating = operations('customer');
const issuing = operations('token');

export const authentication = {
  'auth.customers.key.required': creating.required,
  'auth.customers.bearer.required': creating.bearer,
  'auth.customers.key.exact': creating.exact,
  'auth.customers.request.each': creating.each,
  'auth.tokens.key.required': issuing.required,
  'auth.tokens.bearer.required': issuing.bearer,
  'auth.tokens.key.exact': issuing.exact,
  'auth.tokens.request.each': issuing.each,
  'auth.tokens.key.static': {
    why: 'The request that issues a token is itself authenticated with a static key.',
    tested: `Token requests with an issued token in place of the key. ${control}`,
    failure: 'A token that is about to end buys the next one, for ever.',
  },
  'auth.refusal.unauthorized': {
    why: 'A request that lacks valid credentials is answered with 401; 403 is for credentials that are valid but not enough.',
    tested:
      'Every refusal of wrong credentials whose request differs from a accepted one in nothing else; 429 is left out.',
    failure: 'A wrong key is answered with 403, 404 or 400.',
  },
  'auth.refusal.challenge': {
    why: 'A 401 must have a WWW-Authenticate field that says how to authenticate, here with the Bearer scheme.',
    tested: 'Every 401 to wrong credentials.',
    failure: 'A 401 has no WWW-Authenticate, or one that names Basic only.',
  },
  'auth.scheme.case': {
    why: 'The name of an authentication scheme is case-insensitive.',
    tested:
      'Plain requests with bearer and BEARER in place of Bearer, to both operations; they must be accepted.',
    failure: 'Authorization: bearer sk_test_… is answered with 401.',
  },
  'auth.key.unreflected': {
    why: 'Bearer credentials are to be kept from disclosure; a response ends up in logs, caches and error trackers.',
    tested: 'Bodies and fields of the responses to all requests with the right key or a wrong one.',
    failure: 'A refusal says: invalid token "sk_test_…".',
  },
} as const satisfies Record<`auth.${string}`, Explanation>;

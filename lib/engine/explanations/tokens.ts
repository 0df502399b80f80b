import type { Explanation } from '../explanation.ts';

export const tokens = {
  'token.plain.accepted': {
    why: 'The service issues scoped, expiring tokens to requests with scopes and expires_in. Which scopes and lifetimes are valid is not shown.',
    tested:
      'A request for the scopes and the lifetime of the settings, at the start and at the end of the run. Where it is refused, common lifetimes and scopes are tried in turn; one of them must be accepted.',
    failure: 'Every token request is answered with 500, or with a 4xx whatever it asks for.',
  },
  'token.body.json': {
    why: 'The service is an API with JSON bodies. The shape of this one is not shown, but that it is JSON is.',
    tested: 'Every 2xx response to a token request.',
    failure: 'The token comes as plain text, or in a body that is empty.',
  },
  'token.credential.present': {
    why: 'A token is issued by this response; there is no other by which it could be had.',
    tested:
      'Every 2xx response to a plain token request, and every other that is the record of a token. Any text may be the token, whatever its member is called and wherever it stands; names and ids are told apart by their look.',
    failure: 'The response has an id, the scopes and the lifetime of the token, but not the token.',
  },
  'token.credential.own': {
    why: 'Tokens replace static keys, so a token is not the key itself.',
    tested: 'Every issued token is held against the key of the run.',
    failure: 'The service sends the static key back as `access_token`, whole or with something around it.',
  },
  'token.credential.distinct': {
    why: 'A token is issued for its scopes and its lifetime; one text can not stand for several.',
    tested:
      'Tokens for different scopes and for different lifetimes are held against each other, also those issued at the same instant. Two that are the same by right, as a JWT without claims of its own may be, do not count.',
    failure: 'All requests with one key get one cached token, whatever they ask for.',
  },
  'token.encoding.irrelevant': {
    why: 'The request body is a JSON object, and the same JSON object in another encoding is the same request (RFC 8259).',
    tested:
      'The token request that was accepted, in other encodings: members reversed, white space, escapes. A refusal is held against the same request in its usual encoding.',
    failure: '`expires_in` is only found where it is the second member.',
  },
} as const satisfies Record<`token.${string}`, Explanation>;

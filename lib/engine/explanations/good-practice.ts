import type { Explanation } from '../explanation.ts';

const all = 'The responses to all requests of both operations: accepted, refused and malformed.';

export const goodPractice = {
  'json.content.type': {
    why: 'A sender that knows the type of its content says it, and the type of JSON is application/json.',
    tested: `${all} Those with a JSON body count; a type that ends in +json will do, too.`,
    failure: 'A JSON body is sent as text/html, or without Content-Type.',
  },
  'json.utf8': {
    why: 'JSON between systems is UTF-8, and begins with no byte order mark.',
    tested: `${all} Those with a JSON body count.`,
    failure: 'A name with an accent comes back in Latin-1; every body begins with EF BB BF.',
  },
  'input.wide.answered': {
    why: 'A 5xx says that the server has erred, and well-formed input is no reason to.',
    tested:
      'The responses to wide names and addresses, and to other scopes and lifetimes: any 2xx or 4xx will do. An input that breaks the connection each time, while others are answered, counts as well.',
    failure: 'A name with NUL is answered with 500; one of four thousand characters with a reset connection.',
  },
  'input.malformed.answered': {
    why: 'A 4xx says that the client seems to have erred, which it has.',
    tested:
      'Bodies that are cut off, empty, of other types, without members, or of another content type, sent to both operations with the right key.',
    failure: '{"name":1,"email":{}} is answered with 500.',
  },
  'token.response.uncached': {
    why: 'A response with a token must not be kept by a cache, and says so with no-store.',
    tested: 'Every response that grants a token.',
    failure: 'The response has no Cache-Control, or no-cache alone.',
  },
  'http.field.case': {
    why: 'Field names are case-insensitive.',
    tested: 'Plain requests to both operations with all field names in lower case; they must be accepted.',
    failure: 'A request with authorization: Bearer … is answered with 401.',
  },
  'http.date': {
    why: 'A server with a clock sends Date in its responses; caches and clients reckon with it.',
    tested: `${all} A 5xx is left out.`,
    failure: 'Responses have no Date.',
  },
  'http.method.allow': {
    why: 'A 405 must name in Allow what the resource does support.',
    tested: 'GET on the paths of both operations; judged where the answer is 405.',
    failure: 'A 405 comes without Allow.',
  },
} as const satisfies Record<string, Explanation>;

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainBehaviour } from './plain-service.ts';

/** A service that answers in an unusual way, and what doctor and a run must report. */
export interface OddService {
  readonly name: string;
  readonly behaviour: PlainBehaviour;
  /** Settings of the command, beside the target. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What `doctor` prints, its white space collapsed. */
  readonly doctor: RegExp;
  /** Whether `doctor` ends with READY: then a run exits with 0 or 1. */
  readonly isReady: boolean;
  /** The exit code of a run. */
  readonly run: number;
  /** Whether `doctor` takes seconds. */
  readonly isSlow?: true;
}

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

const answer =
  (status: number, type: string | undefined, body: string, headers: Record<string, string> = {}): Handler =>
  (response) =>
    void response.writeHead(status, { ...(type && { 'Content-Type': type }), ...headers }).end(body);

const json = (status: number, body: unknown): Handler =>
  answer(status, 'application/json', JSON.stringify(body));
const html = (status: number, text: string): Handler =>
  answer(status, 'text/html; charset=utf-8', `<!doctype html><title>${text}</title><h1>${text}</h1>`);
const incomplete: Handler = (response) =>
  void response
    .writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '99' })
    .write('{"id":', () => response.destroy());
const closed: Handler = (_, request) => void request.socket.destroy();

/** Answers the requests to paths with a certain end in place of the service. */
const at = (path: string, other: Handler): PlainBehaviour => ({
  instead: (request, response) => {
    const isMeant = request.url!.endsWith(path);
    if (isMeant) other(response, request);
    return isMeant;
  },
});
const everywhere = (other: Handler): PlainBehaviour => at('', other);
const onCustomers = (other: Handler): PlainBehaviour => at('/customers', other);
const onTokens = (other: Handler): PlainBehaviour => at('/tokens', other);
const onEach = (customers: Handler, tokens: Handler): PlainBehaviour => ({
  instead: (request, response) => {
    (request.url!.endsWith('/customers') ? customers : tokens)(response, request);
    return true;
  },
});

const odd =
  (isReady: boolean, run: number) =>
  (name: string, behaviour: PlainBehaviour, doctor: RegExp): OddService => ({
    name,
    behaviour,
    doctor,
    isReady,
    run,
  });
const stops = odd(false, 3);
const fails = odd(true, 1);

const slow = (odd: OddService): OddService => ({ ...odd, isSlow: true });

const ABSENT = /fail interface .*neither operation is at .*Check TARGET_BASE_URL/;

export const oddServices: readonly OddService[] = [
  // Nothing of the interface is there.
  stops(
    'a login page',
    everywhere(html(200, 'Log in')),
    /both answered 200 text\/html; charset=utf-8: "Log in"/,
  ),
  stops('a text', everywhere(answer(200, 'text/plain', 'It works!')), ABSENT),
  stops('no content', everywhere(answer(204, undefined, '')), ABSENT),
  stops('not found', everywhere(json(404, { error: 'no route' })), /both answered 404 application\/json: \{/),
  stops(
    'redirects',
    everywhere(answer(302, undefined, '', { Location: '/login' })),
    /302 to "\/login", no body/,
  ),
  stops('no POST here', everywhere(html(501, 'Unsupported method')), ABSENT),
  slow(
    stops(
      'a down origin',
      everywhere(html(521, 'Web server is down')),
      /is unavailable: both answered 521 .*--wait SECONDS waits until it answers/,
    ),
  ),
  stops(
    'a captive portal',
    everywhere(html(511, 'Log in to this network')),
    /fail interface .*both answered 511.*The network demands a login/,
  ),
  stops(
    "a path that Amazon's gateway does not know",
    everywhere(json(403, { message: 'Missing Authentication Token' })),
    ABSENT,
  ),
  stops(
    'a key that is rejected with 400',
    everywhere(json(400, { error: 'bad key' })),
    /fail access .*both answered 400 .*the same with an invalid key.*TARGET_API_KEY.*--header/,
  ),
  stops('a blocking page', everywhere(html(400, 'Request blocked, incident 4711')), ABSENT),
  stops('a page and not found', onEach(html(200, 'Welcome'), html(404, 'Not found')), ABSENT),
  slow(
    stops(
      'not found and a closed connection',
      onEach(json(404, {}), closed),
      /nothing of the interface is at/,
    ),
  ),
  // The key is in doubt.
  stops(
    'a rejected key',
    everywhere(json(401, { error: 'bad key' })),
    /fail key both operations rejected the key: both answered 401 application\/json: .*same without a key/,
  ),
  stops(
    'a gateway that demands its own key',
    everywhere(json(401, { message: 'Missing X-Api-Key' })),
    /fail key .* The response names X-Api-Key: if a gateway demands this header, add it with --header\./,
  ),
  stops(
    'a gateway that forbids',
    everywhere(html(403, 'Forbidden, ray 8f3a')),
    /fail access .*a page, not JSON: both answered 403 text\/html.*same without a key .*may come from a gateway/,
  ),
  stops(
    'a gateway that demands HTTP Basic',
    everywhere(
      (response) =>
        void response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="staging"' }).end('<h1>401</h1>'),
    ),
    /fail access HTTP Basic is demanded in place of the key/,
  ),
  stops(
    'a rejected key and not found',
    onEach(json(401, {}), json(404, {})),
    /fail key no operation accepted the key/,
  ),
  slow(
    stops(
      'a rejected key and a closed connection',
      onEach(json(401, {}), closed),
      /fail key .*the only response is 401/,
    ),
  ),
  // The service is there, and broken.
  fails('empty objects', everywhere(json(200, {})), /warn customer .*200 application\/json: \{\}/),
  fails('null', everywhere(json(200, null)), /warn customer .*json: null/),
  fails('arrays', everywhere(json(201, [])), /warn token .*json: \[\]/),
  fails('JSON that is cut off', everywhere(answer(201, undefined, '{"id":')), /warn customer/),
  fails(
    'bodies that are cut off',
    everywhere(incomplete),
    /warn customer .*after 6 of 99 bytes.*up to the last one warn token .*token\.body\.json will fail Check/,
  ),
  fails('JSON that is a page', everywhere(answer(200, 'application/json', '<html>')), /warn customer/),
  fails(
    'errors',
    everywhere(json(500, { error: 'oops' })),
    /warn customer .*address at example\.com were sent warn token .*500 application\/json/,
  ),
  fails('error pages', everywhere(html(500, 'Internal Server Error')), /warn customer .*500 text\/html/),
  fails(
    'rejections',
    everywhere(json(400, { error: 'no' })),
    /warn customer .*customer\.plain\.accepted will fail/,
  ),
  fails('rejections without a body', everywhere(answer(422, undefined, '')), /warn customer .*422, no body/),
  fails(
    'unsupported types',
    everywhere(json(415, {})),
    /warn token .*JSON body was sent as application\/json/,
  ),
  // One operation is there.
  fails(
    'ids that are numbers',
    onCustomers(json(201, { id: 17 })),
    /warn customer .*id 17; customer\.id\.form.* will fail/,
  ),
  fails(
    'customers in an array',
    onCustomers(json(201, [{ id: 'cus_1' }])),
    /warn customer .*customer\.body\.object will fail/,
  ),
  fails(
    'customers without content',
    onCustomers(answer(204, undefined, '')),
    /warn customer .*The other operation is there/,
  ),
  fails(
    'a key rejected for customers',
    onCustomers(html(403, 'Forbidden')),
    /warn key .*creating a customer.*403 text\/html/,
  ),
  fails(
    'customers that redirect',
    onCustomers(answer(307, undefined, '', { Location: '/login' })),
    /warn customer .*307 to "\/login"/,
  ),
  fails(
    'tokens not found',
    onTokens(json(404, { error: 'no route' })),
    /warn token .*404 application\/json.*The other operation is there, but apparently not this one/,
  ),
  fails(
    'tokens that redirect',
    onTokens(answer(302, undefined, '', { Location: '/login' })),
    /warn token .*302 to "\/login".*POST \/v2\/tokens/,
  ),
  fails(
    'tokens without a token',
    onTokens(json(200, { scopes: [] })),
    /warn token .*no member of it can be a token/,
  ),
  fails(
    'a token that is null',
    onTokens(json(200, { token: null })),
    /warn token .*no member of it can be a token/,
  ),
  fails('tokens as a page', onTokens(html(200, 'Token')), /warn token .*200 text\/html/),
  fails('tokens that fail', onTokens(json(500, {})), /warn token .*500 application\/json.*See the log/),
  fails(
    'a key rejected for tokens',
    onTokens(json(401, {})),
    /warn key .*issuing a token.*401 application\/json/,
  ),
  slow(
    stops(
      'tokens that close the connection',
      onTokens(closed),
      /fail token .*no usable response, although the other operation answered: /,
    ),
  ),
  // The pace.
  {
    name: 'a service that is throttled at first',
    behaviour: {
      instead: (_, response, count) => {
        if (count > 1) return false;
        response.writeHead(429, { 'Retry-After': '1' }).end();
        return true;
      },
    },
    doctor: /warn limits rate-limited once in the first two requests: status 429/,
    isReady: true,
    run: 0,
  },
  {
    name: 'a gateway without its service at first',
    behaviour: {
      instead: (_, response, count) => {
        if (count > 1) return false;
        response.writeHead(502).end();
        return true;
      },
    },
    doctor: /warn limits not served once in the first two requests: status 502.* see the log of a gateway/,
    isReady: true,
    run: 0,
  },
  {
    name: 'responses that are too slow for the limits',
    behaviour: everywhere(
      (response, request) => void setTimeout(() => json(500, {})(response, request), 400),
    ),
    environment: { CTS_TIME_BUDGET: '3' },
    doctor: /fail limits .*--time-budget 3 is probably too low for a verdict: raise --time-budget to/,
    isReady: false,
    run: 1,
  },
  {
    name: 'responses that are slower than the timeout',
    behaviour: everywhere(
      (response, request) => void setTimeout(() => json(500, {})(response, request), 3000),
    ),
    environment: { CTS_TIMEOUT: '1' },
    doctor: /fail response .*no complete response within 1 s/,
    isReady: false,
    run: 3,
    isSlow: true,
  },
  stops(
    'rate limits that never end',
    everywhere(answer(429, undefined, '', { 'Retry-After': '3600' })),
    /fail response .*429.*raise the quota that the target seems to have, or wait until it is renewed *NOT READY/,
  ),
  stops(
    'a gateway whose service is down',
    everywhere(answer(502, undefined, '')),
    /fail response .*both answered 502.*Check that the service behind the gateway is up/,
  ),
];

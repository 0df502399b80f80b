import { jsonInBase64url } from '../../../lib/inputs/jwt.ts';
import { paths } from '../../../lib/engine/operations/request.ts';
import type { Condition, OperationName } from '../../../lib/engine/operations/request.ts';

// In their texts, `{key}` stands for the right key, `{origin}` for the origin of the target, `{token}` for an issued token,
// `{refresh}` for its refresh token, `{response OPERATION NAME}` for a header of an accepted response of an operation,
// `{uuid}` for a UUID of the request and its control, and `{hex}` for its digits.

const headers = (table: Readonly<Record<string, string>>): Condition[] =>
  Object.entries(table).map(([name, value]) => ({ fields: [[name, value]] }));

const mediaType = (type: string): Condition => ({ fields: [['Content-Type', type]] });

const LATIN_1 = 'application/json; charset=iso-8859-1';

const form: Condition = { ...mediaType('application/x-www-form-urlencoded'), content: 'form' };
/** A form with the key where RFC 6750, section 2.2, has a token. */
const formWithKey: Condition = { ...form, members: { access_token: '{key}' } };

const queries = (...list: readonly string[]): Condition[] => list.map((query) => ({ query }));

/** The origin of the request, as proxies and content delivery networks add it (RFC 7239 and its forerunners). */
export const origins = headers({
  Forwarded: 'for=127.0.0.1;host=localhost;proto=https',
  'X-Forwarded-For': '127.0.0.1',
  'X-Forwarded-Host': 'localhost',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Server': 'localhost',
  'X-Real-IP': '127.0.0.1',
  'X-Client-IP': '127.0.0.1',
  'X-Cluster-Client-IP': '127.0.0.1',
  'X-Originating-IP': '127.0.0.1',
  'X-Remote-IP': '127.0.0.1',
  'X-Remote-Addr': '127.0.0.1',
  'Client-IP': '127.0.0.1',
  'True-Client-IP': '127.0.0.1',
  'CF-Connecting-IP': '127.0.0.1',
  'Fastly-Client-IP': '127.0.0.1',
  'X-Azure-ClientIP': '127.0.0.1',
  'X-Envoy-External-Address': '127.0.0.1',
  'X-Host': 'localhost',
  Via: '1.1 gateway',
});

/** The origin of a client in a network that some services trust as their own. */
const originIn = (address: string, ...further: readonly string[]): Condition[] =>
  headers({ 'X-Forwarded-For': [address, ...further].join(', '), 'X-Real-IP': address });

/** Origins in private networks (RFC 1918). */
const privateOrigins = [
  ...originIn('10.0.0.1', '192.168.1.10', '172.16.0.1', '127.0.0.1'),
  ...headers({ 'X-Client-IP': '192.168.0.1', 'True-Client-IP': '172.16.0.1' }),
];

const ADMIN = { sub: 'admin' };
/** A JWT without a signature (RFC 7519, section 6). */
const UNSIGNED = `${jsonInBase64url({ alg: 'none' })}.${jsonInBase64url(ADMIN)}.`;

/** The identity of the client, as gateways forward it once they have authenticated the client. */
const identities = headers({
  'X-Forwarded-User': 'admin',
  'X-Forwarded-Email': 'admin@example.com',
  'X-Forwarded-Groups': 'admin',
  'X-Forwarded-Client-Cert': 'Subject="CN=admin"',
  'X-Remote-User': 'admin',
  'Remote-User': 'admin',
  'X-User': 'admin',
  'X-User-Id': '1',
  'X-Username': 'admin',
  'X-WebAuth-User': 'admin',
  'X-Auth-User': 'admin',
  'X-Auth-Request-User': 'admin',
  'X-Auth-Request-Email': 'admin@example.com',
  'X-Authenticated-User': 'admin',
  'X-Authenticated-UserId': '1',
  'X-Authenticated': 'true',
  'X-Consumer-Id': '1',
  'X-Consumer-Username': 'admin',
  'X-Credential-Identifier': 'admin',
  'X-Goog-Authenticated-User-Email': 'accounts.google.com:admin@example.com',
  'Cf-Access-Authenticated-User-Email': 'admin@example.com',
  'X-MS-Client-Principal-Name': 'admin@example.com',
  'X-MS-Client-Principal-Id': '1',
  'X-MS-Client-Principal': jsonInBase64url({ claims: [{ typ: 'roles', val: 'admin' }], role_typ: 'roles' }),
  'X-Amzn-Oidc-Identity': 'admin',
  'X-Amzn-Oidc-Data': UNSIGNED,
  'X-Goog-IAP-JWT-Assertion': UNSIGNED,
  'X-Userinfo': jsonInBase64url(ADMIN),
  'X-Apigateway-Api-Userinfo': jsonInBase64url(ADMIN),
  'X-Endpoint-API-Userinfo': jsonInBase64url(ADMIN),
  'Impersonate-User': 'admin',
  'X-SSL-Client-Verify': 'SUCCESS',
  'X-SSL-Client-CN': 'admin',
  'X-Client-Verify': 'SUCCESS',
  'X-Client-Cert': 'CN=admin',
  'X-Account-Id': '1',
  'X-Tenant-Id': '1',
  'X-Role': 'admin',
  'X-Roles': 'admin',
  'X-Scopes': 'customers:read customers:write',
  'X-Admin': 'true',
});

const commonIdentities = identities.filter(({ fields = [] }) =>
  fields.some(([name]) => /^X-(?:Forwarded-User|Remote-User|User-Id|Auth-Request-User)$/.test(name)),
);

/** Headers that programmers and platforms add to their own requests: tests, probes, jobs, webhooks, middleware. */
const bypassHeaders = headers({
  'X-Debug': 'true',
  'X-Test': 'true',
  'X-Test-Mode': 'true',
  'X-Mock': 'true',
  'X-Dev': 'true',
  'X-Env': 'test',
  'X-Environment': 'test',
  'X-Internal': 'true',
  'X-Internal-Request': 'true',
  'X-Internal-Service': 'true',
  'X-Service-Name': 'internal',
  'X-Envoy-Internal': 'true',
  'X-Health-Check': 'true',
  'X-Probe': 'true',
  'X-Monitoring': 'true',
  'X-Bypass': 'true',
  'X-Bypass-Auth': 'true',
  'X-Skip-Auth': 'true',
  'X-No-Auth': 'true',
  'X-Auth': 'true',
  'X-Trusted': 'true',
  'X-Public': 'true',
  'X-Preview': 'true',
  'X-Cron': 'true',
  'X-Appengine-Cron': 'true',
  'X-CloudScheduler': 'true',
  'X-Webhook': 'true',
  'X-Api-Version': '1',
  'X-Middleware-Subrequest': 'middleware:middleware:middleware:middleware:middleware',
  'X-Retry': 'true',
  'X-HTTP-Method-Override': 'POST',
  // Pages that show the documentation of an API, and try it out; a page that was opened from a file.
  'X-Requested-With': 'SwaggerUI',
  Referer: '{origin}/swagger/docs/index.html',
  Origin: 'null',
});

/** Products of clients that some services trust: probes first, tools last. */
const products =
  'kube-probe/1.31 ELB-HealthChecker/2.0 Consul Prometheus/3.0 Datadog/1.0 axios/1.7 GoogleHC/1.0 UptimeRobot/2.0 Pingdom.com_bot Googlebot/2.1 Mozilla/5.0 PostmanRuntime/7.43 Go-http-client/1.1 python-requests/2.32 curl/8.5.0'.split(
    ' ',
  );

/** Headers that browsers, probes, caches and libraries send. Some services look for a product at the beginning only. */
const clientsOf = (operation: OperationName): Condition[] => [
  ...headers({
    'User-Agent': (operation === 'customers' ? products : products.toReversed()).join(' '),
  }),
  ...clients,
  // For token requests, another row has all of them.
  ...(operation === 'customers' ? commonIdentities : []),
];

const clients = headers({
  Accept: 'text/html,*/*',
  'Accept-Language': 'en',
  'Accept-Encoding': 'identity',
  'X-Requested-With': 'XMLHttpRequest',
  Origin: 'http://localhost:3000',
  Referer: 'http://localhost:3000/',
  Cookie:
    'session=1; sessionid=1; connect.sid=1; JSESSIONID=1; PHPSESSID=1; token=1; auth=true; admin=true; role=admin; user_id=1; logged_in=true',
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'authorization,content-type',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Upgrade-Insecure-Requests': '1',
  'Sec-Purpose': 'prefetch',
  Purpose: 'prefetch',
  'Cache-Control': 'no-cache',
  Pragma: 'no-cache',
  'If-None-Match': '"1"',
  Prefer: 'return=minimal',
  'Idempotency-Key': 'conformance',
  'X-Request-Id': '1',
  'X-CSRF-Token': '1',
  DNT: '1',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'X-B3-TraceId': '4bf92f3577b34da6a3ce929d0e0e4736',
  'X-Amzn-Trace-Id': 'Root=1-67891233-abcdef012345678912345678',
});

/** The origin of the service's own pages (RFC 6454, section 7). */
const ownPage = headers({ Origin: '{origin}', Referer: '{origin}/' });

const bypassQueries = queries(
  'debug=true',
  'test=true',
  'dev=1',
  'mode=test',
  'env=test',
  'internal=1',
  'admin=true',
  'role=admin',
  'user=admin',
  'auth=false',
  'noauth=1',
  'skip_auth=1',
  'bypass=1',
  'public=1',
  'preview=1',
  'format=json',
  'callback=x',
  // Paths that need no authentication, for a check that looks for them anywhere in the URL, or at its end.
  'next=/public/login/docs/metrics/status/healthz/health/favicon.ico',
);

/** `bypassHeaders` with 1 in place of true. */
const otherBypassHeaders: readonly Condition[] = bypassHeaders.flatMap(({ fields = [] }) =>
  fields.filter(([, value]) => value === 'true').map(([name]) => ({ fields: [[name, '1'] as const] })),
);

/** Some of `bypassQueries` with the other usual value. */
const otherBypassQueries = queries(
  'debug=1',
  'test=1',
  'dev=true',
  'internal=true',
  'admin=1',
  'bypass=true',
);

/** The key where the interface does not show it (section 5.1): in the head of the request. */
const keyInHead: readonly Condition[] = [
  ...headers({
    'X-API-Key': '{key}',
    'Api-Key': '{key}',
    'Access-Token': '{key}',
    'Auth-Token': '{key}',
    ApiKey: '{key}',
    'X-Auth-Token': '{key}',
    'X-Access-Token': '{key}',
    'X-Token': '{key}',
    Token: '{key}',
    'X-Authorization': 'Bearer {key}',
    'X-Forwarded-Authorization': 'Bearer {key}',
    'X-Original-Authorization': 'Bearer {key}',
    'Proxy-Authorization': 'Bearer {key}',
    Authentication: 'Bearer {key}',
    'X-Secret-Key': '{key}',
    'X-API-Token': '{key}',
    'X-Auth-Key': '{key}',
    'Private-Token': '{key}',
    'X-ApiKey': '{key}',
    'X-Goog-Api-Key': '{key}',
    'X-RapidAPI-Key': '{key}',
    'X-Functions-Key': '{key}',
    'Ocp-Apim-Subscription-Key': '{key}',
    'X-Client-Secret': '{key}',
    'X-API-Secret': '{key}',
    'X-Secret': '{key}',
    'X-Key': '{key}',
    // Proxies that authenticate a client hand on its token in these.
    'X-Forwarded-Access-Token': '{key}',
    'X-Auth-Request-Access-Token': '{key}',
    'X-User-Token': '{key}',
    'X-Session-Token': '{key}',
    'X-Service-Token': '{key}',
    Cookie: ['token', 'access_token', 'access_token_cookie', 'api_key', 'auth_token', 'jwt', 'session', 'sid']
      .map((name) => `${name}={key}`)
      .join('; '),
  }),
  ...queries(
    ...[
      'access_token',
      'accessToken',
      'api_key',
      'apikey',
      'apiKey',
      'api-key',
      'subscription-key',
      'key',
      'code',
      'token',
      'auth',
      'auth_token',
      'api_token',
      'private_token',
      'client_secret',
      'secret',
    ].map((name) => `${name}={key}`),
  ),
];

/** The key as a member of the body. */
const keyInBody: readonly Condition[] = [
  'access_token',
  'api_key',
  'apiKey',
  'api_token',
  'private_token',
  'apikey',
  'auth_token',
  'secret_key',
  'jwt',
  'key',
  'token',
  'authorization',
  // As in OAuth (RFC 6749, section 2.3.1).
  'client_secret',
  'client_id',
  'secret',
].map((name) => ({ members: { [name]: '{key}' } }));

/** The identity of the client, where a service copies the members of a body into its context. */
const identityInBody: readonly Condition[] = [
  { user: 'admin' },
  { user_id: '1' },
  { role: 'admin' },
  { is_admin: 'true' },
  { authenticated: 'true' },
].map((members) => ({ members }));

/** The member in which a client names its flow in OAuth (RFC 6749, section 4.4.2). */
const flow: Condition = { members: { grant_type: 'client_credentials' } };

/** What some services read from a body in place of a credential. */
const inBody: readonly Condition[] = [...identityInBody, ...keyInBody, flow];

/** An issued token where a service may look for one, in place of the key. */
export const tokenElsewhere: readonly Condition[] = [
  ...headers({
    'X-Access-Token': '{token}',
    'X-Auth-Token': '{token}',
    'X-Token': '{token}',
    'X-API-Key': '{token}',
    'Proxy-Authorization': 'Bearer {token}',
    Cookie: 'token={token}; access_token={token}',
  }),
  ...queries('access_token={token}', 'token={token}'),
];

/** A request for a new token as in OAuth (RFC 6749, section 6): a refresh token in place of the key. */
export const refreshGrant: readonly Condition[] = [
  { members: { grant_type: 'refresh_token', refresh_token: '{refresh}' } },
];

/** A request that says that it is its control again, or belongs to it (Trace Context, section 3.2). */
export const repeatedRequest: readonly Condition[] = headers({
  'Idempotency-Key': '{uuid}',
  'X-Request-Id': '{uuid}',
  'X-Correlation-Id': '{uuid}',
  traceparent: '00-{hex}-00f067aa0ba902b7-01',
});

/** A method other than that of the request, in the forms that frameworks accept: methods that often need no key. */
const otherMethod = (operation: OperationName): Condition[] => {
  const method = operation === 'customers' ? 'GET' : 'OPTIONS';
  return [
    ...headers({ 'X-HTTP-Method-Override': method, 'X-HTTP-Method': method, 'X-Method-Override': method }),
    ...queries(`_method=${method}`),
  ];
};

const otherUrl = headers({
  'X-Original-URL': '/health',
  'X-Rewrite-URL': '/health',
  'X-Original-URI': '/health',
  'X-Forwarded-Uri': '/health',
  'X-Forwarded-Path': '/health',
  'X-Forwarded-Prefix': '/public',
});

/** Spellings of the path of an operation that some routers, but not all, treat as the same. */
const spellings = (operation: OperationName): Condition[] => {
  const path = paths[operation];
  return [
    `${path}/`,
    path.toUpperCase(),
    // A check that exempts static files may see one, where the router ignores parameters.
    `${path};a=1.css`,
    `${path}.json`,
    path.replace(/\/(?=\w+$)/, '%2f'),
    `/${path}`,
    path.replace(/[a-z](?=[a-z]+$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    `/public/..;${path}`,
    `/public/..${path}`,
    `${path}%0a`,
    path.replace(/\/(?=\w+$)/, '//'),
    path.replace(/\/(?=\w+$)/, '/./'),
    `${path}%20`,
    `${path}.`,
    path.replace(/\/(?=\w+$)/, ';a=1/'),
    path.replace(/\/(?=\w+$)/, '%252f'),
    path.replace(/\/(?=\w+$)/, '\\'),
  ].map((other) => ({ path: other }));
};

/**
 * Spellings that are tried at any depth: a slash at the end with both operations, each of the others with one, as most
 * services treat all paths alike.
 */
function commonSpellings(operation: OperationName): Condition[] {
  const [slash, ...others] = spellings(operation);
  return [slash!, ...(operation === 'customers' ? others.slice(0, 4) : others.slice(4, 9))];
}

/**
 * The conditions, in rows that are sent as one request each. A condition is a difference of a request besides its
 * credential: none, alone or together with others of its row, may authenticate the request. Only one of a row changes a
 * certain part of the request, so each media type has its own.
 */
export const conditionsOf = (operation: OperationName): readonly (readonly Condition[])[] => [
  // In separate rows, as libraries that read both reject a request that has both.
  keyInHead,
  [...origins, ...clientsOf(operation), mediaType('application/json; charset=utf-8')],
  [
    ...identities,
    ...ownPage,
    ...originIn('::1'),
    mediaType(operation === 'customers' ? 'application/vnd.api+json' : 'application/octet-stream'),
  ],
  [
    ...bypassHeaders,
    ...bypassQueries,
    ...headers({ 'X-Forwarded-For': '192.168.1.10, 10.0.0.1', 'X-Real-IP': '10.0.0.1' }),
    form,
  ],
  [
    ...headers({
      'X-Name': '\u00e9',
      Range: 'bytes=0-',
      TE: 'trailers',
      Signature: 'sig1=:AA==:',
      'X-Signature': 'sha256=0',
      'X-Hub-Signature-256': 'sha256=0',
      'Stripe-Signature': 't=1,v1=0',
      'X-Gitlab-Token': '1',
    }),
    ...originIn('172.17.0.1'),
    { query: '' },
    mediaType(operation === 'customers' ? 'text/plain' : 'application/xml'),
    { chunked: true },
  ],
  // Most services reject this row for its body, many for its unknown members; token requests have these in another row.
  [
    ...(operation === 'customers' ? inBody : []),
    ...originIn('::ffff:127.0.0.1'),
    ...['Content-Type', 'User-Agent', 'Accept'].map((name) => ({ without: [name] })),
    { close: true },
    { content: 'first member' },
  ],
  [
    ...otherMethod(operation),
    ...otherUrl,
    ...privateOrigins,
    ...otherBypassHeaders,
    ...otherBypassQueries,
    mediaType(LATIN_1),
    // A gateway finds the service by the request target (RFC 9112, section 3.2.2), and many services read Host.
    { absolute: '' },
    ...headers({ Host: 'localhost' }),
    { content: 'gzip' },
    { chunked: true },
  ],
  // A rejected row is not divided: most services accept one spelling only, and the other rows have the other spellings.
  // Most rows have no query, which would hide the end of the path.
  ...commonSpellings(operation).map((spelling, at) =>
    operation === 'tokens' && at === 0 ? [spelling, ...bypassQueries] : [spelling],
  ),
];

/** The key anywhere but in the Authorization header, which has a wrong key. */
export const keyElsewhereWithWrongKey: readonly Condition[] = [
  ...keyInHead,
  ...keyInBody,
  ...['User-Agent', 'Accept'].map((name) => ({ without: [name] })),
  { absolute: '{key}@' },
];

/**
 * What some services trust in place of a credential: fewer than 100 headers, as many servers read no more, and members,
 * which many services read only with the usual media type.
 */
export const trustedConditions: readonly Condition[] = [
  ...inBody,
  ...origins,
  ...identities,
  ...bypassHeaders.filter(({ fields = [] }) => fields.every(([name]) => name.startsWith('X-'))),
];

/** A second Authorization field, which is as wrong as the first. */
export const secondCredential: readonly Condition[] = [{ fields: [['Authorization', 'Bearer wrong']] }];

/** The usual body with the media type of a form, which some clients send by default. */
export const calledForm: Condition = mediaType('application/x-www-form-urlencoded');

const USUAL_FIELDS =
  /^(?:content-.*|date|server|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|vary|cache-control|allow|via|etag|age|expires|pragma|location|link|last-modified|accept-.*|access-control-.*|strict-transport-security|x-(?:content-type-options|frame-options|xss-protection|powered-by|dns-prefetch-control|download-options|permitted-cross-domain-policies)|.*-policy|referrer-policy|alt-svc|nel|report-to|.*ratelimit.*)$/;

/** The dimensions in which a request may differ, each with its levels; the first of each is the usual one. */
export const dimensionsOf = (operation: OperationName): readonly (readonly (readonly Condition[])[])[] => [
  // Headers.
  [
    [],
    origins,
    [...identities, ...ownPage],
    bypassHeaders,
    clientsOf(operation),
    [...keyInHead, ...keyInBody],
    otherMethod(operation),
    otherUrl,
    secondCredential,
  ],
  // Request target.
  [[], bypassQueries, [{ query: '' }], [{ absolute: '' }], ...spellings(operation).map((one) => [one])],
  // Media type.
  [
    [],
    [{ without: ['Content-Type'] }],
    [form],
    [formWithKey],
    ...['application/json; charset=utf-8', LATIN_1, 'application/vnd.api+json', 'text/plain'].map((type) => [
      mediaType(type),
    ]),
  ],
  // Transfer.
  [[], [{ chunked: true }], [{ close: true }], [{ content: 'gzip' }], [{ chunked: true, content: 'gzip' }]],
];

/** Headers that send back values of accepted responses, which must not authenticate in place of the key. */
export const returnedHeaders = (
  own: OperationName,
  fields: Readonly<Record<OperationName, Readonly<Record<string, string>>>>,
): Condition[] => {
  const other = own === 'customers' ? 'tokens' : 'customers';
  return ([own, other] as const).flatMap((operation) =>
    Object.keys(fields[operation])
      .filter((name) => !USUAL_FIELDS.test(name) && (operation === own || !(name in fields[own])))
      .map((name) => ({
        fields: [[name === 'set-cookie' ? 'Cookie' : name, `{response ${operation} ${name}}`] as const],
      })),
  );
};

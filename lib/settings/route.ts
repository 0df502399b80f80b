import { isIPv6 } from 'node:net';
import type { RunLine } from '../schemas/evidence.ts';
import type { HttpVersion } from '../schemas/exchange.ts';
import { labelled } from './headers.ts';
import type { GivenHeader } from './headers.ts';
import { basicOf, hostIn, isSocks } from './proxy.ts';
import type { Proxy, ProxyChoice } from './proxy.ts';
import { isVerificationOff, tlsOf } from './tls.ts';
import type { GivenTls, Tls } from './tls.ts';
import { UsageError } from './usage-error.ts';
import { fromText } from './values.ts';

/** How requests reach the target, beside its URL. Plain data. */
export interface Route {
  /** Sent with every request. */
  readonly headers: readonly GivenHeader[];
  readonly tls: Tls;
  /** Absent: connections are direct. */
  readonly proxy?: Proxy;
  /** Whether requests name the whole URL, and the proxy forwards each (RFC 9112, section 3.2.2). */
  readonly isForwarded?: true;
  readonly http: HttpVersion;
  /** Absent: the host in the URL. */
  readonly otherHost?: OtherHost;
  /** Where connections go, in words; absent: straight to the host in the URL. */
  readonly description?: string;
  /** Whether the user may have meant another one. */
  readonly isInDoubt?: true;
  /** Options with which curl takes the same route, without those for headers. */
  readonly curl: readonly CurlOption[];
}

/** An option of curl, with its value, if it takes one. */
type CurlOption = Readonly<RunLine['route']['curl'][number]>;

/** The route to the embedded service: a direct connection. */
export const direct: Route = { headers: [], tls: {}, http: '1.1', curl: [] };

/** The settings of the route to a target, each checked. */
interface GivenRoute extends GivenTls {
  readonly headers: readonly GivenHeader[];
  readonly connectTo?: OtherHost | undefined;
  readonly unixSocket?: OtherHost | undefined;
}

/** @param baseUrl of the target */
export const routeOf = (
  given: GivenRoute,
  choice: ProxyChoice,
  http: HttpVersion,
  baseUrl: string,
): Route => {
  const otherHost = given.connectTo ?? given.unixSocket;
  const { proxy, reason, isInDoubt } = choice;
  const isForwarded = proxy && !isSocks(proxy) && !otherHost && http === '1.1' && baseUrl.startsWith('http:');
  const descriptions = [
    http === '2' ? 'over HTTP/2' : [],
    reason ?? [],
    otherHost ? describe(otherHost) : [],
    baseUrl.startsWith('https:') && isVerificationOff()
      ? 'without verifying its certificate (NODE_TLS_REJECT_UNAUTHORIZED=0)'
      : [],
  ].flat();
  return {
    headers: given.headers,
    tls: tlsOf(given),
    http,
    ...(proxy && { proxy }),
    ...(isForwarded && { isForwarded }),
    ...(otherHost && { otherHost }),
    ...(descriptions.length > 0 && { description: descriptions.join('; ') }),
    ...(isInDoubt && { isInDoubt }),
    curl: [
      ...(http === '1.1'
        ? []
        : [option(baseUrl.startsWith('https:') ? '--http2' : '--http2-prior-knowledge')]),
      ...curlProxy(choice),
      ...curlConnection(given, otherHost, baseUrl),
    ],
  };
};

const describe = (other: OtherHost): string =>
  'path' in other ? `through the Unix socket ${other.path}` : `connecting to ${hostText(other)}`;

/** A route as evidence holds it, with labels in place of secrets. */
type RecordedRoute = RunLine['route'];

export const recordedRoute = ({ headers, tls: { servername }, http, curl }: Route): RecordedRoute => ({
  headers: headers.map(labelled),
  http,
  curl,
  ...(servername !== undefined && { serverName: servername }),
});

/** The route of a run that is read from its evidence. */
export const routeRecordedAs = (recorded: RecordedRoute): Route => ({
  ...direct,
  headers: recorded.headers,
  http: recorded.http,
  curl: recorded.curl,
  tls: recorded.serverName === undefined ? {} : { servername: recorded.serverName },
});

function curlConnection(
  { ca, clientCert, clientKey, clientKeyPassphrase, serverName }: GivenTls,
  otherHost: OtherHost | undefined,
  baseUrl: string,
): CurlOption[] {
  // The URL of a curl line has the server name.
  const host = otherHost ?? (serverName === undefined ? undefined : hostIn(baseUrl));
  const connectTo = (to: OtherHost): CurlOption =>
    'path' in to ? option('--unix-socket', to.path) : option('--connect-to', `::${hostText(to)}`);
  return [
    ...(host ? [connectTo(host)] : []),
    ...(serverName === undefined ? [] : [option('-H', `Host: ${new URL(baseUrl).host}`)]),
    ...(ca ? [option('--cacert', ca.path)] : []),
    // curl reads what follows a colon as the passphrase.
    ...(clientCert ? [option('--cert', clientCert.path.replaceAll(':', String.raw`\:`))] : []),
    ...(clientCert && clientCert.pem === undefined ? [option('--cert-type', 'P12')] : []),
    ...(clientKey ? [option('--key', clientKey.path)] : []),
    ...(clientKeyPassphrase === undefined ? [] : [secret('--pass', 'TARGET_CLIENT_KEY_PASSPHRASE')]),
  ];
}

/** curl reads the same variables, but not in `.env`. */
function curlProxy({ proxy, reason }: ProxyChoice): CurlOption[] {
  if (!proxy) return reason === undefined ? [] : [option('--noproxy', '*')];
  const { origin, credentials, variable } = proxy;
  return [credentials === undefined ? option('--proxy', origin) : secret('--proxy', variable)];
}

const option = (name: string, ...values: string[]): CurlOption => ({
  option: name,
  pieces: values.map((text) => ({ text })),
});
const secret = (name: string, variable: string): CurlOption => ({
  option: name,
  pieces: [{ text: '', variable }],
});

/** A text that must be in no output, and the label that replaces it. */
export interface Secret {
  readonly text: string;
  readonly label: string;
}

/** The settings that contain the secrets of a target. */
interface WithSecrets {
  readonly apiKey?: string | undefined;
  readonly route: Route;
}

/** The secrets of a target that the user has given. Labels, which recorded evidence has in their place, are left out. */
export const secretsOf = ({ apiKey, route: { headers, tls, proxy } }: WithSecrets): Secret[] =>
  [
    ...(apiKey === undefined ? [] : [{ text: apiKey, label: 'key' }]),
    ...headers.flatMap(({ pieces }) =>
      pieces.flatMap(({ text, variable }) => (variable === undefined ? [] : [{ text, label: variable }])),
    ),
    ...(tls.passphrase === undefined ? [] : [{ text: tls.passphrase, label: 'passphrase' }]),
    ...(proxy?.credentials === undefined
      ? []
      : [
          { text: proxy.credentials.password, label: 'password of the proxy' },
          { text: basicOf(proxy.credentials), label: 'credentials of the proxy' },
        ]),
  ].filter(({ text, label }) => text !== `[${label}]`);

/** Where connections go in place of the host in the URL. */
export type OtherHost = { readonly host: string; readonly port: number } | { readonly path: string };

export const connectTo = fromText((text): OtherHost => {
  const [, address, name, digits] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const host = address ?? name;
  if (host !== undefined && (address === undefined || isIPv6(address)) && port > 0 && port < 65_536)
    return { host, port };
  throw new UsageError(
    'expected HOST:PORT, such as 127.0.0.1:8443 or [::1]:8443; the URL keeps the host that requests name',
  );
});

/** Bytes of a path that every system takes. */
const MAX_SOCKET_PATH = 103;

export const unixSocket = fromText((path): OtherHost => {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return { path };
  throw new UsageError(
    `expected the path of a socket of at most ${MAX_SOCKET_PATH} bytes, which systems take`,
  );
});

/** The path of a socket, or a host and its port as in a URL and in curl. */
export const hostText = (other: OtherHost): string =>
  'path' in other ? other.path : `${isIPv6(other.host) ? `[${other.host}]` : other.host}:${other.port}`;

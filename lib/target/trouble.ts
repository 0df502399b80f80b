import type { Trouble } from '../schemas/exchange.ts';
import type { Proxy } from '../settings/proxy.ts';
import { hostText } from '../settings/route.ts';
import type { OtherHost, Route } from '../settings/route.ts';
import { PROXY, ProxyFailed } from './connections/proxy.ts';
import type { ProxyProblem } from './connections/proxy.ts';

/** The code of a connection that could not be opened in time. Errors are distinguished by their codes, so that undici is only loaded to send. */
export const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT';

/** The code of a connection that was refused. */
const REFUSED = 'ECONNREFUSED';

/** Maximum number of bytes of all headers of a response. */
export const MAX_HEADER_SIZE = 64 * 1024;

/** The code of a response that undici's parser rejects: undici 8 gives its error none. */
export const INVALID_HTTP = 'INVALID_HTTP';

/** Describes the error that prevented a complete response. @param timeout milliseconds */
export function troubleOf(error: unknown, timeout: number): Trouble {
  if (error instanceof ProxyFailed) return proxyTrouble(error, timeout);
  const code = codeOf(error);
  return { ...kindOfTrouble(error, code, timeout), ...(code !== undefined && { code }) };
}

/** A trouble in a few words: without the body of a response, and how long each was to wait. */
export const shortOf = ({ detail }: Pick<Trouble, 'detail'>): string =>
  /^(?:status \d+|[^,]*)/.exec(detail)![0];

/**
 * Describes the failure of a proxy. Rejected credentials and a forbidden host are not repeated, as too many attempts
 * may lock an account; anything else may be the target's restart.
 */
function proxyTrouble({ proxy, failure }: ProxyFailed, timeout: number): Trouble {
  const name = `the proxy ${proxy.origin} (${proxy.variable})`;
  if ('cause' in failure) {
    const { kind, detail, code = '' } = troubleOf(failure.cause, timeout);
    return { kind, detail: `${name}: ${detail.replace('the target', 'it')}`, code: `${PROXY}${code}` };
  }
  if ('reason' in failure) return { kind: 'refused', detail: `${name}: ${failure.reason}`, code: PROXY };
  const { answer, problem } = failure;
  return {
    kind: problem === 'target' || problem === 'other' ? 'refused' : 'proxy',
    detail: `${name} answered ${answer}: ${meaningOf(problem, proxy)}`,
    code: `${PROXY}${problem}`,
  };
}

function meaningOf(problem: ProxyProblem, { credentials }: Proxy): string {
  switch (problem) {
    case 'credentials':
      return credentials === undefined ? 'it demands credentials' : 'it rejects the credentials';
    case 'scheme':
      return 'it does not accept Basic, the only scheme of credentials that the suite sends';
    case 'forbidden':
      return 'it does not allow this host or port';
    case 'target':
      return 'it could not reach the target';
    case 'other':
      return 'it does not connect to the target';
  }
}

function kindOfTrouble(error: unknown, code = '', timeout: number): Trouble {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return {
      kind: 'timeout',
      detail: `no complete response within ${Math.round(timeout / 100) / 10} s`,
    };
  }
  if (code === CONNECT_TIMEOUT) {
    return { kind: 'timeout', detail: 'the connection could not be opened in time' };
  }
  if (isMisread(error, code)) return { kind: 'misread', detail: 'undici could not read the response' };
  // Not of a kind of its own: an input that causes it at each try is as much a finding as one that closes the connection.
  if (code === INVALID_HTTP) return { kind: 'reset', detail: invalidHttp(error as Error) };
  const [kind, detail] = knownError(code) ?? [];
  if (kind) return { kind, detail: detail || (error as Error).message };
  if (code.startsWith('HPE_')) return { kind: 'protocol', detail: invalidHttp(error as Error) };
  const tls = tlsError(code);
  if (tls) return { kind: 'refused', detail: `TLS failed: ${tls.detail} (${code})` };
  // The codes of undici mean nothing to users.
  const shown = code === '' || code.startsWith('UND_ERR_') ? '' : ` (${code})`;
  return { kind: 'reset', detail: `the connection was closed before the response was complete${shown}` };
}

/** With what llhttp objects to, as Node's client or undici reports it; none of its texts is the target's. */
function invalidHttp({ message, ...error }: Error & { readonly reason?: unknown }): string {
  const reason = typeof error.reason === 'string' ? error.reason : /\((.*)\)$/.exec(message)?.[1];
  if (reason?.startsWith('Expected HTTP/')) return 'the response is not HTTP/1.1';
  return `the response is not valid HTTP/1.1${reason === undefined ? '' : `: ${reason}`}`;
}

/** Whether undici has rejected a response that Node's client may read: see `openNode`. */
const isMisread = (error: unknown, code: string | undefined): boolean =>
  code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' ||
  (code === 'UND_ERR_SOCKET' && (error as Error).message === 'bad response');

/** The code of an error, or of the first one that it wraps. */
function codeOf(error: unknown): string | undefined {
  for (let node = error; node instanceof Error; node = node.cause) {
    // If a host has several addresses, "refused" by one says more than "unreachable" of another.
    if (node instanceof AggregateError && node.errors.length > 0) {
      const codes = node.errors.map(codeOf);
      return codes.includes(REFUSED) ? REFUSED : codes[0];
    }
    const { code } = node as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
    if (node.name === 'HTTPParserError') return INVALID_HTTP;
  }
  return undefined;
}

/** A target that was tried. */
interface Tried {
  readonly baseUrl: string;
  readonly route: Pick<Route, 'otherHost'>;
  /** Seconds of `--wait`. */
  readonly wait: number;
}

/** What to do about a target that does not answer. */
export function adviceFor(
  { kind, code = '' }: Pick<Trouble, 'kind' | 'code'>,
  { baseUrl, route: { otherHost }, wait }: Tried,
): string {
  const aboutTried = (advice: string): string =>
    otherHost === undefined
      ? advice
      : advice.replace(UP, () => upAt(otherHost)).replace(PORT, placeOf(otherHost));
  if (code.startsWith(PROXY)) return aboutTried(proxyAdvice(code));
  const [, , known = tlsError(code)?.advice] = knownError(code) ?? [];
  if (known !== undefined)
    return `${aboutTried(known)}${code === REFUSED && wait === 0 ? '. If it is still starting, --wait SECONDS waits until it answers' : ''}`;
  switch (code === INVALID_HTTP ? 'protocol' : kind) {
    case 'throttled':
      return 'It rejects every client, or this key, which may have a quota: try later, or with another key';
    case 'oversized':
      return 'Return no more than the result: no client of the interface needs so long a response';
    case 'protocol':
    case 'misread':
      return 'Check that the service is up, and the port and scheme in TARGET_BASE_URL: something else may be answering there; if it speaks HTTP/2 only, set --http 2';
    case 'timeout':
      return aboutTried(
        `${UP}, and that no firewall drops the requests; if the service is slow, raise --timeout`,
      );
    case 'proxy':
    case 'refused':
    case 'reset':
      return aboutTried(
        `${UP}${otherHost === undefined ? ', including its port' : ''}. ${baseUrl.startsWith('https:') ? 'If it demands a client certificate, check that TARGET_CLIENT_CERT names one that it accepts' : `If ${PORT} speaks TLS, write https in place of http`}`,
      );
  }
}

function proxyAdvice(code: string): string {
  if (code === `${PROXY}credentials`)
    return 'Put the credentials into the URL of the proxy, percent-encoded: http://USER:PASSWORD@HOST:PORT';
  const first =
    code === `${PROXY}scheme` || isCertificateAlert(code.slice(PROXY.length))
      ? 'Start a proxy on this machine that authenticates itself to that one, and name it in the variable'
      : code === `${PROXY}target`
        ? UP
        : tlsError(code.slice(PROXY.length))?.isUntrusted
          ? 'To trust the CA of the proxy, set NODE_EXTRA_CA_CERTS=FILE in the environment; TARGET_CA is for the target alone'
          : 'Check the variable of the proxy, that the proxy is up, and that it may connect to this host and port';
  return `${first}. To connect without it, add --no-proxy, or the host to NO_PROXY`;
}

const UP = 'Check that the service is up and that TARGET_BASE_URL is right';
const PORT = 'that port';

/** {@link UP}, where connections do not go to the host in the URL. */
const upAt = (other: OtherHost): string =>
  `Check that the service is up and that ${'path' in other ? 'TARGET_UNIX_SOCKET' : 'TARGET_CONNECT_TO'} (${hostText(other)}) is right`;

const placeOf = (other: OtherHost): string => ('path' in other ? 'that socket' : PORT);

const NO_ROUTE = `${UP}, and that this machine has a route to the host, perhaps by a VPN`;

type KnownError = readonly [kind: Trouble['kind'], detail: string, advice: string];

const HEADERS_TOO_LONG: KnownError = [
  'protocol',
  `the headers of the response are longer than ${MAX_HEADER_SIZE / 1024} KiB`,
  'Send shorter headers, or fewer: most clients accept no more than 8 to 80 KiB',
];

/** What the error codes of connections stand for, and what to do about them; '' where the error has a message of its own. */
const ERRORS: Readonly<Record<string, KnownError>> = {
  NO_HTTP2: [
    'protocol',
    '',
    'Enable HTTP/2 on the target (without TLS: h2c with prior knowledge), or leave out --http 2',
  ],
  CLOSED_BEFORE_HTTP2: ['reset', '', `${UP}; if it speaks HTTP/1.1 only, leave out --http 2`],
  UND_ERR_HEADERS_OVERFLOW: HEADERS_TOO_LONG,
  // The code of Node's client.
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LONG,
  ENOTFOUND: [
    'refused',
    'the host name does not resolve',
    'Check the host in TARGET_BASE_URL, or in TARGET_CONNECT_TO if that is set; an internal name may resolve only in a VPN, or for a proxy (HTTPS_PROXY)',
  ],
  EAI_AGAIN: [
    'refused',
    'the host name does not resolve',
    'The name server does not answer. Check the network of this machine, then try again',
  ],
  [REFUSED]: ['refused', 'connection refused', `${UP}; nothing is listening on ${PORT}`],
  ENOENT: [
    'refused',
    'the Unix socket does not exist',
    'Check TARGET_UNIX_SOCKET, and that the service is up, which makes the socket',
  ],
  EACCES: [
    'refused',
    'the connection is not permitted',
    'Run as a user who may open the socket of TARGET_UNIX_SOCKET, or check the rules of this machine for connections',
  ],
  ETIMEDOUT: [
    'refused',
    'the connection could not be opened in time',
    `${NO_ROUTE}; a firewall may drop the requests`,
  ],
  EHOSTUNREACH: ['refused', 'there is no route to the host', NO_ROUTE],
  ENETUNREACH: ['refused', 'there is no route to the host', NO_ROUTE],
};

const knownError = (code: string) => (Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined);

/** A failure of TLS, and what to do about it. */
interface TlsError {
  readonly codes: RegExp;
  /** Whether no trusted CA signed the certificate. */
  readonly isUntrusted?: true;
  readonly detail: string;
  readonly advice: string;
}

/** Whether the target demands a client certificate, or rejects the one that it got. */
export const isCertificateAlert = (code = ''): boolean =>
  CLIENT_CERTIFICATE_ERRORS.some(({ codes }) => codes.test(code));

export const CLIENT_CERTIFICATE =
  'Set TARGET_CLIENT_CERT and TARGET_CLIENT_KEY to a client certificate that the target accepts';

const CLIENT_CERTIFICATE_ERRORS: readonly TlsError[] = [
  {
    codes: /^ERR_SSL_.*_ALERT_CERTIFICATE_REQUIRED$/,
    detail: 'the target demands a client certificate',
    advice: CLIENT_CERTIFICATE,
  },
  {
    codes:
      /^ERR_SSL_(?:SSL|TLS)V\d+_ALERT_(?:(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_|UNKNOWN_CA|ACCESS_DENIED)/,
    detail: 'the target rejected the client certificate',
    advice: `${CLIENT_CERTIFICATE}: it may have expired, or be of another authority`,
  },
];

/**
 * By the error code of Node or OpenSSL; the text before ALERT depends on the version of OpenSSL. The first match
 * counts.
 */
const TLS_ERRORS: readonly TlsError[] = [
  {
    codes: /^CERT_HAS_EXPIRED$/,
    detail: 'the certificate has expired',
    advice: 'Renew the certificate, or correct the clock of this machine',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    detail: 'the certificate is not valid yet',
    advice: 'Wait until it is, or correct the clock of this machine',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    detail: 'the certificate is for another host',
    advice:
      'Use a name that the certificate has in TARGET_BASE_URL, or set TARGET_SERVER_NAME to it, or issue a certificate for this host',
  },
  {
    codes: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    isUntrusted: true,
    detail: 'the certificate is self-signed',
    advice: 'To trust it, set TARGET_CA to its file (NODE_EXTRA_CA_CERTS has no effect in .env)',
  },
  {
    codes: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    isUntrusted: true,
    detail: 'no trusted CA signed the certificate, or an intermediate certificate is missing',
    advice:
      'Make the target send its intermediate certificates. To trust a private CA, set TARGET_CA=FILE (NODE_EXTRA_CA_CERTS has no effect in .env)',
  },
  {
    // Node has no name of its own for these errors of OpenSSL.
    codes: /^UNSPECIFIED$/,
    detail: 'the certificate, or one that signed it, has a key or a signature that is too weak',
    advice: 'Issue one with an RSA key of at least 2048 bits, or an elliptic one, signed with SHA-256',
  },
  ...CLIENT_CERTIFICATE_ERRORS,
  {
    codes: /^ERR_SSL_(?:UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION|VERSION_TOO_LOW|.*_ALERT_PROTOCOL_VERSION)$/,
    detail: 'the target speaks no version of TLS that is still in use',
    advice: 'Enable TLS 1.2 or 1.3 on the target; older versions are deprecated (RFC 8996)',
  },
  {
    codes: /^ERR_SSL_.*_ALERT_HANDSHAKE_FAILURE$/,
    detail: 'the target rejected the handshake',
    advice:
      'It may demand a client certificate: set TARGET_CLIENT_CERT and TARGET_CLIENT_KEY. Otherwise enable a cipher on it that current clients have',
  },
  {
    codes: /^ERR_SSL_.*NO_APPLICATION_PROTOCOL$/,
    detail: 'the target does not speak HTTP/1.1',
    advice: 'Set --http 2',
  },
  {
    codes: /^ERR_SSL_.*UNRECOGNIZED_NAME$/,
    detail: 'the target does not know this host name',
    advice: 'Check the host in TARGET_BASE_URL, or set TARGET_SERVER_NAME',
  },
  {
    codes: /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    detail: 'the port does not speak TLS',
    advice: 'Use the TLS port in TARGET_BASE_URL, or write http in place of https',
  },
  {
    codes: /CERT|SIGNATURE|ISSUER/,
    isUntrusted: true,
    detail: 'no trusted CA signed the certificate',
    advice:
      'To trust a private CA, set TARGET_CA=FILE (NODE_EXTRA_CA_CERTS has no effect in .env); if it is set, that file lacks the CA that signed this certificate',
  },
  {
    codes: /^(?:EPROTO$|ERR_SSL|ERR_TLS)/,
    detail: 'the handshake failed',
    advice: 'Check that the service is up, and the port and scheme in TARGET_BASE_URL',
  },
];

/** The TLS failure that an error code stands for; undefined: none. */
const tlsError = (code: string): TlsError | undefined => TLS_ERRORS.find(({ codes }) => codes.test(code));

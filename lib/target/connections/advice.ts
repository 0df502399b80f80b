import { PROXY } from './proxy.ts';
import type { Trouble } from '../../schemas/exchange.ts';

const UP = 'Check that the service is up and that TARGET_BASE_URL is right';

const BY_CODE: Readonly<Record<string, string>> = {
  NO_HTTP2:
    'Enable HTTP/2 on the target, for http without TLS as prior knowledge (h2c), or leave out --http 2',
  CLOSED_BEFORE_HTTP2: `${UP}; if it speaks HTTP/1.1 only, leave out --http 2`,
  ENOTFOUND:
    'Check the host in TARGET_BASE_URL; an internal name may resolve only in a VPN, or for a proxy (HTTPS_PROXY)',
  EAI_AGAIN: 'The name server does not answer. Check the network of this machine, then try again',
  ECONNREFUSED: `${UP}; nothing is listening on that port`,
  ENOENT: 'Check TARGET_UNIX_SOCKET, and that the service is up, which makes the socket',
  EACCES:
    'Run as a user who may open the socket of TARGET_UNIX_SOCKET, or check the rules of this machine for connections',
  EHOSTUNREACH: `${UP}, and that this machine has a route to the host, perhaps by a VPN`,
  ENETUNREACH: `${UP}, and that this machine has a route to the host, perhaps by a VPN`,
};

/** What to do about a target that does not answer. */
export function adviceFor({ kind, code = '' }: Pick<Trouble, 'kind' | 'code'>): string {
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (code.startsWith(PROXY)) return proxyAdvice(code);
  const tls = tlsTroubleOf(code);
  if (tls) return tls.advice;
  switch (kind) {
    case 'throttled':
      return 'It rejects every client, or this key: try later, with a lower --rate and --concurrency, or with another key';
    case 'oversized':
      return 'Return no more than the result: no client of the interface needs so long a response';
    case 'protocol':
    case 'misread':
      return 'Check that the service is up, and the port and scheme in TARGET_BASE_URL: something else may be answering there';
    case 'timeout':
      return `${UP}, and that no firewall drops the requests; if the service is slow, increase --timeout`;
    case 'proxy':
    case 'refused':
    case 'reset':
      return `${UP}, including its port and scheme (http or https), and whether it demands a client certificate (TARGET_CLIENT_CERT)`;
  }
}

/** The same for a proxy. */
function proxyAdvice(code: string): string {
  if (code === `${PROXY}credentials`)
    return 'Put the credentials into the URL of the proxy, percent-encoded: http://USER:PASSWORD@HOST:PORT';
  const first =
    code === `${PROXY}target`
      ? UP
      : tlsTroubleOf(code.slice(PROXY.length))?.isUntrusted
        ? 'To trust the CA of the proxy, set NODE_EXTRA_CA_CERTS=FILE in the environment; TARGET_CA is for the target alone'
        : 'Check the variable of the proxy, that the proxy is up, and that it may connect to this host and port';
  return `${first}. To connect without it, add --no-proxy, or the host to NO_PROXY`;
}

/** The meaning of a TLS failure, and what to do about it. */
interface TlsTrouble {
  readonly codes: RegExp;
  /** Whether no trusted CA signed the certificate. */
  readonly isUntrusted?: true;
  readonly detail: string;
  readonly advice: string;
}

export const CLIENT_CERTIFICATE =
  'Set TARGET_CLIENT_CERT and TARGET_CLIENT_KEY to a client certificate that the target accepts';

/**
 * By the error code of Node or OpenSSL; the text before ALERT depends on the version of OpenSSL. The first match
 * counts.
 */
const troubles: readonly TlsTrouble[] = [
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
    codes: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    isUntrusted: true,
    detail: 'no trusted CA signed the certificate, or an intermediate certificate is missing',
    advice:
      'Make the target send its intermediate certificates. To trust a private CA, set TARGET_CA=FILE (NODE_EXTRA_CA_CERTS has no effect in .env)',
  },
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
export const tlsTroubleOf = (code: string | undefined): TlsTrouble | undefined =>
  code === undefined ? undefined : troubles.find(({ codes }) => codes.test(code));

import { PROXY } from './proxy-failed.ts';
import { tlsTroubleOf } from './tls-trouble.ts';
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

import type { Proxy } from '../../settings/proxy.ts';
import type { Trouble } from '../exchange.ts';
import type { Reply } from '../reply.ts';

/** How a proxy failed: it answered with a status of its own, or something prevented its answer. */
type ProxyFailure = { readonly status: number; readonly detail?: string } | { readonly cause: unknown };

/** A proxy did not connect to the target. */
export class ProxyFailed extends Error {
  readonly proxy: Proxy;
  readonly failure: ProxyFailure;
  constructor(proxy: Proxy, failure: ProxyFailure) {
    super(`the proxy ${proxy.origin} failed`);
    this.proxy = proxy;
    this.failure = failure;
  }
}

/** The beginning of all codes of troubles with a proxy. */
export const PROXY = 'PROXY_';

/**
 * Describes the failure of a proxy. Rejected credentials are not repeated, as too many lock an account; anything else
 * may be the target's restart.
 * @param describe describes what prevented an answer
 */
export function proxyTrouble(
  { proxy, failure }: ProxyFailed,
  describe: (cause: unknown) => Trouble,
): Trouble {
  const name = `the proxy ${proxy.origin} (${proxy.variable})`;
  if ('cause' in failure) {
    const { kind, detail, code = '' } = describe(failure.cause);
    return { kind, detail: `${name}: ${detail}`, code: `${PROXY}${code}` };
  }
  const { status, detail = '' } = failure;
  const answered = `${name} answered ${status}${detail === '' ? '' : ` (${detail})`}`;
  return {
    kind: status === 407 || status === 403 ? 'proxy' : 'refused',
    detail: `${answered}: ${meaningOf(status, proxy)}`,
    code: `${PROXY}${status}`,
  };
}

function meaningOf(status: number, { authorization }: Proxy): string {
  if (status === 407)
    return authorization === undefined ? 'it demands credentials' : 'it rejects the credentials';
  if (status === 403) return 'it does not allow this host or port';
  return status >= 502 && status <= 504
    ? 'it could not reach the target'
    : 'it does not connect to the target';
}

/** The failure in a reply that a forwarding proxy made itself; undefined: the target did. */
export function failureIn(proxy: Proxy, { status, fields }: Reply): ProxyFailed | undefined {
  if (status === 407) return new ProxyFailed(proxy, { status });
  // Squid names its own errors, such as ERR_CONNECT_FAIL 111.
  const own = fields['x-squid-error'];
  return own === undefined ? undefined : new ProxyFailed(proxy, { status, detail: own.slice(0, 100) });
}

/** What to do about a failure of a proxy, by the code of its trouble. */
export function proxyAdvice(code: string): string {
  if (code === `${PROXY}407`)
    return 'Put the credentials into the URL of the proxy, percent-encoded: http://USER:PASSWORD@HOST:PORT';
  const first = /50[234]$/.test(code)
    ? 'Check that the service is up and that TARGET_BASE_URL is right'
    : 'Check the variable of the proxy, that the proxy is up, and that it may connect to this host and port';
  return `${first}. To connect without it, add --no-proxy, or the host to NO_PROXY`;
}

import type { Proxy } from '../../settings/proxy.ts';
import type { Reply } from '../reply.ts';

/** Why a proxy has not connected to the target; `other`: it does not say. */
export type ProxyProblem = 'credentials' | 'forbidden' | 'target' | 'other';

/** How a proxy failed: it answered so, it can't be asked for the target, or something prevented its answer. */
type ProxyFailure =
  | { readonly answer: string; readonly problem: ProxyProblem }
  | { readonly reason: string }
  | { readonly cause: unknown };

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

/** What the status of an HTTP proxy means. */
export function problemOfStatus(status: number): ProxyProblem {
  if (status === 407) return 'credentials';
  if (status === 403) return 'forbidden';
  return status >= 502 && status <= 504 ? 'target' : 'other';
}

/** The failure in a reply that a forwarding proxy made itself; undefined: the target did. */
export function failureIn(proxy: Proxy, { status, fields }: Reply): ProxyFailed | undefined {
  // Squid names its own errors, such as ERR_CONNECT_FAIL 111.
  const own = fields['x-squid-error'];
  if (status !== 407 && own === undefined) return undefined;
  const answer = own === undefined || status === 407 ? String(status) : `${status} (${own.slice(0, 100)})`;
  return new ProxyFailed(proxy, { answer, problem: problemOfStatus(status) });
}

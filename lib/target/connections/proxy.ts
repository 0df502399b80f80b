import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { hostIn } from '../../settings/proxy.ts';
import type { Proxy } from '../../settings/proxy.ts';
import type { OtherHost } from '../../settings/route.ts';
import type { Reply } from '../reply.ts';

/** Why a proxy has not connected to the target; `scheme`: it takes no Basic credentials; `other`: it does not say. */
export type ProxyProblem = 'credentials' | 'scheme' | 'forbidden' | 'target' | 'other';

/** How a proxy failed: its answer, why it can't be asked for the target, or what prevented its answer. */
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

/** What the status of an HTTP proxy means. @param challenge its Proxy-Authenticate */
export function problemOfStatus(status: number, challenge = 'Basic'): ProxyProblem {
  if (status === 407) return /(?:^|,)\s*Basic\b/i.test(challenge) ? 'credentials' : 'scheme';
  if (status === 403) return 'forbidden';
  return status >= 502 && status <= 504 ? 'target' : 'other';
}

/** The failure in a reply that a forwarding proxy made itself; undefined: the target did. */
export function failureIn(proxy: Proxy, { status, fields }: Reply): ProxyFailed | undefined {
  // Squid names its own errors, such as ERR_CONNECT_FAIL 111.
  const own = fields['x-squid-error'];
  if (status !== 407 && own === undefined) return undefined;
  const answer = own === undefined || status === 407 ? String(status) : `${status} (${own.slice(0, 100)})`;
  return new ProxyFailed(proxy, { answer, problem: problemOfStatus(status, fields['proxy-authenticate']) });
}

/** What the error texts of the client mean. */
const PROBLEMS: readonly (readonly [RegExp, ProxyProblem])[] = [
  [/Authentication failed|no accepted authentication type/, 'credentials'],
  [/NotAllowed/, 'forbidden'],
  [/rejected connection/, 'target'],
];

/**
 * Asks a SOCKS proxy to connect to the target (RFC 1928). With `socks5h` and `socks4a` the proxy resolves the name of
 * the target; otherwise this machine does, as in curl.
 * @param socket is connected to the proxy
 * @throws {ProxyFailed}
 */
export async function tunnelBySocks(
  proxy: Proxy,
  target: OtherHost,
  socket: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  // No setting combines a proxy with a Unix socket.
  if ('path' in target) return socket;
  const version = proxy.origin.startsWith('socks5') ? 5 : 4;
  const { SocksClient } = await import('socks');
  const giveUp = (): void => void socket.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    await SocksClient.createConnection({
      command: 'connect',
      existing_socket: socket,
      proxy: {
        ...hostIn(proxy.origin),
        type: version,
        ...(proxy.credentials && { userId: proxy.credentials.user, password: proxy.credentials.password }),
      },
      destination: { host: await hostFor(proxy, target.host), port: target.port },
    });
    return socket;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ProxyFailed) throw error;
    const { message } = error as Error;
    const [, problem] = PROBLEMS.find(([text]) => text.test(message)) ?? [];
    throw new ProxyFailed(
      proxy,
      problem === undefined
        ? { reason: `it does not speak SOCKS${version} (${message})` }
        : { answer: `"${message}"`, problem },
    );
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** The host that a proxy is to connect to: its name, or its address where the proxy is not to resolve names. */
async function hostFor(proxy: Proxy, host: string): Promise<string> {
  const { protocol } = new URL(proxy.origin);
  if (protocol === 'socks5h:' || protocol === 'socks4a:') return host;
  const remote = protocol === 'socks5:' ? 'socks5h' : 'socks4a';
  try {
    const { address } = await lookup(host, protocol === 'socks4:' ? { family: 4 } : {});
    return address;
  } catch {
    const reason = `the host name of the target does not resolve here; with ${remote}:// the proxy resolves it`;
    throw new ProxyFailed(proxy, { reason });
  }
}

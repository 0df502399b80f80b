import { once } from 'node:events';
import { request as open } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { hostText } from '../../settings/route.ts';
import { hostIn, isSocks, proxyFields } from '../../settings/proxy.ts';
import type { OtherHost, Route } from '../../settings/route.ts';
import type { Proxy } from '../../settings/proxy.ts';
import { ProxyFailed, problemOfStatus, tunnelBySocks } from './proxy.ts';
import { afterRunning } from '../pace/running-time.ts';
import { CONNECT_TIMEOUT, isCertificateAlert } from '../trouble.ts';

/** Where a target is, and the route there. */
export interface Endpoint {
  /** Origin and path without a closing slash. */
  readonly baseUrl: string;
  readonly route: Route;
}

/** Opens a connection to a target, secured if its URL says so. @throws what prevented it */
export type Dial = () => Promise<Socket>;

/** Milliseconds of silence before the operating system tests whether the other end is still there. */
const KEEP_ALIVE = 60_000;

/** The function that opens all connections to a target. @param timeout milliseconds for opening one */
export function dialer(endpoint: Endpoint, timeout: number): Dial {
  const ALPNProtocols = endpoint.route.http === '2' ? ['h2', 'http/1.1'] : ['http/1.1'];
  let session: Buffer | undefined;
  const keepSession = (socket: Socket): unknown => socket.on('session', (ticket) => (session = ticket));
  return async () => {
    const late = new AbortController();
    const cancel = afterRunning(timeout, () => late.abort());
    try {
      const options = { ALPNProtocols, ...(session && { session }) };
      const socket = await openSocket(endpoint, late.signal, options, keepSession);
      // In TLS 1.3, a server rejects the client only after the handshake; the end of the connection would hide why.
      socket.on(
        'error',
        (error) => void (isCertificateAlert((error as NodeJS.ErrnoException).code) && socket.destroy(error)),
      );
      return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE);
    } catch (error) {
      throw late.signal.aborted && !(error instanceof ProxyFailed)
        ? Object.assign(new Error('the connection could not be opened'), { code: CONNECT_TIMEOUT })
        : error;
    } finally {
      cancel();
    }
  };
}

/**
 * Opens one connection to a target, secured if its URL says so.
 * @param options of TLS
 * @param watch gets each of its sockets before it is connected: the first, and that of TLS
 * @throws what prevented it
 */
export async function openSocket(
  endpoint: Endpoint,
  signal: AbortSignal,
  options: ConnectionOptions,
  watch: (socket: Socket) => unknown,
): Promise<Socket> {
  let socket = connect({ ...firstHost(endpoint), autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT });
  watch(socket);
  try {
    socket = await reachHost(endpoint, socket, signal);
    if (!isSecure(endpoint)) return socket;
    socket = secure(endpoint, socket, options);
    watch(socket);
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  }
}

export const isSecure = ({ baseUrl }: Endpoint): boolean => baseUrl.startsWith('https:');

/** The host to connect to first: the proxy, or the target. */
export const firstHost = (endpoint: Endpoint): OtherHost =>
  endpoint.route.proxy ? hostIn(endpoint.route.proxy.origin) : targetHost(endpoint);

const targetHost = ({ baseUrl, route }: Endpoint): OtherHost => route.otherHost ?? hostIn(baseUrl);

/** Milliseconds for each of several addresses of a host: Node's own 250 are too few for a host that is far away. */
const ATTEMPT_TIMEOUT = 1000;

/**
 * Completes a connection until it reaches the target, or the proxy that forwards to it.
 * @throws {ProxyFailed} where the proxy is what fails
 */
async function reachHost(endpoint: Endpoint, socket: Socket, signal: AbortSignal): Promise<Socket> {
  const { proxy } = endpoint.route;
  try {
    await once(socket, 'connect', { signal });
    if (!proxy) return socket;
    if (isSocks(proxy)) return await tunnelBySocks(proxy, targetHost(endpoint), socket, signal);
    const toProxy = await secureToProxy(proxy, socket, signal);
    return endpoint.route.isForwarded ? toProxy : await tunnel(endpoint, proxy, toProxy, signal);
  } catch (error) {
    throw proxy && !(error instanceof ProxyFailed) ? new ProxyFailed(proxy, { cause: error }) : error;
  }
}

/** A proxy may speak TLS itself. */
async function secureToProxy({ origin }: Proxy, socket: Socket, signal: AbortSignal): Promise<Socket> {
  if (!origin.startsWith('https:')) return socket;
  const { host } = hostIn(origin);
  const secured = connectTls({ socket, host, ...(!isIP(host) && { servername: host }) });
  await once(secured, 'secureConnect', { signal });
  return secured;
}

/** Asks a proxy to connect to the target (RFC 9110, section 9.3.6). */
async function tunnel(
  endpoint: Endpoint,
  proxy: Proxy,
  socket: Socket,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = hostText(targetHost(endpoint));
  const asked = open({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers: { Host: authority, ...proxyFields(proxy) },
  });
  // After it was given up.
  asked.on('error', () => {});
  asked.end();
  const [response, , head] = (await once(asked, 'connect', { signal })) as [IncomingMessage, Socket, Buffer];
  const { statusCode: status = 0, headers } = response;
  if (status < 200 || status > 299) {
    const problem = problemOfStatus(status, headers['proxy-authenticate']);
    throw new ProxyFailed(proxy, { answer: String(status), problem });
  }
  // The target may have sent its first bytes already.
  socket.unshift(head);
  return socket;
}

/** Begins TLS with the target on a connection. */
function secure({ baseUrl, route }: Endpoint, socket: Socket, more: ConnectionOptions): TLSSocket {
  const { host } = hostIn(baseUrl);
  const { pfx, ...tls } = route.tls;
  return connectTls({
    socket,
    // Expected in the certificate. A server name is never an address (RFC 6066, section 3).
    host,
    ...(!isIP(host) && { servername: host }),
    ...tls,
    ...(pfx && { pfx: Buffer.from(pfx) }),
    ...more,
  });
}
